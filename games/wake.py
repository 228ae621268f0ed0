"""Wakes the sender of email right after a commit that wrote some, instead of at the next beat.

Best effort, outside of the transaction and of the request: a thread tells the broker. Whatever is
wrong with the broker, nobody waits for it, and the beat still comes.
"""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from kombu.exceptions import OperationalError

from games import tasks
from games.services import outbox

logger = logging.getLogger(__name__)

BETWEEN_MESSAGES: Final = 0.25
"""Seconds between two messages of one process: each sends all that is ready."""

AFTER_TROUBLE: Final = 10.0
"""Seconds until the broker is tried again."""

EXPIRES: Final = 60.0
"""After so many seconds a message is of no use: while no worker runs, they must not pile up."""


class Waker:
    """Calls `send` soon after each `wake`, in a thread of its own; once for many."""

    def __init__(self, send: Callable[[], object]) -> None:
        self._send = send
        self._written = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def wake(self, **_signal: object) -> None:
        """Have it called, and don't wait for it."""
        self._written.set()
        with self._lock:
            # A process that was forked has no thread of its parent's.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="waker", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while True:
            self._written.wait()
            self._written.clear()
            try:
                self._send()
            except (OperationalError, OSError) as trouble:
                logger.warning("The sender of email can't be woken: %s", trouble)
                time.sleep(AFTER_TROUBLE)
            else:
                time.sleep(BETWEEN_MESSAGES)


SENDER: Final = Waker(partial(tasks.mail.apply_async, expires=EXPIRES))


def connect() -> None:
    """Wake the sender from now on: for processes that serve, not for commands and tests."""
    outbox.written.connect(SENDER.wake, dispatch_uid="wake the sender")
