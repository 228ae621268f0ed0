"""What Celery runs: ids and instants in, one service each."""

from celery import shared_task
from django.utils import timezone

from games.services import clock, outbox
from games.services import trim as trimming


@shared_task(ignore_result=True)
def sweep() -> None:
    """Advance every due game, then send ready mail. Safe to run twice, late, or side by side."""
    clock.sweep(now=timezone.now())
    outbox.drain(now=timezone.now())


@shared_task(ignore_result=True)
def trim() -> None:
    """Take away what is long done with. Safe to run twice, or side by side."""
    trimming.trim(now=timezone.now())
