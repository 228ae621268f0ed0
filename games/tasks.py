"""What Celery runs: a message in, one service each. Safe to run twice, late, or side by side."""

import logging
from datetime import datetime

from celery import Task, shared_task
from kombu.exceptions import OperationalError
from redis import RedisError

from games import extensions
from games.services.email.delivery import TASK_SECONDS
from games.services.operations import shifts

logger = logging.getLogger(__name__)

LAST_WORDS = 15
"""For how many seconds before its end a task that lasts too long may clear up."""


def call(task: Task, *about: str) -> None:
    """Call a worker. Best effort: this task goes on, and the clock sees to what nobody did."""
    try:
        task.delay(*about)
    except (OperationalError, RedisError, OSError) as trouble:
        logger.warning("Nobody can be called for %s: %s", task.name, trouble)


def _call_for_features() -> None:
    """Call workers for what features have to do, after each sweep: any of the tasks may fail."""
    for task in extensions.waiting_work():
        call(task)


@shared_task(ignore_result=True)
def sweep() -> None:
    """Advance games, with other workers if there are many; see whether email leaves."""
    shifts.sweep(lambda until: call(help_out, until.isoformat()))
    _call_for_features()


@shared_task(ignore_result=True)
def help_out(until: str) -> None:
    """Do some of what a sweep has too much of, and go on until the next one."""
    if shifts.help_out(datetime.fromisoformat(until)):
        call(help_out, until)


@shared_task(
    bind=True,
    ignore_result=True,
    soft_time_limit=TASK_SECONDS - LAST_WORDS,
    time_limit=TASK_SECONDS,
)
def mail(self: Task) -> None:
    """Send ready email for some seconds; what is left is for the next message."""
    _call_for_features()
    if shifts.mail(self.request.hostname or ""):
        call(mail)


@shared_task(ignore_result=True)
def trim() -> None:
    """Take away what is long done with."""
    shifts.trim()
