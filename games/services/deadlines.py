"""By when a seat has to answer, and when its player is reminded.

Arithmetic without clock or database (docs/play-over-days.md, 2 and 3). A duration is elapsed time,
whatever the clocks on the wall do meanwhile; days, nights and the fixed hour are read from the wall
clock of a zone. All instants that come out are in UTC.
"""

import heapq
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import count
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from games.models import Game

ONE_DAY: Final = timedelta(days=1)
ONE_SECOND: Final = timedelta(seconds=1)
WEEKDAYS: Final = frozenset(range(7))
NIGHT_BEGINS: Final = 23
NIGHT_ENDS: Final = 7
REMIND_AFTER: Final = 0.8
"""The part of the time after which a player is reminded."""
REMIND_AGAIN: Final = timedelta(hours=2)
"""How long before the end a player is reminded once more."""
MOST_SILENCE: Final = timedelta(minutes=5)
"""A clock that is silent for longer has stood still."""

type Days = tuple[date, date]
"""A first and a last day, both included."""
type Span = tuple[datetime, datetime]
"""From an instant up to another, which is not part of it any more."""


@dataclass(frozen=True)
class Pace:
    """How fast a table plays: `answer_time` of play time for an answer.

    `no_play_days` are weekdays (0 is Monday) in the table's `zone` that are no play time;
    `fixed_hour` is the hour there to which deadlines move on. ValueError where no weekday is left.
    """

    answer_time: timedelta
    zone: tzinfo = UTC
    no_play_days: frozenset[int] = frozenset()
    fixed_hour: int | None = None

    def __post_init__(self) -> None:
        if not self.no_play_days < WEEKDAYS:
            raise ValueError("No-play days are weekdays from 0 to 6, and one is left to play on.")


class Deadline(NamedTuple):
    """When the default is played, and whether that is a full answering time (ruling 3)."""

    at: datetime
    full: bool


class Reminder(NamedTuple):
    """When a player is reminded of a deadline, and whether no other reminder follows."""

    at: datetime
    is_last: bool


def pace_of(game: Game) -> Pace:
    """The pace with which a table was opened."""
    return Pace(
        answer_time=timedelta(seconds=game.answer_seconds),
        zone=ZoneInfo(game.time_zone),
        no_play_days=frozenset(game.no_play_days),
        fixed_hour=game.fixed_hour,
    )


def full_deadline(
    pace: Pace, opened_at: datetime, days_off: Collection[Days] = (), zone: tzinfo = UTC
) -> datetime:
    """When the answering time of a seat ends that runs from the opening of its phase.

    Neither the table's no-play days count nor the seat's own `days_off`, which are days in its
    player's `zone`, announced before the question opened. Where the table has a fixed hour the
    deadline moves on to the first one that is on none of these days; without one it may be the
    very moment at which such a day begins.
    """
    at = _after(opened_at, pace.answer_time, _rests(pace, opened_at, days_off, zone))
    if pace.fixed_hour is None:
        return at
    return _at_hour(pace.fixed_hour, pace, at, days_off, zone)


def late_deadline(
    pace: Pace,
    shared: datetime,
    asked_at: datetime,
    days_off: Collection[Days] = (),
    zone: tzinfo = UTC,
) -> Deadline:
    """The deadline of a seat that is asked later than its phase opened (bribing in sequence).

    `shared` is the seat's full deadline from the opening. A quarter of the answering time is left
    to it in any case (so 3 h and more at tables of 12 h and more, where 2 h are the least), outside
    the nights of its `zone`, no-play days and its days off: who is away could not use them either.
    The fixed hour has no part in this. It is a full answering time where that much play time lies
    between the question and `shared`.
    """
    whole = _after(asked_at, pace.answer_time, _rests(pace, asked_at, days_off, zone))
    quarter = _after(
        asked_at,
        pace.answer_time / 4,
        heapq.merge(_rests(pace, asked_at, days_off, zone), _nights(asked_at, zone)),
    )
    return Deadline(max(shared, quarter), full=whole <= shared)


def next_reminder(*, asked_at: datetime, deadline_at: datetime, after: datetime) -> Reminder | None:
    """The first reminder of a deadline that is due after the instant `after`, if any.

    One is due when 80 % of the time from `asked_at` has passed, and one two hours before the end
    where that is later. A moved deadline warns anew: `asked_at` is then when it was moved.
    """
    first = asked_at + REMIND_AFTER * (deadline_at - asked_at)
    last = max(first, deadline_at - REMIND_AGAIN)
    due = [at for at in (first, last) if at > after]
    return Reminder(due[0], is_last=due[0] == last) if due else None


