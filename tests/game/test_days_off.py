"""Days off that are taken back give nobody time (days 10)."""

from datetime import date, timedelta

import pytest

from games.models import Cause, DaysOff, Game, User
from games.services.game import moved_deadlines, seats
from games.services.game.writer import Writer
from tests.support.promising import both_to, in_order, moves, sitter
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
BOTH = date(2026, 3, 3), date(2026, 3, 9)


def bribing_after_days_off() -> tuple[Game, User, int]:
    """The second of two who bribe has announced a week off; bribing opened at MONDAY + 1 h."""
    game = open_table("Anna", "Boris", "Clara")
    first, second, third = in_order(game)
    moves(game, both_to(game, first, third))
    boris = sitter(game, second)
    announce(game, boris, *BOTH)
    game.refresh_from_db()
    moves(game, both_to(game, second, third), now=MONDAY + HOUR)
    assert [seat.drawn_number for seat in seats_to_move(game)] == [first]
    return game, boris, second


def announce(game: Game, user: User, first: date, last: date) -> None:
    seats.announce_days_off(game_id=game.pk, user=user, first_day=first, last_day=last, now=MONDAY)


def take_back(game: Game, user: User, now) -> None:
    off = DaysOff.objects.get(seat__game=game, seat__user=user)
    seats.withdraw_days_off(game_id=game.pk, user=user, days_off_id=off.pk, now=now)


def left(game: Game, user: User) -> int:
    return game.seats.get(user=user).days_off_left


def deadline(game: Game, user: User):
    game.refresh_from_db()
    return game.seats.get(user=user).deadline_at


def test_they_count_no_more_for_the_deadline_that_comes_later_in_the_phase():
    game, boris, _second = bribing_after_days_off()
    take_back(game, boris, MONDAY + 2 * HOUR)
    assert left(game, boris) == 7
    moves(game, None, now=MONDAY + 3 * HOUR)
    assert deadline(game, boris) == MONDAY + HOUR + DAY
    assert not game.events.filter(kind="DeadlineMoved").exists()


def test_what_else_has_moved_that_deadline_stays():
    game, boris, _second = bribing_after_days_off()
    writer = Writer(Game.objects.get(pk=game.pk), MONDAY + HOUR)
    moved_deadlines.extend(writer, 5 * HOUR, Cause.TABLE)
    writer.commit()
    take_back(game, boris, MONDAY + 2 * HOUR)
    moves(game, None, now=MONDAY + 3 * HOUR)
    assert deadline(game, boris) == MONDAY + HOUR + DAY + 5 * HOUR


def test_days_that_a_deadline_was_given_stay_spent_when_they_are_taken_back():
    game, boris, _second = bribing_after_days_off()
    moves(game, None, now=MONDAY + 3 * HOUR)
    assert deadline(game, boris) == MONDAY + HOUR + 8 * DAY
    moves(game, None, now=MONDAY + 4 * HOUR)
    assert deadline(game, boris) is None
    take_back(game, boris, MONDAY + 5 * HOUR)
    assert left(game, boris) == 0
    assert not DaysOff.objects.exists()


def test_of_days_that_a_deadline_does_not_reach_the_budget_gets_all_back():
    game = open_table("Anna", "Boris", "Clara")
    first, _second, third = in_order(game)
    anna = sitter(game, first)
    announce(game, anna, date(2026, 3, 20), date(2026, 3, 22))
    moves(game, both_to(game, first, third))
    take_back(game, anna, MONDAY + HOUR)
    assert left(game, anna) == 7
