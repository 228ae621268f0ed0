"""The clock: defaults once, reminders once, a failing game parked, others untouched."""

import logging
from datetime import timedelta

import pytest

from games.engine import decode
from games.models import Game, Move, OutboxMail, Seat
from games.services import clock
from tests.tables import DAY, MONDAY, answer, awaited_seats, open_table
from tests.web import person

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def mails(kind, **more):
    return OutboxMail.objects.filter(kind=kind, **more).count()


def test_nothing_is_played_before_the_deadline():
    open_table("Anna", "Boris", "Clara")
    assert clock.sweep(now=MONDAY + DAY - MINUTE) == 0
    assert Move.objects.count() == 0


def test_two_sweeps_play_a_default_once():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = awaited_seats(game)
    assert clock.sweep(now=MONDAY + DAY) == 1
    assert clock.sweep(now=MONDAY + DAY) == 0
    assert list(Move.objects.values_list("seat", "cause")) == [(seat.pk, "clock")]
    assert mails("default_played", person=seat.user) == 1


def test_the_reminder_comes_once_at_80_percent_of_the_time():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = awaited_seats(game)
    clock.sweep(now=MONDAY + 0.8 * DAY - MINUTE)
    assert mails("reminder") == 0
    clock.sweep(now=MONDAY + 0.8 * DAY)
    clock.sweep(now=MONDAY + 0.9 * DAY)
    assert mails("reminder") == mails("reminder", person=seat.user) == 1


def test_nobody_is_reminded_of_what_was_answered():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = awaited_seats(game)
    answer(game, seat.user, MONDAY + DAY / 2)
    clock.sweep(now=MONDAY + 0.8 * DAY)
    assert mails("reminder") == 0


def test_the_clock_plays_a_game_to_its_end_when_nobody_answers():
    game = open_table("Anna", "Boris", "Clara")
    now = MONDAY
    while game.status == Game.Status.RUNNING:
        now = game.deadline_at
        assert clock.sweep(now=now) == 1
        game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    assert set(Move.objects.values_list("cause", flat=True)) == {"clock"}
    assert game.deadline_at is None
    assert not Seat.objects.exclude(deadline_at=None, remind_at=None).exists()
    assert mails("game_over") == 3


def test_a_game_that_cannot_be_advanced_is_retried_then_parked_and_stops_no_other(caplog):
    broken = open_table("Anna", "Boris", "Clara")
    state = broken.state | {"stage": "no such stage"}
    Game.objects.filter(pk=broken.pk).update(state=state)
    sound = open_table("Dora", "Emil", "Fanny")
    moderator = person("Marta", is_staff=True)
    caplog.set_level(logging.CRITICAL)

    now = MONDAY + DAY
    clock.sweep(now=now)
    broken.refresh_from_db()
    assert (broken.attempts, broken.retry_at, broken.parked_at) == (1, now + MINUTE, None)
    assert sound.moves.count() == 1
    for wait in (1, 5, 30):
        assert clock.sweep(now=now) == 0
        now += wait * MINUTE
        clock.sweep(now=now)
    broken.refresh_from_db()
    assert broken.parked_at == now
    assert broken.deadline_at is None
    assert "ValueError" in broken.error
    assert mails("game_parked", person=moderator) == mails("game_parked") == 1
    assert broken.moves.count() == 0


def test_in_simultaneous_bribing_all_who_are_late_get_their_default():
    game = open_table("Anna", "Boris", "Clara", "Dora", options={"bribing": "simultaneous"})
    for _ in range(100):
        game.refresh_from_db()
        if len(awaited_seats(game)) > 1:
            break
        answer(game, awaited_seats(game)[0].user, MONDAY)
    late = [seat.pk for seat in awaited_seats(game)]
    assert len(late) > 1
    phase = game.phase_no
    assert clock.sweep(now=game.deadline_at) == len(late)
    played = Move.objects.filter(phase_no=phase, cause="clock").values_list("seat", flat=True)
    assert sorted(played) == sorted(late)
    assert decode(Game.objects.get().state).sealed == ()