def after_outage(
    deadline_at: datetime, *, last_tick: datetime, now: datetime, answer_time: timedelta
) -> datetime:
    """The deadline as it stands when the clock ticks at `now` for the first time since `last_tick`.

    One that passed while the clock stood still, for more than 5 minutes, moves to `now` plus the
    longer of that gap and a quarter of the answering time, at most one answering time (ruling 11).
    Any other is unchanged.
    """
    if now - last_tick <= MOST_SILENCE or not last_tick < deadline_at <= now:
        return deadline_at
    return given_again(last_tick, now, answer_time)


def after_a_standstill(
    deadline_at: datetime,
    lost: timedelta,
    *,
    ended_at: datetime,
    now: datetime,
    answer_time: timedelta,
) -> datetime:
    """A deadline that gets back the time it lost while nobody could answer, until `ended_at`.

    One that lost nothing is unchanged. Where that time has run out again before anybody gave it
    back, at `now`, it is as after an outage since then.
    """
    after = deadline_at + lost
    if not lost or after > now:
        return after
    return given_again(ended_at, now, answer_time)


def given_again(since: datetime, now: datetime, answer_time: timedelta) -> datetime:
    """A new deadline for one that passed while nobody could play by it, `since` then.

    From `now` on as long as that lasted, at least a quarter of the answering time and at most all.
    """
    return now + min(max(now - since, answer_time / 4), answer_time)


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


def _rests(pace: Pace, start: datetime, days_off: Collection[Days], zone: tzinfo) -> Iterator[Span]:
    """When a seat need not think of the game, from the day before `start` on."""
    off = (
        (_moment(zone, first), _moment(zone, last + ONE_DAY)) for first, last in sorted(days_off)
    )
    if not pace.no_play_days:
        return off
    no_play = (
        (_moment(pace.zone, day), _moment(pace.zone, day + ONE_DAY))
        for day in _days_from(start, pace.zone)
        if day.weekday() in pace.no_play_days
    )
    return heapq.merge(off, no_play)


def _nights(start: datetime, zone: tzinfo) -> Iterator[Span]:
    """The nights in `zone`, from the one that may be over at `start` on."""
    return (
        (_moment(zone, day, NIGHT_BEGINS), _moment(zone, day + ONE_DAY, NIGHT_ENDS))
        for day in _days_from(start, zone)
    )


def _at_hour(
    hour: int, pace: Pace, at: datetime, days_off: Collection[Days], zone: tzinfo
) -> datetime:
    """The first such hour at the table from `at` on that is on no no-play day and no day off."""
    return next(
        moment
        for day in _days_from(at, pace.zone)
        if (moment := _moment(pace.zone, day, hour)) >= at
        and moment.astimezone(pace.zone).weekday() not in pace.no_play_days
        and not any(first <= moment.astimezone(zone).date() <= last for first, last in days_off)
    )


def _days_from(start: datetime, zone: tzinfo) -> Iterator[date]:
    """All days in `zone` from the one before `start` on: what began then may still last."""
    yesterday = start.astimezone(zone).date() - ONE_DAY
    return (yesterday + timedelta(days=number) for number in count())


def _moment(zone: tzinfo, day: date, hour: int = 0) -> datetime:
    """The instant at which the clocks of `zone` show this hour of the day.

    The first of two where the clocks are set back; where they are set forward over it, the moment
    after.
    """
    shown = datetime.combine(day, time(hour), tzinfo=zone)
    early, late = shown.replace(fold=1).astimezone(UTC), shown.astimezone(UTC)
    if early >= late:  # the hour exists
        return late
    # No clock shows it: between the two readings the clocks jump to a later hour.
    second = bisect_left(
        range(int((late - early).total_seconds())),
        x=True,
        key=lambda number: _wall(early + number * ONE_SECOND, zone) > shown.replace(tzinfo=None),
    )
    return early + second * ONE_SECOND


def _wall(at: datetime, zone: tzinfo) -> datetime:
    """What the clocks of `zone` show."""
    return at.astimezone(zone).replace(tzinfo=None)
