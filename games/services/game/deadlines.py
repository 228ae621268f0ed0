"""When a seat has to move, and when its player is reminded.

Arithmetic without clock or database (docs/play-over-days.md, 2 and 3). A duration is elapsed time,
whatever the clocks on the wall do meanwhile; days, nights and the fixed hour are read from the wall
clock of a zone. All instants that come out are in UTC.
"""

import heapq
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import count
from typing import Final, NamedTuple

from games.models import Game
from games.services.game.hours import ONE_DAY, QuietHours, at_hour
from games.zones import zone_of

WEEKDAYS: Final = frozenset(range(7))
NIGHT_BEGINS: Final = 23
NIGHT_ENDS: Final = 7
REMIND_AT: Final = 0.8
"""The part of the time after which a player is reminded."""
REMIND_AGAIN: Final = timedelta(hours=2)
"""How long before the end a player is reminded once more."""
BEFORE_QUIET: Final = timedelta(minutes=30)
"""How long before a player's quiet hours they are reminded of what is due in them."""
REPLY_TIME: Final = timedelta(hours=1)
"""How long a computer player waits with its bribe for a reply."""
LONGEST_USUAL_GAP: Final = timedelta(minutes=5)
"""A clock without a tick for longer has stood still."""
LAST_DAY: Final = date(9998, 12, 31)
"""Days off after it are none: the calendar ends there."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

type Days = tuple[date, date]
"""A first and a last day, both included."""
type Span = tuple[datetime, datetime]
"""From an instant up to another, which is not part of it any more."""


@dataclass(frozen=True)
class Pace:
    """How fast a table plays: `move_time` of play time for a move.

    `no_play_days` are weekdays (0 is Monday) in the table's `zone` that are no play time;
    `fixed_hour` is the hour there to which deadlines move on. ValueError where no weekday is left.
    """

    move_time: timedelta
    zone: tzinfo = UTC
    no_play_days: frozenset[int] = frozenset()
    fixed_hour: int | None = None

    def __post_init__(self) -> None:
        if not self.no_play_days < WEEKDAYS:
            raise ValueError("No-play days are weekdays from 0 to 6, and one is left to play on.")


class Deadline(NamedTuple):
    """When the default is played, and whether that leaves the full time to move (days 3)."""

    at: datetime
    full: bool


class Reminder(NamedTuple):
    """When a player is reminded of a deadline, and whether no other reminder follows."""

    at: datetime
    is_last: bool


def pace_of(game: Game) -> Pace:
    """The pace with which a table was opened."""
    no_play_days = WEEKDAYS.intersection(game.no_play_days)
    if no_play_days == WEEKDAYS:
        no_play_days = frozenset()  # a broken row, for which no page of others may fail
    return Pace(
        move_time=timedelta(seconds=game.move_seconds),
        zone=zone_of(game.time_zone),
        no_play_days=no_play_days,
        fixed_hour=game.fixed_hour,
    )


class Calendar(NamedTuple):
    """The play time of a seat: by the table's `pace`, and the player's own `days_off`.

    Days off are days in the player's `zone`, announced before the phase opened.
    """

    pace: Pace
    days_off: Collection[Days] = ()
    zone: tzinfo = UTC

    def after(self, start: datetime, play_time: timedelta) -> datetime:
        """The first instant by which this much play time has passed since `start`."""
        return _after(start, play_time, self.rests(start))

    def play_time(self, start: datetime, end: datetime) -> timedelta:
        """How much play time lies between two instants; none where the end comes first."""
        at, passed = start.astimezone(UTC), timedelta()
        for begins, ends in self.rests(start):
            if begins >= end:
                break
            passed += max(begins - at, timedelta())
            at = max(at, ends)
        return passed + max(end - at, timedelta())

    def move(self, deadline_at: datetime, play_time: timedelta, *, since: datetime) -> datetime:
        """A deadline moved on by this much play time, counted from `since` if it passed before.

        One that stood at the table's fixed hour moves on to that hour again (days 2).
        """
        if not play_time:
            return deadline_at
        return self.like(deadline_at, self.after(max(deadline_at, since), play_time))

    def like(self, before: datetime, at: datetime) -> datetime:
        """`at`, moved on to the table's fixed hour if the deadline `before` stood there."""
        hour = self.pace.fixed_hour
        if hour is None or before != _at_hour(hour, self, before):
            return at
        return _at_hour(hour, self, at)

    def rests(self, start: datetime) -> Iterator[Span]:
        """The spans in which a seat need not think of the game, from the day before `start` on."""
        off = (
            (at_hour(self.zone, first), at_hour(self.zone, last + ONE_DAY))
            for first, last in sorted(self.days_off)
        )
        if not self.pace.no_play_days:
            return off
        no_play = (
            (at_hour(self.pace.zone, day), at_hour(self.pace.zone, day + ONE_DAY))
            for day in _days_from(start, self.pace.zone)
            if day.weekday() in self.pace.no_play_days
        )
        return heapq.merge(off, no_play)


