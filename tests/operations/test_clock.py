"""The clock: defaults once, reminders once, a failing game parked, others untouched."""

import logging
from datetime import timedelta

import pytest

from games.engine import decode
from games.models import Cause, Game, Move, Outage, OutboxEmail, Seat, Tick
from games.services.game import failures, interventions
from games.services.game.writer import Writer
from games.services.operations import clock
from tests.support.client import person
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def emails(kind, **more):
    return OutboxEmail.objects.filter(kind=kind, **more).count()


def test_nothing_is_played_before_the_deadline():
    open_table("Anna", "Boris", "Clara")
    assert clock.sweep(now=MONDAY + DAY - MINUTE) == 0
    assert Move.objects.count() == 0


@pytest.mark.counts
def test_two_sweeps_play_a_default_once():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    assert clock.sweep(now=MONDAY + DAY) == 1
    assert clock.sweep(now=MONDAY + DAY) == 0
    assert list(Move.objects.values_list("seat", "cause")) == [(seat.pk, "clock")]
    assert emails("default_played", person=seat.user) == 1


@pytest.mark.full
def test_reminders_come_at_80_percent_of_the_time_and_two_hours_before_the_end_each_once():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    seen = []
    for at in (0.8 * DAY - MINUTE, 0.8 * DAY, 0.85 * DAY, DAY - 121 * MINUTE, DAY - 120 * MINUTE):
        clock.sweep(now=MONDAY + at)
        clock.sweep(now=MONDAY + at + timedelta(seconds=15))
        seen.append((emails("reminder"), emails("last_reminder")))
    assert seen == [(0, 0), (1, 0), (1, 0), (1, 0), (1, 1)]
    reminders = OutboxEmail.objects.filter(kind__in=["reminder", "last_reminder"])
    assert {email.person for email in reminders} == {seat.user}


@pytest.mark.full
def test_due_games_that_take_all_their_time_leave_some_to_everything_else(monkeypatch):
    """A reminder, and the end of a pause."""
    monkeypatch.setattr(clock, "MOST_SECONDS", 0)
    asked = open_table("Anna", "Boris", "Clara", now=MONDAY - 5 * DAY)
    reminded = open_table("Dora", "Emil", "Fanny")
    paused = open_table("Georg", "Hanna", "Ivan")
    pause(paused, until=MONDAY + 0.5 * DAY)
    now = MONDAY + 0.9 * DAY
    tick(now)
    assert clock.sweep(now=now) == 0
    assert not asked.moves.exists()
    assert emails("reminder", game=reminded) == 1
    paused.refresh_from_db()
    assert paused.paused_at is None


def pause(game, until):
    """A moderator has stopped the clock of a game until then."""
    writer = Writer(Game.objects.get(pk=game.pk), MONDAY)
    interventions.pause(writer, until, Cause.MODERATOR)
    writer.commit()


@pytest.mark.full
def test_a_short_deadline_is_reminded_of_once():
    open_table("Anna", "Boris", "Clara", move_time=timedelta(hours=2))
    for minutes in range(90, 120):
        clock.sweep(now=MONDAY + minutes * MINUTE)
    assert (emails("reminder"), emails("last_reminder")) == (0, 1)


def test_nobody_is_reminded_of_a_decision_that_was_made():
    game = open_table("Anna", "Boris", "Clara")
    [seat] = seats_to_move(game)
    submit_move(game, seat.user, MONDAY + DAY / 2)
    clock.sweep(now=MONDAY + 0.8 * DAY)
    assert emails("reminder") == 0


@pytest.mark.full
def test_the_clock_plays_a_game_to_its_end_when_nobody_moves():
    game = open_table("Anna", "Boris", "Clara")
    now = MONDAY
    while game.status == Game.Status.RUNNING:
        now = game.deadline_at
        tick(now)
        assert clock.sweep(now=now) >= 1
        Seat.objects.update(missed=[])  # nobody becomes absent
        game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    assert set(Move.objects.values_list("cause", flat=True)) <= {"clock", "rules"}
    assert game.deadline_at is None
    assert not Seat.objects.exclude(deadline_at=None, remind_at=None).exists()
    assert emails("game_over") == 3


@pytest.mark.full
def test_a_game_that_cannot_be_advanced_is_retried_then_parked_and_stops_no_other(caplog):
    broken = open_table("Anna", "Boris", "Clara")
    state = broken.state | {"stage": "no such stage"}
    Game.objects.filter(pk=broken.pk).update(state=state)
    sound = open_table("Dora", "Emil", "Fanny")
    moderator = person("Marta", is_staff=True)
    caplog.set_level(logging.CRITICAL)

    now = MONDAY + DAY
    assert clock.sweep(now=now) == 1  # the sound one
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
    assert emails("game_parked", person=moderator) == emails("game_parked") == 1
    assert broken.moves.count() == 0


def test_a_failure_is_not_noted_with_a_game_that_somebody_advanced_meanwhile():
    game = open_table("Anna", "Boris", "Clara")
    as_read = Game.objects.get(pk=game.pk)
    submit_move(game, seats_to_move(game)[0].user, MONDAY + DAY)
    failures.record_failure(as_read, ValueError("too late"), MONDAY + DAY)
    game.refresh_from_db()
    assert (game.attempts, game.retry_at, game.error) == (0, None, "")


