"""Who sends email: any number at once, on any number of machines, but one process of each worker.

A sender says every second that it lives. Once it hasn't for some seconds, others take its row
away and send what it had claimed. If it was only frozen, it finds that out before it sends more.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from django.db.models import Q

from games.models import EmailSender, OutboxEmail
from games.services.sql import DATABASE_FAILS, once_more

LIVES_FOR: Final = timedelta(seconds=4)
"""How long a sender counts as living after it last said so."""

SAYS_SO_EVERY: Final = 1.0
"""How often it does, in seconds."""

BENEFIT_OF_THE_DOUBT: Final = 2.0
"""For how many seconds one may still say so: perhaps only the database was away."""

UNNAMED_LIVE_FOR: Final = timedelta(seconds=90)
"""Senders of versions that know no `EmailSender` say nothing, and end within this time."""


class LivingSender:
    """One who sends email. `clock` tells the time whenever it is asked."""

    def __init__(self, pk: int, clock: Callable[[], datetime]) -> None:
        self.id = pk
        self.clock = clock
        self._lives = True
        self._said_at = time.monotonic()

    def lives_on(self) -> bool:
        """Whether nobody has taken it for dead. Call it often: it says once a second that it lives.

        If somebody has, nothing that it has claimed is its own any more.
        """
        now = time.monotonic()
        if now > self._said_at + SAYS_SO_EVERY:
            row = EmailSender.objects.filter(pk=self.id)
            self._lives = bool(row.update(lives_until=self.clock() + LIVES_FOR))
            self._said_at = now
        return self._lives


def clock_from(now: datetime) -> Callable[[], datetime]:
    """What tells the time whenever it is asked, where it is `now`."""
    began = time.monotonic()
    return lambda: now + timedelta(seconds=time.monotonic() - began)


@contextmanager
def begin(clock: Callable[[], datetime], worker: str) -> Iterator[LivingSender | None]:
    """A sender as long as the context lasts; None if another process of the worker is one."""
    row, may_begin = EmailSender.objects.get_or_create(
        worker=worker or uuid4().hex, defaults={"lives_until": clock() + LIVES_FOR}
    )
    if not may_begin:
        yield None
        return
    try:
        yield LivingSender(row.pk, clock)
    finally:
        with suppress(*DATABASE_FAILS):
            once_more(EmailSender.objects.filter(pk=row.pk).delete)


def release_stuck(*, now: datetime) -> None:
    """Release what senders that died had claimed."""
    sending = OutboxEmail.objects.filter(status=OutboxEmail.Status.SENDING)
    claimers = set(sending.values_list("claimed_by", flat=True))
    silent = EmailSender.objects.filter(lives_until__lt=now)
    if not claimers.isdisjoint(silent.values_list("pk", flat=True)):
        time.sleep(BENEFIT_OF_THE_DOUBT)
    silent.delete()
    # By their ids: whoever claims something from now on is none of them.
    dead = claimers - set(EmailSender.objects.values_list("pk", flat=True))
    unnamed = Q(claimed_by=None, claimed_at__lt=now - UNNAMED_LIVE_FOR)
    sending.filter(unnamed | Q(claimed_by__in=dead)).update(status=OutboxEmail.Status.READY)