def full_deadline(calendar: Calendar, opened_at: datetime) -> datetime:
    """When the time to move of a seat ends that runs from the opening of its phase.

    Neither the table's no-play days count nor the seat's own days off. Where the table has a fixed
    hour the deadline moves on to the first one that is on none of these days; without one it may be
    the very moment at which such a day begins.
    """
    at = calendar.after(opened_at, calendar.pace.move_time)
    if calendar.pace.fixed_hour is None:
        return at
    return _at_hour(calendar.pace.fixed_hour, calendar, at)


def late_deadline(calendar: Calendar, shared: datetime, deadline_set_at: datetime) -> Deadline:
    """The deadline of a seat whose turn begins later than its phase (bribing in sequence).

    `shared` is the seat's full deadline from the opening. A quarter of the time to move is left
    to it in any case (so 3 h and more at tables of 12 h and more, where 2 h are the least), outside
    the nights of its zone, no-play days and its days off: a player who is away could not use them.
    The fixed hour has no part in this. It is the full time to move where that much play time lies
    between the beginning of its turn and `shared`.
    """
    full = calendar.after(deadline_set_at, calendar.pace.move_time) <= shared
    return Deadline(max(shared, least_deadline(calendar, deadline_set_at)), full=full)


def least_deadline(calendar: Calendar, reached_at: datetime) -> datetime:
    """When a quarter of the time to move has passed for a seat that email reaches late.

    Outside the nights of its zone, no-play days and its days off.
    """
    rests = heapq.merge(calendar.rests(reached_at), _nights(reached_at, calendar.zone))
    return _after(reached_at, calendar.pace.move_time / 4, rests)


def next_reminder(
    *,
    deadline_set_at: datetime,
    deadline_at: datetime,
    after: datetime,
    quiet: QuietHours | None = None,
) -> Reminder | None:
    """The first reminder of a deadline that is due after the instant `after`, if any.

    One is due when 80 % of the time from `deadline_set_at` has passed, and one two hours before the
    end where that is later. A moved deadline warns anew: `deadline_set_at` is then when it was
    moved. A reminder that would fall into the player's quiet hours comes before them (days 33).
    """
    first = deadline_set_at + REMIND_AT * (deadline_at - deadline_set_at)
    last = max(first, deadline_at - REMIND_AGAIN)
    first, last = (_before_quiet(at, deadline_set_at, quiet) for at in (first, last))
    due = [at for at in (first, last) if at > after]
    return Reminder(due[0], is_last=due[0] == last) if due else None


def _before_quiet(at: datetime, deadline_set_at: datetime, quiet: QuietHours | None) -> datetime:
    """A reminder that is due in quiet hours comes earlier, unless its turn had not begun then."""
    hours = quiet.around(at) if quiet is not None else None
    if hours is None or hours[0] - BEFORE_QUIET <= deadline_set_at:
        return at
    return hours[0] - BEFORE_QUIET


def reply_deadline(game: Game, requested_at: datetime) -> datetime:
    """Until when a computer player waits for the reply to what it asked somebody then.

    For an hour of play time; where moves have less time, for that, and in a first game, which has
    no deadlines, for as long as it takes.
    """
    pace = pace_of(game)
    time = min(REPLY_TIME, pace.move_time) if game.has_deadlines else pace.move_time
    return Calendar(pace).after(requested_at, time)


def stopped_since(
    last_tick: datetime, now: datetime, usual: timedelta = timedelta()
) -> datetime | None:
    """Since when the clock, ticking at `now`, had stood still; None where it had not (days 11).

    It had where its last tick is more than 5 minutes ago and more than twice the `usual` time
    between two ticks. A tick that lies as far ahead is that of a clock that was set back: since
    when nothing ticked is not known then, and nothing that has passed may be held against anybody.
    """
    most = max(LONGEST_USUAL_GAP, 2 * usual)
    if last_tick - now > most:
        return EPOCH
    return last_tick if now - last_tick > most else None


