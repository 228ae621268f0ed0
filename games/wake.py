"""Wakes the sender of email, and lets features listen, right after a commit that concerns them.

Best effort, outside of the transaction and of the request: a thread tells the broker. Whatever is
wrong with the broker, nobody waits for it; what can't be told is told with the next try. What dies
with its process is found by others: the clock sends email anyway, and features look into the
database.
"""

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from kombu.exceptions import OperationalError
from redis import RedisError

from games import extensions, tasks
from games.services import outbox

logger = logging.getLogger(__name__)

BETWEEN_MESSAGES: Final = 0.25
"""Seconds between two messages of one kind from one process: each stands for all there is."""

AFTER_TROUBLE: Final = 5.0
"""Seconds until the broker is tried again."""

BETWEEN_MESSAGES_OF_A_WORKER: Final = 2.0
"""The same for the sender of email, from a process of a worker.

A sweep of many games writes email all the time, and each message costs its reader a connection to
the database. The clock sends one as often.
"""

EXPIRES: Final = 3600.0
"""After so many seconds a message is dropped, so that they don't pile up while no worker runs.

The worker's clock decides, so this is longer than clocks differ. By then there are four a second
from one process at most; those that are left cost a worker some small queries each.
"""


class Waker:
    """Calls `send` soon after each `wake`, in a thread of its own; once for many."""

    def __init__(self, whom: str, send: Callable[[], object]) -> None:
        self.seconds_between = BETWEEN_MESSAGES
        self._whom = whom
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
            except (OperationalError, RedisError, OSError) as trouble:
                logger.warning("Can't wake %s: %s", self._whom, trouble)
                self._written.set()
                time.sleep(AFTER_TROUBLE)
            else:
                time.sleep(self.seconds_between)


SENDER: Final = Waker("the sender of email", partial(tasks.mail.apply_async, expires=EXPIRES))


def connect(*, seconds_between: float = BETWEEN_MESSAGES) -> None:
    """Wake the sender from now on, so often at most, and let features listen.

    For processes that serve, not for commands and tests.
    """
    SENDER.seconds_between = seconds_between
    outbox.written.connect(SENDER.wake, dispatch_uid="wake the sender")
    extensions.serve()
