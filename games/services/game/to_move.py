"""Asking a seat: its deadline, its reminder and its mail, and taking them away again."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from typing import NamedTuple

from games.engine import State, awaited
from games.models import Game, OutboxEmail, Seat
from games.services import outbox
from games.services.game import deadlines
from games.services.game.deadlines import Calendar, Deadline
from games.services.game.hours import QuietHours
from games.services.game.read_seats import AllDaysOff
from games.table_events import DeadlineMoved
from games.zones import zone_of


class Asked(NamedTuple):
    """What follows from who is to move now: email to write, and deadlines that days off moved.

    `given` are the days off, by id, that a deadline was given, each up to that day.
    """

    emails: list[OutboxEmail]
    moved: list[DeadlineMoved]
    given: list[tuple[int, date]]


def set_deadlines(
    game: Game,
    seats: Mapping[int, Seat],
    days_off: AllDaysOff,
    state: State,
    now: datetime,
    *,
    cut_short: bool = False,
) -> Asked:
    """Give every seat that is newly awaited a deadline, and take it from who is not any more.

    The game's own deadline becomes the earliest of theirs; None where nobody is
    awaited. In a game that does not go on there are none; while it is paused, each awaited seat
    keeps what was left of its time. During the time for talk nobody is asked, and the
    game's deadline is its end. Where moves that play themselves were `cut_short`, nobody new
    is asked yet: the game is due at once, and goes on.
    """
    if game.is_time_for_talk:
        for seat in seats.values():
            seat.deadline_at = seat.seconds_left = None
        game.deadline_at = game.talk_until
        return Asked([], [], [])
    waiting, result = awaited(state), Asked([], [], [])
    newly = {
        number for number in waiting if game.is_going_on and _is_newly_to_move(game, seats[number])
    }
    calendars = calendars_of(game, seats, days_off) if newly or game.paused_at is not None else {}
    if newly:
        set_phase_deadlines(game, seats, calendars)
    for number, seat in seats.items():
        if number not in waiting or not game.is_going_on:
            _ask_no_more(game, seat, now, calendars.get(number) if number in waiting else None)
        elif number in newly and (cut_short or seat.is_played_for()):
            seat.deadline_at = now  # the rest of a long row, which the clock goes on with
            seat.seconds_left, seat.to_move_phase = None, 0
        elif number in newly:
            moved = _ask(game, seats, seat, calendars[number], now)
            result.moved.extend(moved)
            result.given.extend(_days_given(game, seat, days_off))
            result.emails.append(_your_turn(game, seat, now))
    times = [seat.deadline_at for seat in seats.values() if seat.deadline_at is not None]
    game.deadline_at = min(times, default=None)
    return result


def _is_newly_to_move(game: Game, seat: Seat) -> bool:
    """Whether an awaited seat has not been asked in this phase, or nobody is asked there."""
    asked = seat.deadline_at is not None and seat.to_move_phase == game.phase_no
    return not asked or seat.is_played_for()


def calendars_of(
    game: Game, seats: Mapping[int, Seat], days_off: AllDaysOff
) -> dict[int, Calendar]:
    """What counts as play time for each seat, by its number; days off if announced in time.

    That is before the phase opened.
    """
    pace = deadlines.pace_of(game)
    opened_at = game.phase_opened_at
    return {
        number: Calendar(
            pace,
            [
                (off.first_day, off.last_day)
                for off in days_off[seat.pk]
                if (opened_at is None or off.announced_at <= opened_at)
                and off.last_day <= deadlines.LAST_DAY
            ],
            UTC if seat.user is None else zone_of(seat.user.time_zone),
        )
        for number, seat in seats.items()
    }


def _days_given(game: Game, seat: Seat, days_off: AllDaysOff) -> Iterator[tuple[int, date]]:
    """The days off, by id, with which its deadline is counted, and up to which day (days 10)."""
    if seat.deadline_at is None or not days_off[seat.pk] or seat.user is None:
        return
    last = seat.deadline_at.astimezone(zone_of(seat.user.time_zone)).date()
    for off in days_off[seat.pk]:
        counts = game.phase_opened_at is None or off.announced_at <= game.phase_opened_at
        until = min(off.last_day, last)
        if counts and off.first_day <= until and until > (off.given_until or date.min):
            yield off.pk, until


def open_phase(game: Game, seats: Iterable[Seat], now: datetime) -> None:
    """A phase begins, or begins anew: everybody in it has a full answering time from now on."""
    game.phase_opened_at = now
    for seat in seats:
        seat.phase_deadline_at = None


def set_phase_deadlines(
    game: Game, seats: Mapping[int, Seat], calendars: Mapping[int, Calendar]
) -> None:
    """Give each seat without one its full deadline from the opening of the phase."""
    for number, seat in seats.items():
        if seat.phase_deadline_at is None and game.phase_opened_at is not None:
            seat.phase_deadline_at = deadlines.full_deadline(
                calendars[number], game.phase_opened_at
            )


def take_days_back(game: Game, seat: Seat, before: Calendar, after: Calendar) -> None:
    """Days off count no more for the deadline that a seat would share later in the phase.

    `before` is its calendar with them. What else has moved that deadline stays.
    """
    opened_at, shared = game.phase_opened_at, seat.phase_deadline_at
    if opened_at is None or shared is None:
        return
    moved = before.play_time(deadlines.full_deadline(before, opened_at), shared)
    fresh = deadlines.full_deadline(after, opened_at)
    seat.phase_deadline_at = min(shared, after.move(fresh, moved, since=fresh))


def _ask_no_more(game: Game, seat: Seat, now: datetime, calendar: Calendar | None) -> None:
    """Take the deadline away. A seat with a `calendar` is still awaited, but time stands still."""
    if calendar is None:
        seat.seconds_left = None
    elif game.paused_at is not None and seat.deadline_at is not None and not seat.is_played_for():
        left = calendar.play_time(now, seat.deadline_at)
        seat.seconds_left = int(left.total_seconds())
    seat.deadline_at = seat.remind_at = None


def _ask(
    game: Game, seats: Mapping[int, Seat], seat: Seat, calendar: Calendar, now: datetime
) -> list[DeadlineMoved]:
    """Ask a seat: at the opening of the phase until its full deadline, later as bribers are."""
    opened_at = game.phase_opened_at or now
    shared = seat.phase_deadline_at or deadlines.full_deadline(calendar, opened_at)
    given = _deadline(calendar, shared, opened_at, now)
    seat.to_move_phase, seat.deadline_set_at, seat.to_move_since = game.phase_no, now, now
    seat.full_time = given.full
    _set_deadline(seat, given.at, now)
    if not calendar.days_off:
        return []
    # The deadline of who has announced no days off is the earliest.
    earliest = min(one.phase_deadline_at or shared for one in seats.values())
    usual = _deadline(calendar._replace(days_off=()), earliest, opened_at, now)
    if given.at == usual.at:
        return []
    return [DeadlineMoved(seat.drawn_number, usual.at, given.at, "days_off")]


def _your_turn(game: Game, seat: Seat, now: datetime) -> OutboxEmail:
    version = seat.deadline_version
    return outbox.email("your_turn", game=game, person=seat.user, now=now, deadline_version=version)


def _deadline(calendar: Calendar, shared: datetime, opened_at: datetime, now: datetime) -> Deadline:
    if now <= opened_at:
        return Deadline(shared, full=True)
    return deadlines.late_deadline(calendar, shared, now)


def give_deadline(seat: Seat, deadline_at: datetime, now: datetime) -> None:
    """Move the deadline of an open question: it is reminded as if it were asked now."""
    seat.deadline_set_at = now
    put_off(seat, deadline_at, now)


def put_off(seat: Seat, deadline_at: datetime, now: datetime) -> None:
    """Move the deadline of an open question; when it was asked stays. It is reminded anew.

    A deadline that comes earlier than it did can be missed no more (days 3).
    """
    if seat.deadline_at is not None and deadline_at < seat.deadline_at:
        seat.full_time = False
    _set_deadline(seat, deadline_at, now)


def _set_deadline(seat: Seat, deadline_at: datetime, now: datetime) -> None:
    seat.deadline_at = deadline_at
    seat.deadline_version += 1
    seat.seconds_left = None
    reminder = deadlines.next_reminder(
        deadline_set_at=seat.deadline_set_at or now,
        deadline_at=deadline_at,
        after=now,
        quiet=QuietHours.of(seat.user, seat.game),
    )
    seat.remind_at = reminder.at if reminder is not None else None
