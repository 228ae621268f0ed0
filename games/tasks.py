"""What Celery runs: a message in, one service each. Safe to run twice, late, or side by side."""

from celery import shared_task

from games.services.email.delivery import TASK_SECONDS
from games.services.operations import shifts

LAST_WORDS = 15
"""For how many seconds before its end a task that lasts too long may clear up."""


@shared_task(ignore_result=True)
def sweep() -> None:
    """Advance every due game."""
    shifts.sweep()


@shared_task(ignore_result=True, soft_time_limit=TASK_SECONDS - LAST_WORDS, time_limit=TASK_SECONDS)
def mail() -> None:
    """Send ready email for some seconds; what is left is for the next message."""
    if shifts.mail():
        mail.delay()


@shared_task(ignore_result=True)
def trim() -> None:
    """Take away what is long done with."""
    shifts.trim()
