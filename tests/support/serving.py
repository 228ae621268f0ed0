"""Signals, as they are listened to in a process that serves."""

from collections.abc import Iterator
from contextlib import contextmanager

from games import wake
from games.features.inbound import inbox
from games.services import live, outbox

WAKE = {outbox.written: "the sender", inbox.arrived: "the reader", live.changed: "the live pages"}


@contextmanager
def serving() -> Iterator[None]:
    """Whoever is to be woken is woken as long as this lasts."""
    wake.connect()
    try:
        yield
    finally:
        for signal, whom in WAKE.items():
            assert signal.disconnect(dispatch_uid=f"wake {whom}")
