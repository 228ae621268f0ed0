"""The real web server, worker, beat and mail server play a game to its end."""

from collections import Counter
from contextlib import ExitStack
from datetime import timedelta
from email.message import Message
from mailbox import Maildir

import pytest
from django.conf import global_settings
from django.utils import timezone

from games.models import Cause, Event, Game, Move, OutboxEmail, Seat, Tick
from games.services.lobby import tables
from tests.operations.test_processes import CELERY
from tests.support.client import all_forms, as_shown, move_form, verified
from tests.support.hosted import PYTHON, Browser, is_up, production, running, web_server
from tests.support.patience import wait_until
from tests.support.races import assert_whole
from tests.support.servers import free_port
from tests.support.tables import open_table, seat_of, seats_to_move, table_settings

pytestmark = [pytest.mark.full, pytest.mark.slow]

MOVE_TIME = timedelta(seconds=8)
A_DAY_AGO = timedelta(hours=25)
LONG = timedelta(hours=20)
"""The time for a move at the table at which both reminders are due."""

AS_LONG_AS_TRUE = {"your_turn", "reminder", "last_reminder"}
"""Mails that a quick table may overtake: they are not sent once somebody has played."""


@pytest.fixture
def maildir(tmp_path):
    return tmp_path / "mail"


@pytest.fixture
def site(process_environment, collected, tmp_path, maildir):
    """Every process of a server in use, up and ticking; the port of its web server."""
    web_port, mail_port = free_port(), free_port()
    environment = process_environment | production(tmp_path, collected)
    environment |= {"SMTP_PORT": str(mail_port)}
    mailbox = f"-n -l 127.0.0.1:{mail_port} -c aiosmtpd.handlers.Mailbox"
    commands = {
        "mail": [PYTHON, "-m", "aiosmtpd", *mailbox.split(), str(maildir)],
        "worker": [*CELERY, "worker", "--concurrency", "2"],
        "beat": [*CELERY, "beat", "--pidfile", ""],
        "web": web_server(web_port),
    }
    with ExitStack() as processes:
        for name, command in commands.items():
            processes.enter_context(running(command, environment, tmp_path / f"{name}.log"))
        wait_until(lambda: Tick.objects.exists() and maildir.exists() and is_up(web_port))
        yield web_port


@pytest.fixture
def people(site, settings):
    """Three people for whom it is day, since at night some decisions wait for the morning."""
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    zone = "UTC" if 8 <= timezone.now().hour < 20 else "Pacific/Honolulu"
    return [verified(name, time_zone=zone) for name in ("Anna", "Boris", "Clara")]


@pytest.mark.django_db(transaction=True)
def test_one_moves_and_two_never_do_until_the_game_is_over(site, people, maildir):
    """At another table somebody is reminded twice."""
    anna = sign_in(Browser(site), "Anna")
    game = start_game(people)
    Seat.objects.filter(game=game, user__name="Boris").update(
        missed=[True], last_miss_at=timezone.now() - A_DAY_AGO
    )
    reminded = start_table_that_reminds()
    wait_until(lambda: is_over(game, anna))
    last = OutboxEmail.objects.filter(game=reminded.game, kind="last_reminder", status="sent")
    wait_until(last.exists)
    wait_until(lambda: not OutboxEmail.objects.filter(status__in=("ready", "sending")))

    assert_whole(game)
    assert game.deadline_at is None
    answers_of_anna = Move.objects.filter(cause=Cause.PLAYER)
    assert {move.user.name for move in answers_of_anna} == {"Anna"}
    assert_defaults_once_and_none_early(game)
    assert_sent_emails_arrived_once(list(Maildir(maildir)))
    assert_all_that_is_due_was_sent(game, reminded)
    assert_what_was_overtaken_was_true(game)


def sign_in(browser: Browser, name: str) -> Browser:
    """Sign in by the form, as everybody does."""
    page = browser.get("/accounts/login/")
    form = next(fields for _, fields in all_forms(page.text) if "password" in fields)
    filled = {"login": f"{name.lower()}@example.org", "password": "not so secret"}
    assert browser.post("/accounts/login/", as_shown(form) | filled).status == 302
    return browser


def start_game(people) -> Game:
    """A game of two rounds at the fastest table there can be."""
    host, *others = people
    settings = table_settings(
        size=3, move_time=MOVE_TIME, absent_player="courtier", options={"rounds": 2}
    )
    game = tables.open_table(host=host, settings=settings, now=timezone.now())
    for user in others:
        tables.join(game_id=game.pk, user=user, now=timezone.now())
    game.refresh_from_db()
    return game


