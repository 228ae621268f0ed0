"""Announces to the live processes what has changed, from a process that serves."""

import threading
from collections.abc import Iterable
from functools import cache
from typing import Final

from django.conf import settings
from redis import Redis

from games.features.live.channel import channel, encode
from games.services import live
from games.wake import Waker


class Publisher:
    """Collects what has changed, and announces it to the live processes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._topics: set[str] = set()
        self._waker = Waker("the live pages", self._publish)

    def announce(self, topics: Iterable[str], **_signal: object) -> None:
        """Have these topics announced soon."""
        with self._lock:
            self._topics.update(topics)
        self._waker.wake()

    def _publish(self) -> None:
        with self._lock:
            topics, self._topics = self._topics, set()
        try:
            _broker().publish(channel(), encode(topics))
        except BaseException:
            with self._lock:
                self._topics |= topics
            raise


@cache
def _broker() -> Redis:
    return Redis.from_url(
        settings.CELERY_BROKER_URL, socket_timeout=5, socket_connect_timeout=2, protocol=2
    )


PUBLISHER: Final = Publisher()


def connect() -> None:
    """Announce changes from now on."""
    live.changed.connect(PUBLISHER.announce, dispatch_uid="wake the live pages")


def listening() -> int:
    """How many live processes hear what is announced; RedisError while the broker is away."""
    return sum(number for _channel, number in _broker().pubsub_numsub(channel()))
