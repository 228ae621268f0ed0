"""How the server is: when the clock last ticked, and what waits. Cheap enough for a public page."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Count, Q

from games.models import Game, OutboxMail, Tick
from games.services import site_state

LATE_AFTER: Final = timedelta(minutes=2)
SWEEPS_TO_BE_LATE: Final = 8
MAIL_LATE_AFTER: Final = timedelta(minutes=10)


class Health(NamedTuple):
    """Counts, and whether they are as they should be. Nobody's game can be told from them."""

    last_tick: datetime | None
    clock_is_late: bool
    maintenance: bool
    time_is_given: bool
    running: int
    overdue: int
    parked: int
    resting: int
    mails_waiting: int
    mails_late: int

    @property
    def is_well(self) -> bool:
        """A parked game waits for a moderator; for the server as a whole it is no trouble.

        In maintenance nothing is: whoever began it knows. While all games are being given time, the
        clock leaves what is overdue.
        """
        overdue = self.overdue and not self.time_is_given
        return self.maintenance or not (self.clock_is_late or overdue or self.mails_late)


def late_after() -> timedelta:
    """How long the clock may be silent, or a game past its deadline, before that is trouble."""
    return max(LATE_AFTER, timedelta(seconds=SWEEPS_TO_BE_LATE * settings.SWEEP_SECONDS))


def health(now: datetime) -> Health:
    """How the server is, in four queries; `django.db.Error` where the database is away."""
    site = site_state.read()
    last_tick = Tick.objects.last_sweep()
    return Health(
        last_tick=last_tick,
        clock_is_late=last_tick is None or last_tick < now - late_after(),
        maintenance=site.maintenance_since is not None,
        time_is_given=site.time_is_given,
        **_games(now),
        **_mails(now),
    )


def _games(now: datetime) -> dict[str, int]:
    return Game.objects.filter(status=Game.Status.RUNNING).aggregate(
        running=Count("pk"),
        overdue=Count("pk", filter=Q(deadline_at__lt=now - late_after())),
        parked=Count("pk", filter=Q(parked_at__isnull=False)),
        resting=Count("pk", filter=Q(resting_since__isnull=False)),
    )


def _mails(now: datetime) -> dict[str, int]:
    return OutboxMail.objects.filter(status=OutboxMail.Status.READY).aggregate(
        mails_waiting=Count("pk"),
        mails_late=Count("pk", filter=Q(not_before__lt=now - MAIL_LATE_AFTER)),
    )
