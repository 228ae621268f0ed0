"""Hours on people's clocks: when a clock shows one, and people's quiet hours.

Arithmetic without clock or database. All instants that come out are in UTC.
"""

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple, Self

from games.models import Game, User
from games.zones import zone_of

ONE_DAY: Final = timedelta(days=1)
ONE_SECOND: Final = timedelta(seconds=1)
HOURS: Final = frozenset(range(24))
SLOW_ENOUGH: Final = timedelta(hours=2)
"""Tables at which people have less time for a move ignore quiet hours."""


class QuietHours(NamedTuple):
    """From the hour `start` of each day to the hour `end` of the same or the next one."""

    start: int
    end: int
    zone: tzinfo

    @classmethod
    def of(cls, person: User | None, game: Game | None = None) -> Self | None:
        """The quiet hours of a person, if they have any, as far as a game heeds them (days 33)."""
        start = person.quiet_from if person is not None else None
        end = person.quiet_until if person is not None else None
        if person is None or start is None or end is None or start == end:
            return None
        if not {start, end} <= HOURS:
            return None  # a broken row, of which nobody else is to notice anything
        if game is not None and timedelta(seconds=game.move_seconds) < SLOW_ENOUGH:
            return None
        return cls(start, end, zone_of(person.time_zone))

    def around(self, at: datetime) -> tuple[datetime, datetime] | None:
        """Beginning and end of the quiet time in which an instant lies; None if it lies in none."""
        today = at.astimezone(self.zone).date()
        for day in (today - ONE_DAY, today):
            began = at_hour(self.zone, day, self.start)
            last = day if self.start < self.end else day + ONE_DAY
            ends = at_hour(self.zone, last, self.end)
            if began <= at < ends:
                return began, ends
        return None

    def has(self, hour: int) -> bool:
        """Whether an hour of the day is one of them."""
        return (hour - self.start) % 24 < (self.end - self.start) % 24


def next_hour(zone: tzinfo, hour: int, after: datetime) -> datetime:
    """The first instant not before `after` at which clocks in the zone show this hour."""
    day = after.astimezone(zone).date()
    today = at_hour(zone, day, hour)
    return today if today >= after else at_hour(zone, day + ONE_DAY, hour)


def at_hour(zone: tzinfo, day: date, hour: int = 0) -> datetime:
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
    """The local time that the clocks of `zone` show."""
    return at.astimezone(zone).replace(tzinfo=None)
