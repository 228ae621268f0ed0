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

from django.conf import settings
from django.db.models import QuerySet

from games.models import EmailSender, Game, OutboxEmail, Tick
from games.services.sql import DATABASE_FAILS, once_more

LIVES_FOR: Final = timedelta(seconds=4)
"""How long a sender counts as living after it last said so."""

SAYS_SO_EVERY: Final = 1.0
"""How often it does, in seconds."""

BENEFIT_OF_THE_DOUBT: Final = 2.0
"""For how many seconds one may still say so: perhaps only the database was away."""

UNNAMED_LIVE_FOR: Final = timedelta(seconds=90)
"""Senders of versions that know no `EmailSender` say nothing, and end within this time."""

LATE_GAMES: Final = 20
"""With more games than this overdue by more than a sweep, the clock comes before email."""

WHILE_BEHIND_EVERY: Final = timedelta(seconds=5)
"""How often somebody sends for a second (`SAYS_SO_EVERY`) while the clock is behind."""


class LivingSender:
    """One who sends email. `clock` tells the time whenever it is asked.

    `has_released` is for whoever has listed what is to be sent: there may be more of it now.
    """

    def __init__(self, pk: int, clock: Callable[[], datetime]) -> None:
        self.id = pk
        self.clock = clock
        self.has_released = False
        self._lives = True
        self._said_at = self._steady_since = self._looked_at = time.monotonic()
        self._may_claim = True

    def may_claim(self) -> bool:
        """Whether it may take up more: in its first second, and while the clock isn't behind."""
        now = time.monotonic()
        if now > self._looked_at + SAYS_SO_EVERY:
            self._looked_at = now
            self._may_claim = not clock_is_behind(self.clock())
        return self._may_claim

    def lives_on(self) -> bool:
        """Whether nobody has taken it for dead. Call it often: it says once a second that it lives.

        If somebody has, nothing that it has claimed is its own any more. While it lives, it
        releases what others had claimed that have died: its own work may take long.
        """
        now = time.monotonic()
        if now > self._said_at + SAYS_SO_EVERY:
            row = EmailSender.objects.filter(pk=self.id)
            self._lives = bool(row.update(lives_until=self.clock() + LIVES_FOR))
            if now > self._said_at + 2 * SAYS_SO_EVERY:
                self._steady_since = now  # the database may have been away, for the others too
            self._said_at = now
            if self._lives and now > self._steady_since + BENEFIT_OF_THE_DOUBT:
                self.has_released |= _take_from(_silent(self.clock()))
        return self._lives


def may_begin(now: datetime) -> bool:
    """Whether email is sent now; while the clock is behind, once every `WHILE_BEHIND_EVERY`.

    A late move makes everybody wait, an email that is late by some seconds nobody. With four
    workers on two cores, 5,000 deadlines at once passed in 83 s, and in 90 while one sent on.
    """
    return not clock_is_behind(now) or Tick.objects.begin(
        Tick.MAIL_BEGUN, now=now, within=WHILE_BEHIND_EVERY
    )


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
    """Release what senders that died had claimed, also those of versions that said nothing."""
    silent = _silent(now)
    if _being_sent().filter(claimed_by__in=silent.values("pk")).exists():
        time.sleep(BENEFIT_OF_THE_DOUBT)
    _take_from(silent)
    unnamed = _being_sent().filter(claimed_by=None, claimed_at__lt=now - UNNAMED_LIVE_FOR)
    unnamed.update(status=OutboxEmail.Status.READY)


def clock_is_behind(now: datetime) -> bool:
    """Whether so many games are overdue by more than a sweep that email waits for the clock."""
    overdue = Game.objects.due(now - timedelta(seconds=settings.SWEEP_SECONDS))
    return overdue[LATE_GAMES:].exists()


def _silent(now: datetime) -> QuerySet[EmailSender]:
    """Those that haven't said for too long that they live."""
    return EmailSender.objects.filter(lives_until__lt=now)


def _being_sent() -> QuerySet[OutboxEmail]:
    return OutboxEmail.objects.filter(status=OutboxEmail.Status.SENDING)


def _take_from(silent: QuerySet[EmailSender]) -> bool:
    """End these senders, and release what was claimed by any that are gone; whether that is any."""
    silent.delete()
    # By their ids: whoever claims something from now on is none of them.
    claimers = set(_being_sent().exclude(claimed_by=None).values_list("claimed_by", flat=True))
    dead = claimers - set(EmailSender.objects.values_list("pk", flat=True))
    if not dead:
        return False
    released = _being_sent().filter(claimed_by__in=dead).update(status=OutboxEmail.Status.READY)
    return released > 0
