"""Changes that the process could not announce reach the live pages anyway."""

import logging
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.conf import settings as site
from django.db import OperationalError
from django.utils import timezone
from redis import Redis

from games import wake
from games.engine.ledger import Status
from games.features.live import app, latest
from games.features.live.channel import channel, decode
from games.features.live.latest import Row, Unannounced
from games.features.live.publisher import Publisher
from games.models import Game, User
from games.services import live
from games.services.game import seats
from tests.features.live.test_live_leaks import private_life, say
from tests.support.client import browser, person
from tests.support.forwarder import forwarded
from tests.support.live import forget_broker, live_process
from tests.support.patience import wait_until
from tests.support.promising import in_order, place_for, rivals_table, sitter
from tests.support.tables import open_table, seats_to_move, submit_move
from tests.support.whispering import offers_privately, replies_privately, whisper

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.counts]

AT = datetime(2024, 5, 1, 12, tzinfo=UTC)
LATER = AT + timedelta(seconds=1)
EVENT, WORD = Row("event", 7, "t1", AT), Row("message", 3, "t2", AT)


class TestWhatIsLeft:
    """Of what is found by looking, what was announced in time is left out."""

    def test_what_was_there_before_is_left_out(self):
        unannounced = Unannounced()
        assert unannounced.topics({EVENT}, 10, {}) == []
        assert unannounced.topics({EVENT}, 20, {}) == []
        assert unannounced.topics({EVENT}, 30, {}) == []

    @pytest.mark.parametrize("announced_at", [10.5, 15, 25])
    def test_what_was_announced_is_left_out(self, announced_at):
        unannounced = Unannounced()
        unannounced.topics(set(), 10, {})
        announced = {"t1": announced_at} if announced_at < 20 else {}
        assert unannounced.topics({EVENT}, 20, announced) == []
        assert unannounced.topics({EVENT}, 30, {"t1": announced_at}) == []
        assert unannounced.topics({EVENT}, 40, {"t1": announced_at}) == []

    @pytest.mark.parametrize("announced", [{}, {"t1": 9}, {"t2": 15}])
    def test_what_was_not_announced_comes_once(self, announced):
        unannounced = Unannounced()
        unannounced.topics({WORD}, 10, {})
        assert unannounced.topics({EVENT, WORD}, 20, announced) == []
        assert unannounced.topics({EVENT, WORD}, 30, announced) == ["t1"]
        assert unannounced.topics({EVENT, WORD}, 40, announced) == []

    def test_a_row_that_is_committed_late_is_new(self):
        unannounced, later = Unannounced(), Row("event", 8, "t2", LATER)
        unannounced.topics({later}, 10, {})
        unannounced.topics({later, EVENT}, 20, {})
        assert unannounced.topics({later, EVENT}, 30, {}) == ["t1"]

    def test_what_changed_at_once_comes_once(self):
        unannounced, more = Unannounced(), Row("event", 8, "t1", AT)
        unannounced.topics(set(), 10, {})
        unannounced.topics({EVENT, more}, 20, {})
        assert unannounced.topics({EVENT, more}, 30, {"t1": 15}) == []

    def test_that_one_change_was_announced_proves_nothing_for_another_one_soon_after_it(self):
        unannounced, more = Unannounced(), Row("event", 8, "t1", LATER)
        unannounced.topics(set(), 10, {})
        unannounced.topics({EVENT, more}, 20, {})
        assert unannounced.topics({EVENT, more}, 30, {"t1": 15}) == ["t1"]
        assert unannounced.topics({EVENT, more}, 40, {"t1": 30.1}) == []

    def test_nor_of_one_that_was_found_by_the_next_look(self):
        unannounced, more = Unannounced(), Row("event", 8, "t1", LATER)
        unannounced.topics(set(), 10, {})
        unannounced.topics({EVENT}, 20, {})
        assert unannounced.topics({EVENT, more}, 30, {"t1": 20.1}) == []
        assert unannounced.topics({EVENT, more}, 40, {"t1": 20.1}) == ["t1"]

    def test_nor_does_what_was_announced_for_want_of_another_one(self):
        unannounced, more = Unannounced(), Row("event", 8, "t1", LATER)
        unannounced.topics(set(), 10, {})
        unannounced.topics({EVENT}, 20, {})
        assert unannounced.topics({EVENT}, 30, {}) == ["t1"]
        unannounced.topics({EVENT, more}, 40, {"t1": 30.1})
        assert unannounced.topics({EVENT, more}, 50, {"t1": 30.1}) == ["t1"]

    @pytest.mark.parametrize("at", [55, 65])
    def test_nor_does_what_is_announced_much_too_late(self, at):
        """A process cut off from the broker announced the first change only then."""
        unannounced, more = Unannounced(), Row("event", 8, "t1", LATER)
        unannounced.topics(set(), 10, {})
        unannounced.topics({EVENT}, 20, {})
        assert unannounced.topics({EVENT}, 30, {}) == ["t1"]
        assert unannounced.topics({EVENT}, 40, {"t1": 30.1}) == []
        assert unannounced.topics({EVENT}, 50, {"t1": 30.1}) == []
        unannounced.topics({EVENT, more}, 60, {"t1": 55})
        assert unannounced.topics({EVENT, more}, 70, {"t1": at}) == (["t1"] if at < 60 else [])

    def test_nor_an_announcement_of_a_change_before_the_first_look(self):
        unannounced, more = Unannounced(), Row("event", 8, "t1", LATER)
        unannounced.topics({EVENT}, 10, {})
        unannounced.topics({EVENT, more}, 20, {"t1": 15})
        assert unannounced.topics({EVENT, more}, 30, {"t1": 15}) == ["t1"]

    def test_after_a_while_announcements_are_believed_again(self):
        unannounced, more = Unannounced(), Row("event", 8, "t1", LATER)
        unannounced.topics({EVENT}, 10, {})
        unannounced.topics({EVENT}, 10 + latest.DOUBTED, {})
        now = 20 + latest.DOUBTED
        unannounced.topics({EVENT, more}, now, {"t1": now - 5})
        assert unannounced.topics({EVENT, more}, now + 10, {"t1": now - 5}) == []


