"""Whoever takes over a seat belongs to its conversations from then on, and the leaver to none."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.test import TestCase
from django.urls import reverse

from games.engine.ledger import Status
from games.engine.promises import Promise, SendNobody
from games.models import Game, OutboxEmail, PrivateMessage, Thread, User
from games.services import live
from games.services.chat import thread_queries
from games.services.chat.messages import edit
from games.services.chat.promises import reply_to_offer
from games.services.chat.queries import unread_counts
from games.services.email import delivery
from games.services.game import seats as game_seats
from games.services.game.position import read_position
from games.services.game.queries.promise_ledger import read_ledger
from games.services.game.records import game_record
from games.services.refused import Refused
from tests.support.client import browser, person
from tests.support.promising import (
    TEN,
    bribed,
    bribing_table,
    in_order,
    moves,
    place_for,
    placed,
    sitter,
)
from tests.support.tables import MONDAY
from tests.support.whispering import (
    entry_of,
    offers_privately,
    page_of,
    replies_privately,
    thread_of,
    whisper,
)

pytestmark = pytest.mark.django_db

LATER = MONDAY + timedelta(hours=1)


@pytest.fixture
def game() -> Game:
    return bribing_table(press="private")


@contextmanager
def topics() -> Iterator[list[str]]:
    heard: list[str] = []

    def hear(topics: list[str], **_signal: object) -> None:
        heard.extend(topics)

    live.changed.connect(hear)
    try:
        with TestCase.captureOnCommitCallbacks(execute=True):
            yield heard
    finally:
        live.changed.disconnect(hear)


def replaced(game: Game, seat: int, now=MONDAY) -> tuple[User, User]:
    """Who leaves a seat, and who takes it over."""
    leaver, substitute = sitter(game, seat), person("Nils")
    game_seats.step_aside(game_id=game.pk, user=leaver, now=now)
    game_seats.take_over(game_id=game.pk, user=substitute, number=seat, now=now)
    game.refresh_from_db()
    OutboxEmail.objects.all().delete()
    return leaver, substitute


def told_privately() -> set[str]:
    rows = OutboxEmail.objects.filter(kind="private_message")
    return set(rows.values_list("person__name", flat=True))


@pytest.mark.full
@pytest.mark.parametrize("given", [Status.ACCEPTED, Status.DECLINED, Status.WITHDRAWN])
@pytest.mark.parametrize("who", ["leaves", "stays"])
def test_a_reply_is_told_to_the_substitute_and_not_to_the_leaver(game, given, who):
    other, owner, _third = in_order(game)
    by, to = (owner, other) if who == "leaves" else (other, owner)
    terms = Promise(by, to, SendNobody(None, 2))
    made = offers_privately(game, by, terms, text="Between us.")
    leaver, substitute = replaced(game, owner)
    with topics() as heard:
        replies_privately(game, by if given is Status.WITHDRAWN else to, made, given, now=LATER)
    assert entry_of(made).status is given
    both = {live.person_topic(one.pk) for one in (sitter(game, other), substitute)}
    assert set(heard) == both
    assert leaver.name not in told_privately()
    page = thread_queries.read_thread(game, made.thread, substitute, "UTC")
    assert [line.text for line in page.lines] == [""]  # the reply, and no earlier word
    seen = thread_queries.read_thread(game, made.thread, leaver, "UTC")
    assert seen.lines == []  # said at the moment when they left


def test_the_substitute_is_emailed_the_reply_to_an_offer_of_the_seat(game):
    other, owner, _third = in_order(game)
    made = offers_privately(game, owner, place_for(game))
    replaced(game, owner)
    replies_privately(game, other, made, now=LATER)
    assert told_privately() == {"Nils"}
    assert unread_counts(User.objects.get(name="Nils")) == {game.pk: 1}


@pytest.mark.full
def test_the_substitute_is_emailed_that_a_promise_to_the_seat_was_broken(game, smtp):
    other, owner, _third = in_order(game)
    made = offers_privately(game, owner, place_for(game))
    replies_privately(game, other, made)
    moves(game, bribed(game))
    _leaver, substitute = replaced(game, other, LATER)
    moves(game, placed(game, 3000, TEN), now=LATER + timedelta(minutes=1))
    assert entry_of(made).verdict.value == "broken"
    delivery.drain(now=LATER + timedelta(minutes=10))
    told = [
        one["To"]
        for one in smtp.messages
        if "broke that promise" in one.get_body(("plain",)).get_content()
    ]
    assert told == [substitute.email]


@pytest.mark.full
def test_what_others_promised_each_other_before_stays_unknown_whatever_becomes_of_it(game):
    """In pages, lists, counts, email, live pages and the record; who was there is told."""
    other, owner, third = in_order(game)
    thread = thread_of(game, owner, other, third)
    made = offers_privately(game, owner, place_for(game), among=thread.token, text="We three.")
    leaver, substitute = replaced(game, third)
    with topics() as heard:
        replies_privately(game, other, made, now=LATER)
        moves(game, bribed(game), now=LATER)
        moves(game, placed(game, 3000, TEN), now=LATER)
    assert entry_of(made).verdict.value == "broken"
    private = {topic for topic in heard if topic.startswith("p")}
    assert private == {live.person_topic(sitter(game, one).pk) for one in (owner, other)}
    assert read_position(game, substitute).known == ()
    assert len(read_position(game, sitter(game, owner)).known) == 1
    assert read_ledger(game, substitute).settled == []
    assert thread_queries.threads_at(game, substitute) == []
    assert thread_queries.own_threads(game, substitute) == []
    assert unread_counts(substitute) == {}
    assert not told_privately() & {substitute.name, leaver.name}
    read = browser(substitute).get(page_of(thread)).content.decode()
    assert 'id="message-' not in read
    assert thread.token not in read.partition("<main")[2].partition("</main>")[0]
    for number in PrivateMessage.objects.values_list("number", flat=True):
        report = reverse("games:report_private", args=[game.token, thread.token, number])
        assert browser(substitute).get(report).status_code == 404
    with pytest.raises(Refused, match="undone"):
        reply_to_offer(
            game_id=game.pk, user=substitute, made_at=made.number, given=Status.ACCEPTED,
            now=LATER, among=thread.token,
        )  # fmt: skip
    Game.objects.filter(pk=game.pk).update(status="finished", deadline_at=None)
    game.refresh_from_db()
    assert "promises" not in game_record(game, substitute)
    assert [one["type"] for one in game_record(game, sitter(game, owner))["promises"]] == [
        *("offer", "accept")
    ]


@pytest.mark.full
def test_a_leaver_reports_nothing_that_was_said_after_leaving(game):
    other, owner, _third = in_order(game)
    first = whisper(game, other, owner, text="Early")
    made = offers_privately(game, owner, place_for(game), text="Then")
    leaver, _substitute = replaced(game, owner, LATER)
    replies_privately(game, other, made, now=LATER + timedelta(minutes=1))
    last = PrivateMessage.objects.latest("pk")
    answers = [
        browser(leaver).get(reverse("games:report_private", args=[game.token, token, number]))
        for token, number in (
            (first.thread.token, first.number),
            (last.thread.token, last.number),
        )
    ]
    assert [one.status_code for one in answers] == [200, 404]


def test_an_edited_word_from_before_moves_no_page_of_the_substitute(game):
    other, owner, _third = in_order(game)
    said = whisper(game, other, owner, text="Early")
    _leaver, substitute = replaced(game, owner)
    with topics() as heard:
        edit(message=said, user=sitter(game, other), text="Earlier", now=MONDAY)
    assert heard == [live.person_topic(sitter(game, other).pk)]
    assert thread_queries.threads_at(game, substitute) == []


@pytest.mark.full
def test_who_comes_back_to_an_absent_seat_talks_on(game):
    other, owner, _third = in_order(game)
    whisper(game, other, owner)
    user = sitter(game, owner)
    game_seats.step_aside(game_id=game.pk, user=user, now=MONDAY)
    game_seats.come_back(game_id=game.pk, user=user, now=LATER)
    whisper(game, owner, other, now=LATER)
    assert Thread.objects.get().length == 2


def test_a_leaver_edits_nothing_that_was_said_privately(game):
    other, owner, _third = in_order(game)
    said = whisper(game, owner, other, text="Yours")
    leaver, _substitute = replaced(game, owner)
    with pytest.raises(Refused, match="Only the author"):
        edit(message=said, user=leaver, text="Not mine any more", now=MONDAY)
    said.refresh_from_db()
    assert said.text == "Yours"
