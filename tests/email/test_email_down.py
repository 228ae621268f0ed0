"""Email is down: nobody misses what they were never told (days 11)."""

import socket
from datetime import datetime, timedelta
from functools import partial

import pytest

from games.models import (
    Cause,
    EmailOutage,
    Game,
    Miss,
    OutboxEmail,
    Seat,
    User,
    Vote,
)  # fmt: skip
from games.services import outbox
from games.services.email import delivery
from games.services.game import interventions, votes
from games.services.game.votes import Proposal
from games.services.game.writer import Writer
from games.services.operations import clock
from tests.support.client import person
from tests.support.mail_servers import OK, Choosy, choosy_server, with_options
from tests.support.races import at_once
from tests.support.tables import (
    DAY,
    MONDAY,
    leave,
    open_table,
    seat_of,
    seats_to_move,
    tick,
)  # fmt: skip

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
LATER = "451 4.3.0 Try again later"
NAMES = ("anna", "boris", "clara")


@pytest.fixture
def inbox(settings):
    with choosy_server(settings) as inbox:
        yield inbox


@pytest.fixture
def silent():
    """A port at which somebody listens, and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def sweep(now: datetime) -> None:
    tick(now)
    clock.sweep(now=now)


def moved(game: Game) -> list[tuple[str, str, str]]:
    """What moved deadlines at a table: why, from when and to when."""
    payloads = game.events.filter(kind="DeadlineMoved").order_by("seq").values_list("payload")
    return [(one["why"], one["before"], one["after"]) for (one,) in payloads]


def by_email(before: datetime, after: datetime) -> tuple[str, str, str]:
    return "email", before.isoformat(), after.isoformat()


def the_asked(game: Game) -> Seat:
    [seat] = seats_to_move(game)
    return seat


def is_down() -> bool:
    return EmailOutage.objects.filter(until=None).exists()


@pytest.mark.full
def test_whoever_was_asked_meanwhile_has_a_quarter_of_their_time_when_it_is_back(inbox):
    inbox.to_sender = LATER
    game = open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY + MINUTE)
    assert EmailOutage.objects.get().since == MONDAY
    sweep(MONDAY + 12 * HOUR)
    inbox.to_sender = OK
    back = MONDAY + 20 * HOUR  # at five in the morning: what is left of the night is skipped
    delivery.drain(now=back)
    sweep(back + MINUTE)
    after = MONDAY + 28 * HOUR
    assert the_asked(game).deadline_at == after
    assert moved(game) == [by_email(MONDAY + DAY, after)]
    game.refresh_from_db()
    assert game.deadline_at == after
    assert not EmailOutage.objects.exists()
    sweep(after)
    assert game.moves.get().cause == Cause.CLOCK
    assert not Miss.objects.exists()


@pytest.mark.full
def test_who_has_more_time_than_that_keeps_their_deadline_and_can_miss_it(inbox):
    inbox.to_sender = LATER
    game = open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY + MINUTE)
    inbox.to_sender = OK
    delivery.drain(now=MONDAY + 2 * HOUR)
    sweep(MONDAY + 3 * HOUR)
    assert moved(game) == []
    assert not EmailOutage.objects.exists()
    sweep(MONDAY + DAY)
    assert Miss.objects.count() == 1


@pytest.mark.full
def test_a_deadline_that_comes_meanwhile_is_put_off_by_one_answering_time_at_most(inbox):
    game = open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY)
    assert inbox.messages  # told in time, and put off all the same
    inbox.to_sender = LATER
    open_table("Dora", "Emil", "Fanny", now=MONDAY + 23 * HOUR)
    delivery.drain(now=MONDAY + 23 * HOUR)
    deadlines = []
    for halves in range(46, 100):
        sweep(MONDAY + halves * HOUR / 2)
        if game.moves.exists():
            break
        deadlines.append(the_asked(game).deadline_at)
    assert sorted(set(deadlines)) == [MONDAY + DAY + quarters * 6 * HOUR for quarters in range(5)]
    assert game.moves.get().at == MONDAY + 2 * DAY
    assert [why for why, *_ in moved(game)] == ["email"] * 4
    assert not Miss.objects.exists()


@pytest.mark.full
def test_what_was_put_off_once_goes_on_when_email_is_back(inbox):
    game = open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY)
    inbox.to_sender = LATER
    open_table("Dora", "Emil", "Fanny", now=MONDAY + 23 * HOUR)
    delivery.drain(now=MONDAY + 23 * HOUR)
    sweep(MONDAY + DAY)
    inbox.to_sender = OK
    delivery.drain(now=MONDAY + 25 * HOUR)
    sweep(MONDAY + 30 * HOUR - MINUTE)
    assert not game.moves.exists()
    sweep(MONDAY + 30 * HOUR)
    assert game.moves.get().cause == Cause.CLOCK


@pytest.mark.full
@pytest.mark.counts
def test_two_workers_put_a_deadline_off_once(transactional_db, inbox):
    inbox.to_sender = LATER
    game = open_table("Anna", "Boris", "Clara")
    at_once(*(partial(delivery.drain, now=MONDAY + MINUTE) for _ in range(2)))
    assert EmailOutage.objects.count() == 1
    tick(MONDAY + DAY)
    at_once(*(partial(clock.sweep, now=MONDAY + DAY) for _ in range(3)))
    assert moved(game) == [by_email(MONDAY + DAY, MONDAY + 30 * HOUR)]
    inbox.to_sender = OK
    back = MONDAY + 26 * HOUR
    at_once(*(partial(delivery.drain, now=back) for _ in range(2)))
    tick(back)
    at_once(*(partial(clock.sweep, now=back) for _ in range(3)))
    assert moved(game)[1:] == [by_email(MONDAY + 30 * HOUR, MONDAY + 32 * HOUR)]


def nobody_is_let_in(inbox: Choosy, settings, silent) -> None:
    settings.MAILERS = with_options(settings.MAILERS, username="intrigue", password="pssst")


def it_hangs(inbox: Choosy, settings, silent) -> None:
    settings.MAILERS = with_options(settings.MAILERS, port=silent, timeout=0.2)


def everybody_is_put_off(inbox: Choosy, settings, silent) -> None:
    inbox.to_recipient = {f"{name}@example.org": "452 4.3.1 Disk full" for name in NAMES}


def every_email_is_refused(inbox: Choosy, settings, silent) -> None:
    inbox.to_mail = {f"{name}@example.org": "554 5.7.1 Not from here" for name in NAMES}


@pytest.mark.full
@pytest.mark.parametrize(
    "fails", [nobody_is_let_in, it_hangs, everybody_is_put_off, every_email_is_refused]
)
def test_it_is_down_while_the_mail_server_takes_nothing_for_anybody(fails, inbox, settings, silent):
    works = settings.MAILERS
    fails(inbox, settings, silent)
    game = open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY + MINUTE)
    sweep(MONDAY + 10 * MINUTE)
    assert is_down()
    sweep(MONDAY + DAY)
    assert the_asked(game).deadline_at == MONDAY + 30 * HOUR
    settings.MAILERS, inbox.to_recipient, inbox.to_mail = works, {}, {}
    open_table("Dora", "Emil", "Fanny", now=MONDAY + 27 * HOUR)
    delivery.drain(now=MONDAY + 27 * HOUR)
    sweep(MONDAY + 27 * HOUR)
    assert not is_down()
    assert the_asked(game).deadline_at == MONDAY + 33 * HOUR


@pytest.mark.full
@pytest.mark.parametrize("answer", ["452 4.2.2 Mailbox full", "550 5.1.1 No such user", "554 No"])
def test_what_one_recipients_server_answers_is_no_outage(inbox, answer):
    game = open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY)
    asked = the_asked(game).user
    inbox.to_recipient = {asked.email: answer}
    OutboxEmail.objects.filter(person=asked, kind="your_turn").update(
        status="ready", message_id="", not_before=MONDAY + HOUR, created_at=MONDAY + HOUR
    )
    delivery.drain(now=MONDAY + HOUR)
    sweep(MONDAY + 2 * HOUR)
    assert not EmailOutage.objects.exists()
    sweep(MONDAY + DAY)
    assert game.moves.get().cause == Cause.CLOCK


@pytest.mark.full
def test_two_people_whose_mailboxes_were_full_before_are_no_outage(inbox):
    inbox.to_recipient = {f"{name}@example.org": "452 4.2.2 Full" for name in ("anna", "boris")}
    open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY)
    assert inbox.messages
    for minutes in (1, 6, 21, 36):
        delivery.drain(now=MONDAY + minutes * MINUTE)
    sweep(MONDAY + HOUR)
    assert not EmailOutage.objects.exists()


def test_it_is_down_when_nothing_that_was_ready_has_left_for_five_minutes(inbox):
    delivery.drain(now=MONDAY - HOUR)  # since then, nobody has looked for email
    game = open_table("Anna", "Boris", "Clara")
    sweep(MONDAY + 5 * MINUTE - MINUTE)
    assert not is_down()
    sweep(MONDAY + 5 * MINUTE)
    assert EmailOutage.objects.get().since == MONDAY
    sweep(MONDAY + DAY)
    assert moved(game) == [by_email(MONDAY + DAY, MONDAY + 30 * HOUR)]


def in_the_digest() -> None:
    User.objects.update(digest_emails=["your_turn", "game_started"], digest_hour=8)


def in_quiet_hours() -> None:
    User.objects.update(quiet_from=9, quiet_until=17)


def unwanted() -> None:
    User.objects.update(unwanted_emails=["your_turn", "game_started"])


@pytest.mark.parametrize("waits", [in_the_digest, in_quiet_hours, unwanted])
def test_what_waits_for_its_hour_or_never_leaves_is_no_outage(inbox, waits):
    delivery.drain(now=MONDAY - HOUR)
    open_table("Anna", "Boris", "Clara", move_time=3 * DAY)
    waits()
    sweep(MONDAY + HOUR)
    assert not EmailOutage.objects.exists()


def test_where_nobody_ever_looks_for_email_the_game_goes_on(db):
    game = open_table("Anna", "Boris", "Clara")
    sweep(MONDAY + HOUR)
    sweep(MONDAY + DAY)
    assert game.moves.get().cause == Cause.CLOCK


@pytest.mark.full
@pytest.mark.parametrize("kind", ["dummy", "locmem", "console", "filebased"])
def test_a_mailer_that_sends_nothing_to_anybody_holds_nobody_up(settings, kind, tmp_path):
    options = {"file_path": str(tmp_path)} if kind == "filebased" else {}
    backend = f"django.core.mail.backends.{kind}.EmailBackend"
    settings.MAILERS = {"default": {"BACKEND": backend, "OPTIONS": options}}
    game = open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY)
    sweep(MONDAY + HOUR)
    sweep(MONDAY + DAY)
    assert game.moves.get().cause == Cause.CLOCK


@pytest.mark.full
def test_email_that_was_down_while_the_game_is_paused_is_made_up_for_afterwards(inbox):
    inbox.to_sender = LATER
    game = open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY + MINUTE)
    pause(game, MONDAY + 23 * HOUR)
    inbox.to_sender = OK
    open_table("Dora", "Emil", "Fanny", now=MONDAY + 2 * DAY)
    delivery.drain(now=MONDAY + 2 * DAY)
    sweep(MONDAY + 2 * DAY)
    resumed = MONDAY + 4 * DAY
    writer = locked(game, resumed)
    interventions.resume(writer, Cause.MODERATOR)
    writer.go_on()
    writer.commit()
    assert the_asked(game).deadline_at == resumed + HOUR
    delivery.drain(now=resumed)
    sweep(resumed + MINUTE)
    assert the_asked(game).deadline_at == resumed + 6 * HOUR
    assert not EmailOutage.objects.exists()


def locked(game: Game, now: datetime) -> Writer:
    return Writer(Game.objects.get(pk=game.pk), now)


def pause(game: Game, now: datetime) -> None:
    writer = locked(game, now)
    interventions.pause(writer, None, Cause.MODERATOR)
    writer.commit()


@pytest.mark.full
def test_with_an_outage_of_the_clock_the_later_one_counts_and_not_the_sum(inbox):
    inbox.to_sender = LATER
    game = open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY + MINUTE)
    sweep(MONDAY + 20 * HOUR)
    clock.sweep(now=MONDAY + 32 * HOUR)  # it stood still for 12 h
    first = MONDAY + 44 * HOUR
    assert [why for why, *_ in moved(game)] == ["outage"]
    assert the_asked(game).deadline_at == first
    sweep(first)
    assert the_asked(game).deadline_at == MONDAY + 2 * DAY  # 24 h in all
    inbox.to_sender = OK
    delivery.drain(now=first + HOUR)
    sweep(first + HOUR)
    assert the_asked(game).deadline_at == MONDAY + 52 * HOUR  # from seven in the morning


@pytest.mark.full
def test_whoever_wants_no_email_has_that_time_too(inbox):
    """It says nothing about a person, so it depends on none."""
    inbox.to_sender = LATER
    open_table("Dora", "Emil", "Fanny", now=MONDAY - MINUTE)
    delivery.drain(now=MONDAY - MINUTE)
    game = open_table("Anna", "Boris", "Clara")
    User.objects.update(unwanted_emails=["your_turn", "game_started"])
    inbox.to_sender = OK
    back = MONDAY + 22 * HOUR
    outbox.enqueue("talk_ends", person=person("Gerda"), now=back)
    delivery.drain(now=back)
    sweep(back)
    assert the_asked(game).deadline_at == back + 6 * HOUR


@pytest.mark.full
def test_a_vote_that_counts_silence_stays_open_and_then_lasts_a_quarter_longer(inbox):
    inbox.to_sender = LATER
    game = open_table("Anna", "Boris", "Clara")
    leave(game, "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    vote = votes.call_vote(game_id=game.pk, user=anna, proposal=Proposal(Vote.Kind.END), now=MONDAY)
    delivery.drain(now=MONDAY + 2 * MINUTE)
    for hours in (24, 25, 30):
        sweep(MONDAY + hours * HOUR)
        vote.refresh_from_db()
        assert vote.closed_at is None
    inbox.to_sender = OK
    back = MONDAY + 31 * HOUR
    delivery.drain(now=back)
    sweep(back)
    vote.refresh_from_db()
    assert (vote.closed_at, vote.closes_at) == (None, back + 6 * HOUR)
    sweep(back + 6 * HOUR)
    game.refresh_from_db()
    assert game.status == Game.Status.CANCELLED
    sweep(back + 6 * HOUR + MINUTE)
    assert not EmailOutage.objects.exists()


@pytest.mark.full
def test_a_vote_of_which_everybody_was_told_closes_as_soon_as_email_is_back(inbox):
    game = open_table("Anna", "Boris", "Clara")
    leave(game, "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    votes.call_vote(game_id=game.pk, user=anna, proposal=Proposal(Vote.Kind.END), now=MONDAY)
    delivery.drain(now=MONDAY + 2 * MINUTE)
    inbox.to_sender = LATER
    open_table("Dora", "Emil", "Fanny", now=MONDAY + 23 * HOUR)
    delivery.drain(now=MONDAY + 23 * HOUR)
    sweep(MONDAY + DAY)
    inbox.to_sender = OK
    delivery.drain(now=MONDAY + 25 * HOUR)
    sweep(MONDAY + 25 * HOUR)
    game.refresh_from_db()
    assert game.status == Game.Status.CANCELLED
