"""The state of the server: clock, worker and email, and what waits. Cheap enough for a public page.

All of it is in the database: nothing else is read, so nothing that hangs can hold it up.
"""

from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.cache import caches
from django.db import Error
from django.db.models import Count, Q

from games.models import Game, OutboxEmail, Tick
from games.services import site_state
from games.services.email import mail_server
from games.services.email.kinds import TELLS_WHO_TALKS
from games.services.operations import versions

LATE_AFTER: Final = timedelta(minutes=2)
SWEEPS_TO_BE_LATE: Final = 8
CLOCK_TOLERANCE: Final = timedelta(minutes=2)
"""A tick that lies further ahead than this is trouble: a clock is or was wrong."""

MAIL_LATE_AFTER: Final = timedelta(minutes=10)
FAILURES_ARE_NEWS: Final = timedelta(days=1)
FEWEST_PEOPLE: Final = 2
"""Email to one person may wait or fail because of that person's mailbox; to several, not."""

LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


class Health(NamedTuple):
    """Counts, and whether they are as they should be. They reveal nothing about a game."""

    last_tick: datetime | None
    clock_is_late: bool
    clock_is_ahead: bool
    last_task: datetime | None
    worker_is_silent: bool
    maintenance: bool
    time_is_given: bool
    last_backup: datetime | None
    running: int
    overdue: int
    parked: int
    resting: int
    email_task_is_late: bool
    mail_server_away_since: datetime | None
    last_mail_sent: datetime | None
    emails_waiting: int
    emails_late: int
    emails_failed: int
    email_stands_still: bool

    @property
    def is_well(self) -> bool:
        """A parked game waits for a moderator; for the server as a whole it is no trouble.

        In maintenance nothing is: its moderator knows. While all games are being given time, the
        clock leaves what is overdue.
        """
        overdue = self.overdue and not self.time_is_given
        clock = self.clock_is_late or self.clock_is_ahead or overdue
        return self.maintenance or not (clock or self.email_is_in_trouble)

    @property
    def email_is_in_trouble(self) -> bool:
        """Whether email does not leave, or does so late."""
        return self.email_task_is_late or self.email_stands_still


def email_stands_still(now: datetime) -> bool:
    """Whether no worker looks for email, or none of it leaves. Five small queries."""
    last_mail = Tick.objects.filter(name=Tick.MAIL).values_list("at", flat=True).first()
    return is_late(last_mail, now) or bool(_emails(now)["email_stands_still"])


def late_after() -> timedelta:
    """How long the clock may be silent, or a game past its deadline, before that is trouble."""
    return max(LATE_AFTER, timedelta(seconds=SWEEPS_TO_BE_LATE * settings.SWEEP_SECONDS))


def health(now: datetime) -> Health:
    """The state of the server, in eight queries, or ten; `django.db.Error` without database."""
    site = site_state.read()
    ticks = dict(Tick.objects.values_list("name", "at"))
    last_tick, last_mail = ticks.get(Tick.SWEEP), ticks.get(Tick.MAIL)
    last_task = max((ticks[name] for name in Tick.TASKS if name in ticks), default=None)
    return Health(
        last_tick=last_tick,
        clock_is_late=is_late(last_tick, now),
        clock_is_ahead=is_ahead(last_task, now),
        last_task=last_task,
        worker_is_silent=is_late(last_task, now),
        maintenance=site.maintenance_since is not None,
        time_is_given=site.time_is_given,
        last_backup=ticks.get(Tick.BACKUP),
        email_task_is_late=is_late(last_mail, now),
        **_games(now),
        **_emails(now),
    )


def why_unusable(failure: Error) -> str:
    """Why the database can't be used, in one word that tells strangers no more than that."""
    state = getattr(failure.__cause__, "sqlstate", None) or ""
    text = str(failure)
    if state.startswith(OUT_OF_RESOURCES) or "No space left on device" in text:
        return "full"
    if versions.lacks_something(failure):
        return "unmigrated"
    return "refused" if state or "FATAL" in text else "away"


OUT_OF_RESOURCES: Final = "53"


def is_late(tick: datetime | None, now: datetime) -> bool:
    """Whether a recurring task has not run for too long."""
    return tick is None or tick < now - late_after()


def is_ahead(tick: datetime | None, now: datetime) -> bool:
    """Whether a tick bears a time that is still to come."""
    return tick is not None and tick > now + CLOCK_TOLERANCE


def _games(now: datetime) -> dict[str, Any]:
    running = Game.objects.without_guests().filter(status=Game.Status.RUNNING)
    return {
        "running": _running(),
        "overdue": running.filter(deadline_at__lt=now - late_after()).count(),
        "parked": running.filter(parked_at__isnull=False).count(),
        "resting": running.filter(dormant_since__isnull=False).count(),
    }


def _running() -> int:
    """How many games people play; counted every few seconds, since there may be many."""
    memory = caches[site_state.MEMORY]
    known: int | None = memory.get(RUNNING)
    if known is None:
        running = Game.objects.filter(status=Game.Status.RUNNING)
        # Far fewer rows than those of all hosts are read like this.
        known = running.count() - running.filter(host__is_guest=True).count()
        memory.set(RUNNING, known)
    return known


RUNNING: Final = "running-games"


def _emails(now: datetime) -> dict[str, Any]:
    server = mail_server.read()
    last_sent, late = server.last_sent_at, now - MAIL_LATE_AFTER
    refused = ~Q(error="") & Q(created_at__lt=late)
    untouched = Q(error="") & Q(not_before__lt=late)
    countable = ~Q(kind__in=TELLS_WHO_TALKS)  # the status page is public
    waiting = OutboxEmail.objects.waiting().aggregate(
        # What leaves later, such as in a digest, is not what the mail server keeps waiting.
        emails_waiting=Count("pk", filter=countable & (Q(not_before__lte=now) | ~Q(error=""))),
        emails_late=Count("pk", filter=countable & (refused | untouched)),
        untouched=Count("pk", filter=untouched),
        refused=Count("person", filter=refused, distinct=True),
    )
    since = max(last_sent or LONG_AGO, now - FAILURES_ARE_NEWS)
    failed = OutboxEmail.objects.filter(
        status=OutboxEmail.Status.FAILED, created_at__gt=now - 2 * FAILURES_ARE_NEWS
    ).aggregate(
        emails_failed=Count("pk", filter=countable & Q(claimed_at__gt=now - FAILURES_ARE_NEWS)),
        since_then=Count("person", filter=Q(claimed_at__gt=since), distinct=True),
    )
    is_away = server.unavailable_since is not None and server.unavailable_since < late
    none_leaves = last_sent is None or last_sent < late
    several = max(waiting.pop("refused"), failed.pop("since_then")) >= FEWEST_PEOPLE
    untouched_wait = waiting.pop("untouched") > 0
    return {
        "mail_server_away_since": server.unavailable_since,
        "last_mail_sent": last_sent,
        "email_stands_still": untouched_wait or is_away or (none_leaves and several),
        **waiting,
        **failed,
    }