@pytest.fixture
def process(transactional_db, monkeypatch):
    """A live process that gets no announcements, and looks often."""
    monkeypatch.setattr(app, "BETWEEN_LOOKS", 0.3)
    with live_process() as process:
        process.settle()
        live.changed.disconnect(dispatch_uid="wake the live pages")
        yield process


@pytest.mark.full
def test_an_unannounced_change_reaches_those_it_concerns(process):
    game = rivals_table(press="private", now=timezone.now())
    first, _second, third = in_order(game)
    elsewhere = open_table("Dora", "Emil", "Fritz", now=timezone.now())
    look_again(3)  # so that all of this has been sent
    users = [*(sitter(game, one) for one in in_order(game)), person("Gerd")]
    pages = {user: process.open(browser(user), game.token) for user in users}
    other = process.open(browser(User.objects.get(name="Dora")), elsewhere.token)
    whisper(game, first, third, now=timezone.now())
    in_it = {sitter(game, first), sitter(game, third)}
    wait_until(lambda: all("person" in pages[user].received for user in in_it))
    assert all(page.received == [] for user, page in pages.items() if user not in in_it)
    say(game)
    wait_until(lambda: all(game.token in page.received for page in pages.values()))
    assert other.received == []


def test_what_changes_before_the_first_look_reaches_pages_that_are_open(
    monkeypatch, transactional_db
):
    """The database fails it at first, and then lets pages be opened."""
    read = latest.read
    monkeypatch.setattr(app, "BETWEEN_LOOKS", 0.1)
    monkeypatch.setattr(latest, "read", refuses)
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    with live_process(is_heard=False) as process:
        live.changed.disconnect(dispatch_uid="wake the live pages")
        anna = process.open(browser(User.objects.get(name="Anna")), game.token)
        wait_until(lambda: anna.received == ["again"])
        say(game)
        monkeypatch.setattr(latest, "read", read)
        wait_until(lambda: anna.received == ["again", "again"])


