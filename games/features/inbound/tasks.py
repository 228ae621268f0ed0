"""What Celery runs for replies."""

from celery import shared_task

from games.features.inbound.acting import handling
from games.services.email.delivery import TASK_SECONDS
from games.tasks import LAST_WORDS, call


@shared_task(ignore_result=True, soft_time_limit=TASK_SECONDS - LAST_WORDS, time_limit=TASK_SECONDS)
def read_email() -> None:
    """Do what email asks for that came in. Many may do so at once."""
    if handling.work():
        call(read_email)
