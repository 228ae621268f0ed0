"""When the clock last ticked, and when it had stood still."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.db import connection, models
from django.utils.translation import gettext_lazy


def database_now() -> datetime:
    """The time by the clock of the database: one for all machines, however theirs are set."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


class TickQuerySet(models.QuerySet["Tick"]):
    def last_sweep(self) -> datetime | None:
        """When the clock last ticked; None where it never has."""
        return self.filter(name=Tick.SWEEP).values_list("at", flat=True).first()

    def ticked(self, name: str, now: datetime) -> None:
        """Store that it happened now."""
        if not self.filter(name=name).update(at=now):
            self.update_or_create(name=name, defaults={"at": now})

    def begin(self, name: str, *, now: datetime, within: timedelta) -> bool:
        """Store that something begins now, unless it began less than `within` ago.

        True for one caller only, however many ask at once. A beginning that lies ahead is none:
        somebody's clock has been set back.
        """
        before = self.filter(name=name).exclude(at__gt=now - within, at__lte=now)
        if before.update(at=now):
            return True
        _tick, is_first = self.get_or_create(name=name, defaults={"at": now})
        return is_first


class Tick(models.Model):
    """The latest tick of something that recurs: one row for each name, such as "sweep".

    "sweep" and "mail" are work that was done: they show that the clock runs and that email is
    looked after. The other `TASKS` are those that a worker has begun, see `TickQuerySet.begin`.
    "backup" is when one was last finished.
    `interval` is how long after the one before it a tick came.
    """

    SWEEP: ClassVar = "sweep"
    MAIL: ClassVar = "mail"
    SWEEP_BEGUN: ClassVar = "sweep begun"
    MAIL_BEGUN: ClassVar = "mail begun"
    TRIM_BEGUN: ClassVar = "trim begun"
    ENDS_ANNOUNCED: ClassVar = "ends announced"
    TASKS: ClassVar = (SWEEP, MAIL, SWEEP_BEGUN, MAIL_BEGUN, TRIM_BEGUN, ENDS_ANNOUNCED)

    BACKUP: ClassVar = "backup"
    PROBE: ClassVar = "probe"
    """How the names of those begin that `games.services.operations.probes` stores."""

    name = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField()
    interval = models.DurationField(null=True)

    objects = TickQuerySet.as_manager()

    class Meta:
        verbose_name = gettext_lazy("tick")
        verbose_name_plural = gettext_lazy("ticks")

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"


class Outage(models.Model):
    """A time in which no clock ticked: kept until every deadline that fell into it was moved."""

    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        verbose_name = gettext_lazy("clock outage")
        verbose_name_plural = gettext_lazy("clock outages")
        ordering: ClassVar = ["since", "pk"]

    def __str__(self) -> str:
        return f"{self.since} to {self.until}"
