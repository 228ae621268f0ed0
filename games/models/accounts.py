"""What administrators are about to do to accounts."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models


class FactorReset(models.Model):
    """Somebody has lost their second factor, as an administrator says, and it will be removed.

    After `WAIT`, or when a second administrator confirms it; until then its person can stop it, by
    a link in the email about it, or by using the factor.
    """

    WAIT: ClassVar = timedelta(hours=24)

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="factor_reset", editable=False
    )
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    reason = models.CharField(max_length=500)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.person} at {self.due_at}"

    @property
    def due_at(self) -> datetime:
        """When it will be removed."""
        return self.at + FactorReset.WAIT