def refuses() -> latest.Found:
    raise OperationalError("The database is full.")


def of_others(game: Game) -> list[tuple[str, str]]:
    """What is found for those whom the private life of two players is no business of."""
    first, second, third = in_order(game)
    names = {live.table_topic(game.pk): "table", live.person_topic(sitter(game, second).pk): "own"}
    secret = {live.person_topic(sitter(game, one).pk) for one in (first, third)}
    rows = sorted(latest.read())
    return [(kind, names[topic]) for kind, _pk, topic, _at in rows if topic not in secret]


@pytest.mark.full
def test_of_twin_games_that_differ_in_what_is_private_the_same_is_found(transactional_db):
    quiet = rivals_table(press="private", now=timezone.now())
    before = of_others(quiet)
    private_life(quiet)
    assert of_others(quiet) == before


@pytest.mark.full
def test_a_leaver_and_what_a_substitute_may_not_know_are_not_found(transactional_db):
    game = rivals_table(press="private", now=timezone.now())
    first, _second, third = in_order(game)
    leaver, substitute, now = sitter(game, third), person("Nils"), timezone.now()
    made = offers_privately(game, first, place_for(game), now=now)
    seats.step_aside(game_id=game.pk, user=leaver, now=now)
    seats.take_over(game_id=game.pk, user=substitute, number=third, now=now)
    found = {row.topic for row in latest.read()}
    assert live.person_topic(substitute.pk) not in found
    assert live.person_topic(leaver.pk) not in found
    replies_privately(game, third, made, Status.DECLINED, now=now + timedelta(minutes=1))
    found = {row.topic for row in latest.read()}
    assert live.person_topic(substitute.pk) in found
    assert live.person_topic(leaver.pk) not in found


def test_what_could_not_be_published_is_published_with_the_next_try(
    monkeypatch, settings, caplog, transactional_db
):
    """Though it is only this process that can't reach the broker."""
    monkeypatch.setattr(wake, "AFTER_TROUBLE", 0.1)
    address = urlsplit(site.CELERY_BROKER_URL)
    publisher = Publisher()
    with forwarded(address.hostname, address.port) as way, Redis.from_url(address.geturl()) as own:
        heard = own.pubsub()
        heard.subscribe(channel())
        settings.CELERY_BROKER_URL = address._replace(netloc=f"127.0.0.1:{way.port}").geturl()
        forget_broker()
        way.cut()
        with caplog.at_level(logging.WARNING):
            publisher.announce(["t1"])
            wait_until(lambda: "Can't wake the live pages" in caplog.text)
            publisher.announce(["t2"])
        way.mend()
        received: set[str] = set()

        def hear() -> bool:
            message = heard.get_message(ignore_subscribe_messages=True, timeout=1)
            received.update(decode(message["data"]) if message else ())
            return received == {"t1", "t2"}

        wait_until(hear)
        heard.close()
    forget_broker()


@pytest.mark.full
def test_a_move_that_is_announced_in_time_is_sent_once(transactional_db):
    """The look that finds it later knows."""
    with live_process() as process:
        game = open_table("Anna", "Boris", "Clara", now=timezone.now())
        process.settle()
        look_again(3)  # so that it has changed but once lately
        anna = process.open(browser(User.objects.get(name="Anna")), game.token)
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
        wait_until(lambda: anna.received == [game.token])
        look_again(3)
        process.settle()
        assert anna.received == [game.token]


def look_again(times: int) -> None:
    """Wait until the live process has looked so many times more."""
    looks, read = [], latest.read

    def look() -> latest.Found:
        found = read()
        looks.append(found)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(latest, "read", look)
        wait_until(lambda: len(looks) >= times)