def test_two_clocks_that_fail_at_one_game_record_one_failure():
    as_read = open_table("Anna", "Boris", "Clara")
    for _ in range(2):
        failures.record_failure(as_read, ValueError("twice"), MONDAY + DAY)
    assert Game.objects.get().attempts == 1


@pytest.mark.full
def test_in_simultaneous_bribing_all_who_are_late_get_their_default():
    game = open_table("Anna", "Boris", "Clara", "Dora", options={"bribing": "simultaneous"})
    for _ in range(100):
        game.refresh_from_db()
        if len(seats_to_move(game)) > 1:
            break
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    late = [seat.pk for seat in seats_to_move(game)]
    assert len(late) > 1
    phase = game.phase_no
    assert clock.sweep(now=game.deadline_at) == len(late)
    played = Move.objects.filter(phase_no=phase, cause="clock").values_list("seat", flat=True)
    assert sorted(played) == sorted(late)
    assert decode(Game.objects.get().state).sealed == ()


class TestOutage:
    """A clock that stood still plays no default before it has moved the deadlines (days 11)."""

    @pytest.mark.full
    def test_deadlines_in_the_gap_move_once_before_any_default(self):
        game = open_table("Anna", "Boris", "Clara")
        [seat] = seats_to_move(game)
        tick(MONDAY + DAY - timedelta(hours=1))
        back = MONDAY + DAY + timedelta(hours=2)
        assert clock.sweep(now=back) == 0
        moved = seat_of(game, seat.user.name)
        assert moved.deadline_at == back + timedelta(hours=6)
        assert moved.deadline_version == 2
        [event] = game.events.filter(kind="DeadlineMoved")
        assert (event.cause, event.payload["why"]) == ("clock", "outage")
        clock.sweep(now=back + MINUTE)
        assert game.events.filter(kind="DeadlineMoved").count() == 1
        tick(moved.deadline_at)
        assert clock.sweep(now=moved.deadline_at) == 1

    def test_a_long_gap_gives_at_most_the_time_for_one_move(self):
        game = open_table("Anna", "Boris", "Clara")
        [seat] = seats_to_move(game)
        tick(MONDAY)
        back = MONDAY + 10 * DAY
        clock.sweep(now=back)
        assert seat_of(game, seat.user.name).deadline_at == back + DAY

    def test_five_minutes_without_a_tick_are_no_outage(self):
        game = open_table("Anna", "Boris", "Clara")
        tick(MONDAY + DAY - 4 * MINUTE)
        assert clock.sweep(now=MONDAY + DAY) == 1
        assert not game.events.filter(kind="DeadlineMoved").exists()

    def test_a_tick_that_lies_ahead_is_an_outage_and_plays_no_default(self):
        """The clock of a machine was set back: nobody knows how long nothing ticked."""
        game = open_table("Anna", "Boris", "Clara")
        now = MONDAY + DAY + 40 * MINUTE
        tick(now + timedelta(hours=1))
        assert clock.sweep(now=now) == 0
        assert seats_to_move(game)[0].deadline_at == now + DAY
        assert Tick.objects.last_sweep() == now

    def test_an_outage_that_ends_in_the_future_holds_nothing_up(self):
        """The clock was ahead when it wrote the outage down, and was then set back."""
        ahead = open_table("Anna", "Boris", "Clara")
        due = open_table("Dora", "Emil", "Fanny", now=MONDAY - timedelta(hours=23))
        since, now = MONDAY + timedelta(hours=2), MONDAY + timedelta(hours=20)
        Outage.objects.create(since=since, until=MONDAY + 2 * DAY)
        tick(now)
        assert clock.sweep(now=now) == 1
        assert Move.objects.get(cause="clock").game == due
        assert seats_to_move(ahead)[0].deadline_at == MONDAY + DAY

    def test_deadlines_that_lie_ahead_stay(self):
        game = open_table("Anna", "Boris", "Clara")
        tick(MONDAY + timedelta(hours=1))
        clock.sweep(now=MONDAY + timedelta(hours=20))
        assert seats_to_move(game)[0].deadline_at == MONDAY + DAY

    def test_a_game_that_fails_stops_no_other_from_being_moved(self, caplog):
        broken = open_table("Anna", "Boris", "Clara")
        sound = open_table("Dora", "Emil", "Fanny")
        Game.objects.filter(pk=broken.pk).update(state=broken.state | {"stage": "no such stage"})
        caplog.set_level(logging.CRITICAL)
        tick(MONDAY)
        clock.sweep(now=MONDAY + DAY)
        assert sound.events.filter(kind="DeadlineMoved").count() == 1
        assert sound.moves.count() == 0
        broken.refresh_from_db()
        assert broken.attempts == 1


def test_the_clock_records_when_it_ticked():
    clock.sweep(now=MONDAY)
    assert Tick.objects.get(name="sweep").at == MONDAY


def test_an_old_waiting_table_is_closed_by_the_clock():
    game = open_table("Anna", size=4)
    clock.sweep(now=MONDAY + 14 * DAY)
    game.refresh_from_db()
    assert game.status == Game.Status.CANCELLED
