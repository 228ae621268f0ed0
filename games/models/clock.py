"""When the clock last ticked."""

from django.db import models


class Tick(models.Model):
    """The latest tick of something that recurs: one row for each name, such as "sweep"."""

    name = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"
