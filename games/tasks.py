"""What Celery runs: a message in, one service each. Safe to run twice, late, or side by side."""

import logging
from datetime import datetime

from celery import shared_task
from kombu.exceptions import OperationalError

from games.inbound import handling
from games.services.email.delivery import TASK_SECONDS
from games.services.operations import shifts

logger = logging.getLogger(__name__)

EXPORT_SECONDS = 540
"""How long one file with all data of a person may take: less than its lease."""

LAST_WORDS = 15
"""For how many seconds before its end a task that lasts too long may clear up."""


@shared_task(ignore_result=True)
def sweep() -> None:
    """Advance every due game, with other workers if there are many; see whether email leaves."""
    if shifts.sweep(_call_helper):
        push.delay()  # the task of email, which else calls it, may be what fails
    if shifts.has_inbound_email():
        read_email.delay()


@shared_task(ignore_result=True)
def help_out(until: str) -> None:
    """Advance some of many due games, and go on until the next sweep."""
    if shifts.help_out(datetime.fromisoformat(until)):
        help_out.delay(until)


def _call_helper(until: datetime) -> None:
    """Best effort: the sweep goes on by itself."""
    try:
        help_out.delay(until.isoformat())
    except OperationalError as trouble:
        logger.warning("Nobody can be called to help the clock: %s", trouble)


@shared_task(ignore_result=True, soft_time_limit=TASK_SECONDS - LAST_WORDS, time_limit=TASK_SECONDS)
def mail() -> None:
    """Send ready email for some seconds; what is left is for the next message."""
    if shifts.has_notifications():
        push.delay()
    if shifts.has_exports():
        export.delay()
    if shifts.mail():
        mail.delay()


@shared_task(ignore_result=True, soft_time_limit=TASK_SECONDS - LAST_WORDS, time_limit=TASK_SECONDS)
def push() -> None:
    """Send notifications to browsers for some seconds; what is left is for the next message."""
    if shifts.push():
        push.delay()


@shared_task(
    ignore_result=True, soft_time_limit=EXPORT_SECONDS - LAST_WORDS, time_limit=EXPORT_SECONDS
)
def export() -> None:
    """Make one file with all data of a person; the next one is for another message."""
    if shifts.export():
        export.delay()


@shared_task(ignore_result=True)
def read_email() -> None:
    """Do what email asks for that came in. Many may do so at once."""
    if handling.work():
        read_email.delay()


@shared_task(ignore_result=True)
def trim() -> None:
    """Take away what is long done with."""
    shifts.trim()
