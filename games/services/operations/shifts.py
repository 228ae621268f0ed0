"""What a worker does for one message of a beat. Messages may be many: a surplus one is cheap.

The time is the database's: a worker or beat whose own clock is minutes off does no harm.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection

from games.models import OutboxEmail, Tick, database_now
from games.services.email import delivery, mail_server
from games.services.operations import alarms, clock
from games.services.operations import trim as trimming
from games.services.sql import DATABASE_FAILS

logger = logging.getLogger(__name__)

TRIM_EVERY = timedelta(hours=1)

BETWEEN_TRIES: Final = 1.0
"""Seconds after which a database that is away is asked again."""


def sweep(call_helper: Callable[[datetime], object]) -> None:
    """Let the clock look for what is due, unless it began to just now.

    `call_helper` calls another worker to `help_out` until the next sweep, if many games are due.
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


def mail() -> bool:
    """Send what is ready, unless somebody does; whether there is more.

    One at a time, on all machines together: so email never takes the whole of a worker that also
    advances games. If whoever sends dies, the next begins when no drain can last any longer.
    """
    if not _alone(Tick.MAIL_BEGUN, delivery.drain):
        return False
    # Whoever was woken meanwhile has left it to this one, also where that had nothing to send.
    return OutboxEmail.objects.ready(database_now()).exists() and mail_server.is_available()


def _alone(name: str, drain: Callable[..., object]) -> bool:
    """Let this drain work unless somebody else's does; whether it did.

    If the database fails meanwhile, others may begin as soon as it is back: the note that this one
    has begun is taken away over a new connection, however often that has to be tried.
    """
    now, began = database_now(), time.monotonic()
    try:
        if not Tick.objects.begin(name, now=now, within=timedelta(seconds=delivery.TASK_SECONDS)):
            return False
        drain(now=now)
    except DATABASE_FAILS as trouble:
        logger.warning("%s stopped: %s", name, trouble)
        _end_when_possible(name, now, began + delivery.TASK_SECONDS)
    except BaseException:
        Tick.objects.end(name, now)
        raise
    else:
        Tick.objects.end(name, now)
    return True


def _end_when_possible(name: str, begun_at: datetime, until: float) -> None:
    """Once it isn't any more after `until` on the monotonic clock, the note counts no longer."""
    while True:
        try:
            connection.close()
            Tick.objects.end(name, begun_at)
        except DATABASE_FAILS:
            if time.monotonic() > until:
                raise
            time.sleep(BETWEEN_TRIES)
        else:
            return


def trim() -> None:
    """Take away what is long done with, unless somebody began to just now."""
    now = database_now()
    if Tick.objects.begin(Tick.TRIM_BEGUN, now=now, within=TRIM_EVERY / 2):
        trimming.trim(now=now)
