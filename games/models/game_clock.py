"""What stops the time of a game, as one value, and the rows that can't be.

Not the clock that ticks (`clock.py`), nor the site's maintenance or a worker's retries.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from django.db.models import CheckConstraint, F, Q

if TYPE_CHECKING:
    from datetime import datetime, timedelta


class Stop(StrEnum):
    """What stops a game, the outermost first: each ends by itself, and leaves the ones below."""

    PARKED = "parked"
    DORMANT = "dormant"
    PAUSED = "paused"


class Clock(NamedTuple):
    """The clock of a running game: what stops it, and what it returns to when that ends.

    Each field is a column of `Game`. A game that falls dormant in a pause returns to the pause, and
    one that is parked returns to whatever it was. Negotiation time is a phase of running time: it
    ends at `talk_until`. While the game is dormant or paused it has `talk_seconds_left` of play
    time instead; parking leaves all instants as they are. A game that isn't running has an empty
    clock.
    """

    parked_at: "datetime | None" = None
    dormant_since: "datetime | None" = None
    paused_at: "datetime | None" = None
    paused_until: "datetime | None" = None
    talk_until: "datetime | None" = None
    talk_seconds_left: int | None = None

    @property
    def stop(self) -> Stop | None:
        """What stops the game now; None if time passes."""
        since = zip(Stop, (self.parked_at, self.dormant_since, self.paused_at), strict=True)
        return next((stop for stop, at in since if at is not None), None)

    def pause(self, now: "datetime", until: "datetime | None") -> Self:
        """Stop until an instant ahead, or until somebody resumes the game."""
        return self._replace(paused_at=now, paused_until=until)

    def resume(self) -> Self:
        return self._replace(paused_at=None, paused_until=None)

    def fall_dormant(self, now: "datetime") -> Self:
        return self._replace(dormant_since=now)

    def wake(self) -> Self:
        return self._replace(dormant_since=None)

    def park(self, now: "datetime") -> Self:
        return self._replace(parked_at=now)

    def take_up(self) -> Self:
        """Be parked no more."""
        return self._replace(parked_at=None)

    def talk(self, until: "datetime | None") -> Self:
        """Let the negotiation time end then; None: there is none, or no more."""
        return self._replace(talk_until=until, talk_seconds_left=None)

    def keep_talk(self, left: "timedelta") -> Self:
        """Keep so much of the negotiation time until the game goes on."""
        return self._replace(talk_until=None, talk_seconds_left=int(left.total_seconds()))


IS_STOPPED: Final = ~Q(parked_at=None, dormant_since=None, paused_at=None)
GOES_ON: Final = Q(status="running") & ~IS_STOPPED

# PostgreSQL lets a row pass whose condition is unknown. `deadline_at` is NULL beside `talk_until`
# only where the second of these refuses the row, or the game is parked.
CONSTRAINTS: Final = (
    CheckConstraint(
        condition=Q(status="running") | Q(**Clock()._asdict()), name="game_clock_while_running"
    ),
    CheckConstraint(
        condition=GOES_ON & Q(deadline_at__isnull=False) | ~GOES_ON & Q(deadline_at=None),
        name="game_deadline_exactly_while_going_on",
    ),
    CheckConstraint(
        condition=Q(paused_until=None)
        | Q(paused_at__isnull=False, paused_until__gt=F("paused_at")),
        name="game_pause_ends_after_it_began",
    ),
    CheckConstraint(
        condition=Q(talk_until=None, talk_seconds_left=None)
        | Q(talk_until__isnull=False, talk_seconds_left=None, dormant_since=None, paused_at=None)
        & (Q(parked_at__isnull=False) | Q(talk_until=F("deadline_at")))
        | Q(talk_until=None, talk_seconds_left__isnull=False) & IS_STOPPED,
        name="game_talk_ends_with_its_deadline_or_waits",
    ),
)
