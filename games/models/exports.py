"""Files with all data of a person, for themselves."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models


class Export(models.Model):
    """A file with all that is stored about a person, from when they ask for it to a day after.

    One at a time. `content` is the file, compressed, None until it is made (`made_at`). While
    somebody makes it, `not_before` is in the future. Only its person may read it: it is in no list
    of moderators.
    """

    KEPT: ClassVar = timedelta(days=1)

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="export", editable=False
    )
    requested_at = models.DateTimeField()
    not_before = models.DateTimeField()
    made_at = models.DateTimeField(null=True)
    content = models.BinaryField(null=True)

    def __str__(self) -> str:
        return f"Export for {self.user}"

    @property
    def until(self) -> datetime | None:
        """When it is deleted; None while it isn't made."""
        return self.made_at and self.made_at + Export.KEPT
