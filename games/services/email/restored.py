"""Drops email that waited in a backup, once the backup has been read in.

The site from which it was taken went on, and has sent what was ready by then: news would come a
second time. So it is dropped, with all that waits in features. Only email about a player's turn is
sent once more, if it still is, since a game waits for them, and they may have moved after the
backup.
"""

from datetime import datetime
from typing import Final

from django.db import connection

from games import extensions
from games.models import OutboxEmail

STAYS: Final = "your_turn"

WHY: Final = "It waited in a backup that was restored."


def drop_what_waited(now: datetime) -> int:
    """Drop the email that was ready before now, and what waits in features; how many emails.

    Reads and writes only what every release has had: a backup may be older than the code.
    """
    status = OutboxEmail.Status
    waited = OutboxEmail.objects.filter(
        status__in=(status.READY, status.SENDING), not_before__lte=now
    )
    dropped = waited.exclude(kind=STAYS).update(status=status.DROPPED, error=WHY)
    tables = connection.introspection.table_names()
    for rows in extensions.waiting():
        if rows.model._meta.db_table in tables:  # noqa: SLF001 (documented)
            rows.delete()
    return dropped
