"""Wakes the reader of email right after some has come in."""

from functools import partial
from typing import Final

from games.features.inbound import inbox
from games.features.inbound.tasks import read_email
from games.wake import EXPIRES, Waker

READER: Final = Waker("the reader of email", partial(read_email.apply_async, expires=EXPIRES))


def listen() -> None:
    """Wake it from now on."""
    inbox.arrived.connect(READER.wake, dispatch_uid="wake the reader")
