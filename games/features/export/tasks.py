"""What Celery runs for exports."""

from typing import Final

from celery import shared_task

from games.features.export import requests
from games.models import database_now
from games.tasks import LAST_WORDS, call

EXPORT_SECONDS: Final = 540
"""How long one file with all data of a person may take: less than its lease."""


@shared_task(
    ignore_result=True, soft_time_limit=EXPORT_SECONDS - LAST_WORDS, time_limit=EXPORT_SECONDS
)
def export() -> None:
    """Make one file with all data of a person; the next one is for another message."""
    if requests.make_next(now=database_now()):
        call(export)
