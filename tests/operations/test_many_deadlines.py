"""Many deadlines at once: all workers advance the games that are due, each once."""

from datetime import timedelta
from functools import partial

import pytest

from games.models import Event, Game, OutboxEmail, Seat, database_now
from games.services.operations import clock, shifts
from games.services.operations.clock import GAMES_OF_A_HELPER, GAMES_PER_HELPER
from tests.support.races import at_once
from tests.support.sites import nadja_acts
from tests.support.tables import alone, tick

pytestmark = [pytest.mark.full, pytest.mark.counts]

MINUTE = timedelta(minutes=1)
MANY = 2 * GAMES_OF_A_HELPER + 1


@pytest.fixture
def due(transactional_db):
    """Copies of a game whose deadline has just passed, too many for two helpers."""
    game, now = alone(), database_now()
    Game.objects.update(deadline_at=now - MINUTE)
    game.seats.filter(deadline_at__isnull=False).update(deadline_at=now - MINUTE)
    game.refresh_from_db()
    games = Game.objects.bulk_create(
        copy_of(game, token=f"copy-{number}") for number in range(MANY - 1)
    )
    for model, rows in ((Seat, list(game.seats.all())), (Event, list(game.events.all()))):
        model.objects.bulk_create(copy_of(row, game=copy) for copy in games for row in rows)
    tick(now)


def copy_of(row, **changes):
    """A row that isn't saved yet, like this one but for these columns."""
    columns = [field.name for field in row._meta.concrete_fields if not field.unique]
    return type(row)(**{name: getattr(row, name) for name in columns} | changes)


def defaults():
    """How many defaults were played in each of the games."""
    return [game.moves.filter(cause="clock").count() for game in Game.objects.order_by("pk")]


def test_a_sweep_calls_as_many_helpers_as_there_is_work_for(due):
    called = []
    shifts.sweep(called.append)
    assert len(called) == MANY // GAMES_PER_HELPER == 5
    assert all(timedelta() < until - database_now() <= MINUTE / 12 for until in called)
    assert defaults() == [1] * MANY


def test_a_helper_advances_fifty_games_at_a_time_and_returns_whether_there_are_more(due):
    until = database_now() + MINUTE
    assert shifts.help_out(until)
    assert sum(defaults()) == GAMES_OF_A_HELPER == 50
    assert shifts.help_out(until)
    assert not shifts.help_out(until)
    assert defaults() == [1] * MANY


def test_a_helper_also_writes_reminders_each_once(due):
    now = database_now()
    Game.objects.update(deadline_at=now + MINUTE)
    Seat.objects.exclude(deadline_at=None).update(deadline_at=now + MINUTE, remind_at=now)
    helper = partial(clock.help_out, now=now)
    at_once(helper, helper)
    while helper():
        pass
    assert OutboxEmail.objects.filter(kind="last_reminder").count() == MANY
    assert sum(defaults()) == 0


def test_a_helper_stops_when_the_next_sweep_is_due(due):
    assert not shifts.help_out(database_now())
    assert sum(defaults()) == 0


def test_nobody_helps_while_the_site_is_under_maintenance(due):
    nadja_acts("maintenance")
    called = []
    shifts.sweep(called.append)
    assert called == []
    assert not shifts.help_out(database_now() + MINUTE)
    assert sum(defaults()) == 0


def test_a_sweep_and_its_helpers_at_once_advance_each_game_once(due):
    now = database_now()
    helper = partial(clock.help_out, now=now)
    advanced = at_once(partial(clock.sweep, now=now), helper, helper)
    assert min(advanced) > 0
    assert sum(advanced) == sum(defaults())
    assert sum(advanced) + clock.sweep(now=now) == MANY
    assert defaults() == [1] * MANY
