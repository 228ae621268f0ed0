"""Email on its way to the mail server: one after the other, or in parallel if one is slow."""

import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Final, NamedTuple, Self

from games.models import OutboxEmail
from games.services.email.answers import Outcome
from games.services.email.mail_server import Sender
from games.services.email.message import TwoBodies

MOST_SENDERS: Final = 16
"""How many emails are sent at once. Mail servers accept 50 connections from one place."""

MOST_RETRIES: Final = MOST_SENDERS // 2
"""How many of these may have failed before: those that hang leave room for the others."""

SEND_SECONDS: Final = 30.0
"""How long one email may take in all, however slowly the server answers."""

LOOK_EVERY: Final = 1.0


class _OnItsWay(NamedTuple):
    emails: list[OutboxEmail]
    sender: Sender
    since: float


class Post:
    """A context with a connection for each email that is being sent; leaving it closes them.

    Only the sending itself happens in threads of its own: the database is the caller's.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(MOST_SENDERS)
        self._idle = [Sender()]
        self._busy: dict[Future[Outcome], _OnItsWay] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for way in self._busy.values():
            way.sender.abort()
        self._threads.shutdown()
        for sender in self._idle:
            sender.close()

    def open(self, meanwhile: Callable[[], object]) -> str:
        """Connect to the mail server, and do this every second until then; the error, or ""."""
        opened = self._threads.submit(self._idle[0].open)
        while not wait([opened], LOOK_EVERY).done:
            meanwhile()
        return opened.result().error

    @property
    def is_busy(self) -> bool:
        """Whether any email is being sent."""
        return bool(self._busy)

    @property
    def has_room(self) -> bool:
        """Whether one more may be sent now."""
        return len(self._busy) < MOST_SENDERS

    @property
    def may_retry(self) -> bool:
        """Whether one more that has failed before may be sent now."""
        return sum(way.emails[0].attempts > 1 for way in self._busy.values()) < MOST_RETRIES

    def send(self, emails: list[OutboxEmail], message: TwoBodies) -> None:
        """Start to send emails as one message, over the connection used last if it is free."""
        sender = self._idle.pop() if self._idle else Sender()
        ended = self._threads.submit(sender.send, message)
        self._busy[ended] = _OnItsWay(emails, sender, time.monotonic())

    def ended(self, seconds: float | None) -> list[tuple[list[OutboxEmail], Outcome]]:
        """What has ended after so many seconds at most, or when the first one does (None)."""
        done = wait(self._busy, seconds or LOOK_EVERY, return_when=FIRST_COMPLETED).done
        if not done:
            for way in self._busy.values():
                if time.monotonic() - way.since > SEND_SECONDS:
                    way.sender.abort()
        return [self._take(future) for future in done]

    def _take(self, future: Future[Outcome]) -> tuple[list[OutboxEmail], Outcome]:
        way = self._busy.pop(future)
        self._idle.append(way.sender)
        return way.emails, future.result()
