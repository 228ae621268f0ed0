"""When the clock last ticked, and when it had stood still."""

from datetime import datetime
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy


class TickQuerySet(models.QuerySet["Tick"]):
    def last_sweep(self) -> datetime | None:
        """When the clock last ticked; None where it never has."""
        return self.filter(name=Tick.SWEEP).values_list("at", flat=True).first()


class Tick(models.Model):
    """The latest tick of something that recurs: one row for each name, such as "sweep".

    `interval` is how long after the one before it came.
    """

    SWEEP: ClassVar = "sweep"

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
        verbose_name = gettext_lazy("outage of the clock")
        verbose_name_plural = gettext_lazy("outages of the clock")
        ordering: ClassVar = ["since", "pk"]

    def __str__(self) -> str:
        return f"{self.since} to {self.until}"
