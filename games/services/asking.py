"""Asking a seat: its deadline, its reminder and its mail, and taking them away again."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from games.engine import State, awaited
from games.models import Game, OutboxMail, Seat
from games.services import deadlines, outbox
from games.table_events import DeadlineMoved


def set_deadlines(
    game: Game, seats: dict[int, Seat], state: State, now: datetime
) -> list[DeadlineMoved]:
    """Give every seat that is newly awaited a deadline, and take it from who is not any more.

    Saves the seats. The game's own deadline becomes the earliest of theirs; None where nobody is
    awaited. In a game that does not go on there are none; while it is paused, each awaited seat
    keeps what was left of its time, and has that again afterwards. Gives, for the log, which of the
    new deadlines were moved by days off.
    """
    waiting, moved = awaited(state), []
    for number, seat in seats.items():
        if number not in waiting or not game.is_going_on:
            _ask_no_more(game, seat, now, still_awaited=number in waiting)
        elif seat.is_played_for():
            seat.deadline_at = now  # the rest of a long row, which the clock goes on with
            seat.seconds_left = None
        elif seat.seconds_left is not None and seat.asked_phase == game.phase_no:
            give_deadline(seat, now + timedelta(seconds=seat.seconds_left), now)
        elif seat.deadline_at is None or seat.asked_phase != game.phase_no:
            moved += _ask(game, seat, now)
    for seat in seats.values():  # which takes a sixth of the time of one bulk_update()
        seat.save(update_fields=CHANGED_WITH_A_MOVE)
    times = [seat.deadline_at for seat in seats.values() if seat.deadline_at is not None]
    game.deadline_at = min(times, default=None)
    return moved


CHANGED_WITH_A_MOVE = (
    "user",
    "house_player",
    "asked_phase",
    "asked_at",
    "deadline_at",
    "deadline_version",
    "full_time",
    "remind_at",
    "seconds_left",
    "missed",
    "last_miss_at",
    "absent_since",
    "days_off_left",
)


def _ask_no_more(game: Game, seat: Seat, now: datetime, *, still_awaited: bool) -> None:
    if not still_awaited:
        seat.seconds_left = None
    elif game.paused_at is not None and seat.deadline_at is not None and not seat.is_played_for():
        seat.seconds_left = max(0, int((seat.deadline_at - now).total_seconds()))
    seat.deadline_at = seat.remind_at = None


def _ask(game: Game, seat: Seat, now: datetime) -> list[DeadlineMoved]:
    days_off = _days_off(game, seat, now)
    given = _deadline(game, seat, now, days_off)
    usual = _deadline(game, seat, now, []) if days_off else given
    seat.asked_phase = game.phase_no
    seat.full_time = given.full
    give_deadline(seat, given.at, now)
    outbox.enqueue(
        OutboxMail.Kind.YOUR_TURN,
        game=game,
        person=seat.user,
        now=now,
        deadline_version=seat.deadline_version,
    )
    if given.at == usual.at:
        return []
    return [DeadlineMoved(seat.drawn_number, usual.at, given.at, "days_off")]


def _days_off(game: Game, seat: Seat, now: datetime) -> list[deadlines.Days]:
    """The days off that count: those that were announced before the phase opened."""
    opened_at = game.phase_opened_at or now
    return [
        (days.first_day, days.last_day)
        for days in seat.days_off.all()
        if days.announced_at <= opened_at
    ]


def _deadline(
    game: Game, seat: Seat, now: datetime, days_off: list[deadlines.Days]
) -> deadlines.Deadline:
    """All seats of a phase share its opening."""
    pace = deadlines.pace_of(game)
    opened_at = game.phase_opened_at or now
    zone = ZoneInfo(seat.user.time_zone) if seat.user is not None else UTC
    shared = deadlines.full_deadline(pace, opened_at, days_off, zone)
    if now <= opened_at:
        return deadlines.Deadline(shared, full=True)
    return deadlines.late_deadline(pace, shared, now, days_off, zone)


def give_deadline(seat: Seat, deadline_at: datetime, now: datetime) -> None:
    """Give an asked seat a deadline at `now`, or move it: it is then reminded anew."""
    seat.asked_at = now
    _set_deadline(seat, now, deadline_at, now)


def put_off(seat: Seat, deadline_at: datetime, now: datetime) -> None:
    """Move the deadline of an open question; when it was asked stays. It is reminded anew.

    The mail that it is their turn goes out all the same, where it still waits.
    """
    before = seat.deadline_version
    _set_deadline(seat, seat.asked_at or now, deadline_at, now)
    waiting = OutboxMail.objects.filter(
        game_id=seat.game_id,
        person=seat.user,
        kind=OutboxMail.Kind.YOUR_TURN,
        status=OutboxMail.Status.READY,
        deadline_version=before,
    )
    waiting.update(deadline_version=seat.deadline_version)


def _set_deadline(seat: Seat, asked_at: datetime, deadline_at: datetime, now: datetime) -> None:
    seat.deadline_at = deadline_at
    seat.deadline_version += 1
    seat.seconds_left = None
    reminder = deadlines.next_reminder(asked_at=asked_at, deadline_at=deadline_at, after=now)
    seat.remind_at = reminder.at if reminder is not None else None
