"""When the clock last ticked."""

from django.db import models
from django.utils.translation import gettext_lazy


class Tick(models.Model):
    """The latest tick of something that recurs: one row for each name, such as "sweep"."""

    name = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = gettext_lazy("tick")
        verbose_name_plural = gettext_lazy("ticks")

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
