"""Whatever stops a game and goes on with it, in whatever order: nobody loses play time."""

from datetime import timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import Cause, Clock, Game, Stop, User
from games.services.game import failures, interventions, moved_deadlines, rewind, seats
from games.services.game.replay import event_rows
from games.services.game.verify import verify_game
from games.services.game.writer import Writer
from games.services.moderation.actions import timing
from games.services.moderation.actions.game_action import seen_now
from games.services.moderation.actions.requests import GameRequest
from games.services.operations import clock
from tests.support.moderators import moderator
from tests.support.promising import both_to, in_order, moves
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, submit_move, tick

pytestmark = [pytest.mark.full, pytest.mark.django_db]

HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
TALK = 12 * HOUR
numbers = count()


class Played:
    """A game in negotiation time, and what is left to those for whom it waits.

    `left` is None where they have a full answering or negotiation time once it goes on.
    """

    def __init__(self) -> None:
        number = next(numbers)
        names = [f"{name}{number}" for name in ("Anna", "Boris", "Clara")]
        self.game = open_table(*names, talk_seconds=TALK.total_seconds())
        first, second, _third = in_order(self.game)
        moves(self.game, both_to(self.game, first, second))
        self.game.refresh_from_db()
        self.now = MONDAY
        self.left: timedelta | None = TALK
        self.tolerance = SECOND

    def step(self, name: str, hours: int) -> None:
        """Do it where it is possible."""
        if self.game.status == Game.Status.RUNNING:
            getattr(self, name)(hours * HOUR, self.game.clock.stop)
            self.game.refresh_from_db()
        if not self.game.is_going_on:
            return
        actual = self.game.deadline_at - self.now
        full = TALK if self.game.is_negotiation_time else DAY
        assert actual >= (full if self.left is None else self.left) - self.tolerance, name
        self.left = actual

    def change(self, does) -> None:
        writer = Writer(Game.objects.lock(self.game.pk), self.now)
        does(writer)
        writer.go_on()
        writer.commit()

    def wait(self, time: timedelta, stop: Stop | None) -> None:
        if stop is None and (self.left is None or self.left <= time):
            return
        self.now += time
        if stop is None:
            self.left -= time
        tick(self.now)
        clock.sweep(now=self.now)

    def outage(self, time: timedelta, stop: Stop | None) -> None:
        played = self.game.moves.count()
        tick(self.now)
        self.now += time
        clock.sweep(now=self.now)
        if stop is None:
            self.left = DAY / 4 if self.left <= time else self.left - time
        assert self.game.moves.count() == played

    def pause(self, time: timedelta, stop: Stop | None) -> None:
        if stop is not Stop.PARKED and self.game.paused_at is None:
            until = self.now + 3 * time if time > 2 * HOUR else None
            self.change(lambda writer: interventions.pause(writer, until, Cause.TABLE))
            self.tolerance += SECOND  # what is left is kept in whole seconds

    def resume(self, _time: timedelta, stop: Stop | None) -> None:
        if stop is not Stop.PARKED and self.game.paused_at is not None:
            self.change(lambda writer: interventions.resume(writer, Cause.TABLE))

    def park(self, _time: timedelta, stop: Stop | None) -> None:
        while Game.objects.get(pk=self.game.pk).parked_at is None:
            failures.record_failure(Game.objects.get(pk=self.game.pk), ValueError(), self.now)

    def retry(self, _time: timedelta, stop: Stop | None) -> None:
        if stop is Stop.PARKED:
            nora = User.objects.filter(name="Nora").first() or moderator("Nora")
            timing.retry(GameRequest(self.game.pk, nora, "Why.", seen_now(self.game), self.now))

    def all_leave(self, _time: timedelta, stop: Stop | None) -> None:
        if stop is not Stop.PARKED:
            for seat in self.game.seats.filter(absent_since=None):
                seats.step_aside(game_id=self.game.pk, user=seat.user, now=self.now)
            self.left = None

    def all_return(self, _time: timedelta, stop: Stop | None) -> None:
        if stop is not Stop.PARKED:
            for seat in self.game.seats.exclude(absent_since=None):
                seats.come_back(game_id=self.game.pk, user=seat.user, now=self.now)

    def extend(self, time: timedelta, stop: Stop | None) -> None:
        if stop is None:
            self.change(lambda writer: moved_deadlines.extend(writer, time, Cause.TABLE))
            self.left += time

    def rewind(self, _time: timedelta, stop: Stop | None) -> None:
        boundaries = rewind.boundaries(self.game, event_rows(self.game))
        if stop is not Stop.PARKED and boundaries:
            self.change(lambda one: rewind.rewind(one, boundaries[-1].seq, Cause.TABLE))
            self.left = None

    def move(self, _time: timedelta, stop: Stop | None) -> None:
        if stop is None and (waiting := seats_to_move(self.game)):
            submit_move(self.game, waiting[0].user, self.now)
            self.left = timedelta()  # who is to move next may share a deadline, or be last


ONE_STEP = st.sampled_from(["wait", "outage", "extend", "rewind", "move"]).map(lambda name: [name])


@st.composite
def standstills(draw):
    """One to three stops in any order, and what ends them in any order, with time between."""
    stops = st.lists(st.sampled_from(["pause", "all_leave", "park"]), min_size=1, unique=True)
    ends = st.permutations(["resume", "all_return", "retry"])
    between = st.sampled_from(["wait", "outage"])
    return [name for step in [*draw(stops), *draw(ends)] for name in (step, draw(between))]


@given(st.lists(st.tuples(ONE_STEP | standstills(), st.integers(1, 9)), max_size=5))
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_play_time_is_lost_and_nothing_impossible_is_written(parts):
    played = Played()
    for names, hours in parts:
        for name in names:
            played.step(name, hours)
    assert verify_game(played.game.pk) == []
    over = {"status": Game.Status.CANCELLED, "deadline_at": None} | Clock()._asdict()
    Game.objects.filter(pk=played.game.pk).update(**over)  # no later sweep looks at it
