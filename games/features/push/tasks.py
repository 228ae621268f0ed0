"""What Celery runs for notifications."""

from celery import shared_task

from games.features.push import delivery
from games.models import database_now
from games.services.email.delivery import TASK_SECONDS
from games.tasks import LAST_WORDS, call


@shared_task(ignore_result=True, soft_time_limit=TASK_SECONDS - LAST_WORDS, time_limit=TASK_SECONDS)
def push() -> None:
    """Notify browsers for some seconds; what is left is for the next message. Many may do so."""
    delivery.drain(now=database_now())
    if delivery.is_any_waiting():
        call(push)