def start_table_that_reminds() -> Seat:
    """A table where one reminder of the seat to move is due, and the other in seconds.

    As if the question had been asked hours ago.
    """
    names = "Dora", "Emil", "Fanny"
    game = open_table(*names, now=timezone.now(), move_time=LONG)
    [asked] = seats_to_move(game)
    asked.deadline_at = timezone.now() + timedelta(hours=2, seconds=5)
    asked.deadline_set_at = asked.deadline_at - LONG
    asked.remind_at = asked.deadline_set_at + 0.8 * LONG
    asked.save()
    Game.objects.filter(pk=game.pk).update(deadline_at=asked.deadline_at)
    return asked


def is_over(game: Game, anna: Browser) -> bool:
    """Look at the game once more; Anna moves as soon as it is her turn."""
    game.refresh_from_db()
    if any(seat == seat_of(game, "Anna") for seat in seats_to_move(game)):
        page = anna.get(game.get_absolute_url())
        assert page.status == 200
        form = move_form(page.text)
        if form is not None:
            filled = as_shown(form) | {"reviewed": "yes"}
            handed_in = anna.post(f"{game.get_absolute_url()}move/", filled)
            assert handed_in.status in {302, 409}  # 409: the clock was quicker
    return game.status == Game.Status.FINISHED


def assert_defaults_once_and_none_early(game: Game) -> None:
    """The full time after the stage opened, and a quarter of it after a turn came."""
    defaults = Move.objects.filter(game=game, cause=Cause.CLOCK)
    assert {move.seat.user.name for move in defaults} >= {"Boris", "Clara"}
    for move in defaults:
        opened = Event.objects.get(game=game, kind="StageOpened", phase_no=move.phase_no)
        asked = OutboxEmail.objects.get(
            kind="your_turn", phase_no=move.phase_no, person=move.seat.user
        )
        assert move.at >= opened.at + MOVE_TIME
        assert move.at >= asked.created_at + MOVE_TIME / 4
    asked = Move.objects.filter(game=game).values_list("phase_no", "seat")
    assert len(set(asked)) == len(asked)


def assert_sent_emails_arrived_once(emails: list[Message]) -> None:
    """The mail server was given what the database says was sent, and nothing twice."""
    sent = OutboxEmail.objects.filter(status=OutboxEmail.Status.SENT)
    ids = Counter(mail["Message-ID"] for mail in emails)
    assert ids == Counter(set(sent.values_list("message_id", flat=True)))


def assert_all_that_is_due_was_sent(game: Game, reminded: Seat) -> None:
    """Every email that stays true, of every kind that these tables have, and no other."""
    due = Counter(("game_over", seat.user_id, game.phase_no) for seat in game.seats.all())
    for seat in (*game.seats.all(), *reminded.game.seats.all()):
        due["game_started", seat.user_id, 0] += 1
    for move in Move.objects.filter(game=game, cause=Cause.CLOCK):
        due["default_played", move.seat.user_id, move.phase_no] += 1
    absent = Event.objects.get(game=game, kind="SeatAbsent", cause=Cause.CLOCK)
    boris = seat_of(game, "Boris")
    assert absent.payload == {"seat": boris.number}
    due["marked_absent", boris.user_id, absent.phase_no] += 1
    for kind in ("your_turn", "reminder", "last_reminder"):
        due[kind, reminded.user_id, reminded.to_move_phase] += 1
    written = OutboxEmail.objects.exclude(game=game, kind__in=AS_LONG_AS_TRUE)
    assert Counter(written.values_list("kind", "person", "phase_no")) == due
    assert set(written.values_list("status", flat=True)) == {OutboxEmail.Status.SENT}


def assert_what_was_overtaken_was_true(game: Game) -> None:
    """At the quick table: one "your turn" for each wait, at most one reminder; some were sent."""
    waits = Move.objects.filter(game=game, cause=Cause.CLOCK)
    waited = Counter(waits.values_list("phase_no", "seat__user"))
    played = Move.objects.filter(game=game, cause__in=(Cause.CLOCK, Cause.PLAYER))
    asked = Counter(played.values_list("phase_no", "seat__user"))
    emails = OutboxEmail.objects.filter(game=game)
    turns = Counter(emails.filter(kind="your_turn").values_list("phase_no", "person"))
    reminders = Counter(emails.filter(kind="last_reminder").values_list("phase_no", "person"))
    assert waited <= turns <= asked
    assert reminders <= turns
    for kind in AS_LONG_AS_TRUE:
        assert set(emails.filter(kind=kind).values_list("status", flat=True)) <= {"sent", "dropped"}
    assert emails.filter(kind="your_turn", status="sent").exists()
