"""The news of each stream, without a network: the streams of one process."""

import asyncio

import pytest

from games.features.live import hub as hub_module
from games.features.live import readers, strangers
from games.features.live.hub import MOST_OF_A_PERSON, REMEMBERED, Hub, Stream
from games.features.live.readers import OpenPage, Reader

TABLE = {"t1": "Venice"}


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(hub_module, "monotonic", clock)
    return clock


@pytest.fixture
def hub(clock):
    hub = Hub()
    hub.heard_nothing_until_now()
    return hub


def opened(hub: Hub, person: int = 1, *, age: float = 0.0, **topics: str) -> Stream:
    topics = topics or TABLE
    return hub.open(
        OpenPage("session", ""), Reader(person, {f"p{person}": "person", **topics}), age
    )


def test_only_streams_of_a_topic_are_notified_once_for_many_changes(hub):
    venice, genoa = opened(hub), opened(hub, 2, t2="Genoa")
    assert hub.changed(["t1", "t3"]) == {venice}
    assert hub.changed(["t1"]) == {venice}
    assert (venice.labels, venice.news.is_set()) == ({"Venice"}, True)
    assert (genoa.labels, genoa.news.is_set()) == (set(), False)
    hub.changed(["p2"])
    assert (genoa.labels, venice.labels) == ({"person"}, {"Venice"})


def test_a_page_gets_what_it_missed_since_it_was_made(hub, clock):
    clock.now += 100
    hub.changed(["t1"])
    clock.now += 10
    assert opened(hub, age=9).labels == set()
    assert opened(hub, 2, age=11).labels == {"Venice"}
    assert not opened(hub, 3, age=11, t2="Genoa").news.is_set()


def test_a_page_older_than_what_is_known_looks_again(hub, clock):
    clock.now += 50
    assert not opened(hub, age=49).look_again
    assert opened(hub, 2, age=51).look_again
    clock.now += REMEMBERED
    assert not opened(hub, 3, age=REMEMBERED - 1).look_again
    assert opened(hub, 4, age=REMEMBERED + 1).look_again


def test_before_the_broker_responds_every_page_looks_again(clock):
    hub = Hub()
    early = opened(hub)
    assert early.look_again
    early.look_again = False
    hub.heard_nothing_until_now()
    assert early.look_again


def test_what_changed_long_ago_is_forgotten(hub, clock):
    hub.changed(["t1", "t2"])
    clock.now += REMEMBERED - 1
    hub.changed(["t1"])
    clock.now += 2
    hub.changed(["t3"])
    assert set(hub.announced) == {"t1", "t3"}


def test_one_stream_too_many_of_a_person_ends_the_oldest(hub):
    streams = [opened(hub) for _ in range(MOST_OF_A_PERSON)]
    other = opened(hub, 2)
    assert not any(stream.is_over for stream in streams)
    newest = opened(hub)
    assert [stream.is_over for stream in [*streams, newest, other]] == [
        True, *[False] * (MOST_OF_A_PERSON + 1),
    ]  # fmt: skip


def test_a_closed_stream_leaves_nothing_behind(hub):
    stream, other = opened(hub), opened(hub, 2, t2="Genoa")
    hub.close(stream)
    assert hub.streams == {other}
    assert set(hub._of_topic) == {"p2", "t2"}
    assert set(hub._of_person) == {2}
    assert hub.changed(["t1"]) == set()


def test_a_player_who_leaves_a_table_hears_no_more_of_it(hub):
    stream = opened(hub)
    hub.update(stream, Reader(1, {"p1": "person", "t2": "Genoa"}))
    hub.changed(["t1"])
    assert stream.labels == set()
    hub.changed(["t2"])
    assert stream.labels == {"Genoa"}


@pytest.mark.parametrize("reader", [None, Reader(2, TABLE)], ids=["signed out", "somebody else"])
def test_the_stream_of_a_person_no_longer_signed_in_ends(hub, reader):
    stream = opened(hub)
    hub.update(stream, reader)
    assert stream.is_over


def test_a_stream_waits_until_it_is_notified(hub):
    async def listen() -> set[str]:
        stream = opened(hub)
        waiting = asyncio.create_task(stream.news.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
        hub.changed(["t1"])
        await waiting
        return stream.labels

    assert asyncio.run(listen()) == {"Venice"}


def test_a_network_that_waited_long_enough_may_try_again(monkeypatch):
    seen = strangers.Strangers()
    for number in range(strangers.MOST):
        assert not seen.must_wait("a", "x")
        seen.record("a", f"x{number}", is_good=False)
    assert seen.must_wait("a", "x")
    monkeypatch.setattr(strangers, "WITHIN", 0.0)
    assert not seen.must_wait("a", "x")


def test_so_many_networks_and_sessions_are_remembered_and_no_more(monkeypatch):
    monkeypatch.setattr(strangers, "REMEMBERED", 2)
    monkeypatch.setattr(strangers, "MOST", 1)
    seen = strangers.Strangers()
    for number in range(3):
        seen.record(f"{number}", f"bad {number}", is_good=False)
        seen.record("", f"good {number}", is_good=True)
    assert [seen.must_wait(f"{number}", "x") for number in range(3)] == [False, True, True]
    assert [seen.must_wait("2", f"good {number}") for number in range(3)] == [True, False, False]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("keys", "queries"), [(["", "x", "Y" * 32, "y" * 33, "0" * 31 + "\n"], 0), (["y" * 32] * 9, 1)]
)
def test_made_up_sessions_cost_next_to_nothing(django_assert_num_queries, keys, queries):
    with django_assert_num_queries(queries):
        assert readers.read([OpenPage(key, "abc") for key in keys]) == [None] * len(keys)
