"""What a worker does for one message of a clock. Messages may be many: a surplus one is cheap.

The time is the database's: a worker or beat whose own clock is minutes off does no harm.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings

from games.models import EmailSender, OutboxEmail, Tick, database_now
from games.services.email import delivery, mail_server
from games.services.email.senders import clock_is_behind, may_begin
from games.services.operations import alarms, clock
from games.services.operations import trim as trimming
from games.services.sql import DATABASE_FAILS

logger = logging.getLogger(__name__)

TRIM_EVERY = timedelta(hours=1)


def sweep(call_helper: Callable[[datetime], object]) -> None:
    """Let the clock look for what is due, unless it began to just now.

    `call_helper` calls another worker to `help_out` until the next sweep, if there is much to do.
    """
    now, every = database_now(), timedelta(seconds=settings.SWEEP_SECONDS)
    if not Tick.objects.begin(Tick.SWEEP_BEGUN, now=now, within=every / 2):
        return
    clock.sweep(now=now, call_helper=lambda: call_helper(now + every))
    alarms.watch_email(now)


def help_out(until: datetime) -> bool:
    """Help a sweep; whether there may be more to do, and the next sweep isn't due."""
    now = database_now()
    return now < until and clock.help_out(now=now) == clock.GAMES_OF_A_HELPER


def mail(worker: str = "") -> bool:
    """Send what is ready, unless another process of this worker does; whether to go on at once.

    One of a worker at a time, so that email never takes the whole of one that also advances games.
    """
    try:
        now = database_now()
        if not may_begin(now):
            return False
        sent = delivery.drain(now=now, worker=worker)
    except DATABASE_FAILS as trouble:
        logger.warning("Sending email has stopped: %s", trouble)
        return False
    # Whoever was woken meanwhile has left it to this one, also where that had nothing to send.
    may_go_on = sent > 0 or not EmailSender.objects.exists()
    now = database_now()
    if not may_go_on or clock_is_behind(now):
        return False
    return OutboxEmail.objects.ready(now).next_ones().exists() and mail_server.is_available()


def trim() -> None:
    """Take away what is long done with, unless somebody began to just now."""
    now = database_now()
    if Tick.objects.begin(Tick.TRIM_BEGUN, now=now, within=TRIM_EVERY / 2):
        trimming.trim(now=now)