def after_outage(
    deadline_at: datetime, *, since: datetime, now: datetime, calendar: Calendar
) -> datetime:
    """The deadline as it stands after an outage that ends at `now`.

    One that passed while the clock stood still moves to `now` plus the longer of that gap and a
    quarter of the time to move, at most all of it, in play time (days 2, 11). Any
    other is unchanged.
    """
    if not since < deadline_at <= now:
        return deadline_at
    return given_again(deadline_at, now - since, now=now, calendar=calendar)


def without_email(
    deadline_at: datetime, *, left: timedelta, now: datetime, calendar: Calendar
) -> datetime:
    """The deadline as it stands when it has passed at `now`, and email is down.

    It moves to a quarter of the time to move from now, but by no more play time than is `left`.
    """
    most = calendar.after(deadline_at, max(left, timedelta()))
    if most <= now:
        return deadline_at
    quarter = calendar.after(now, calendar.pace.move_time / 4)
    return calendar.like(deadline_at, min(quarter, most))


def after_a_standstill(
    deadline_at: datetime, lost: timedelta, *, ended_at: datetime, now: datetime, calendar: Calendar
) -> datetime:
    """A deadline that gets back the play time it lost while nobody could move, until `ended_at`.

    One that lost nothing is unchanged. Where that time has run out again before anybody gave it
    back, at `now`, it is as after an outage since then.
    """
    after = calendar.move(deadline_at, lost, since=deadline_at)
    if not lost or after > now:
        return after
    return given_again(deadline_at, now - ended_at, now=now, calendar=calendar)


def after_parking(
    deadline_at: datetime, *, parked_at: datetime, now: datetime, calendar: Calendar
) -> datetime:
    """The deadline as it stands when a game that was parked since then is taken up again.

    The play time that was left is left again; where the deadline passed meanwhile it is at least
    what an outage gives.
    """
    after = calendar.move(deadline_at, calendar.play_time(parked_at, now), since=deadline_at)
    if deadline_at > now:
        return after
    return max(after, given_again(deadline_at, now - parked_at, now=now, calendar=calendar))


def given_again(
    deadline_at: datetime, gap: timedelta, *, now: datetime, calendar: Calendar
) -> datetime:
    """A new deadline for one that passed while nobody could play by it, for as long as `gap`.

    So much play time from `now` on, at least a quarter of the time to move and at most all.
    """
    move_time = calendar.pace.move_time
    time = min(max(gap, move_time / 4), move_time)
    return calendar.like(deadline_at, calendar.after(now, time))


def _after(start: datetime, duration: timedelta, rests: Iterator[Span]) -> datetime:
    """The first instant by which `duration` has passed since `start` outside the `rests`.

    The rests come in the order in which they begin; they may overlap.
    """
    at, left = start.astimezone(UTC), duration
    for begins, ends in rests:
        if begins - at >= left:
            break
        left -= max(begins - at, timedelta())
        at = max(at, ends)
    return at + left


def _nights(start: datetime, zone: tzinfo) -> Iterator[Span]:
    """The nights in `zone`, from the one that may be over at `start` on."""
    return (
        (at_hour(zone, day, NIGHT_BEGINS), at_hour(zone, day + ONE_DAY, NIGHT_ENDS))
        for day in _days_from(start, zone)
    )


def _at_hour(hour: int, calendar: Calendar, at: datetime) -> datetime:
    """The first such hour at the table from `at` on that is on no no-play day and no day off."""
    pace, zone = calendar.pace, calendar.zone
    return next(
        moment
        for day in _days_from(at, pace.zone)
        if (moment := at_hour(pace.zone, day, hour)) >= at
        and moment.astimezone(pace.zone).weekday() not in pace.no_play_days
        and not any(
            first <= moment.astimezone(zone).date() <= last for first, last in calendar.days_off
        )
    )


def _days_from(start: datetime, zone: tzinfo) -> Iterator[date]:
    """All days in `zone` from the one before `start` on: what began then may still last."""
    yesterday = start.astimezone(zone).date() - ONE_DAY
    return (yesterday + timedelta(days=number) for number in count())
