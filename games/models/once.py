"""What was carried out already, so that the same request again changes nothing."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class DoneRequest(models.Model):
    """A request of a person that was carried out. `token` names it (`services.game.once`).

    Moves and messages keep the token themselves.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    token = models.UUIDField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "token"], name="request_done_once"),
        ]
        indexes: ClassVar = [
            # Read by services.operations.trim only.
            models.Index(fields=["at"], name="request_done_at"),
        ]

    def __str__(self) -> str:
        return f"{self.token} of {self.user}"
