"""The question of `manage.py doctor` to the processes of its own site, which nobody else can ask.

It stores a nonce in the database for as long as it asks. A process tells whoever knows the nonce
what it is and what it sees: so it answers a doctor with another key, too, and no stranger.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from django.db.models.functions import Now

from games.models import Tick

NONCE: Final = re.compile(r"[0-9a-f]{14}")
LASTS: Final = timedelta(minutes=1)

PARAMETER: Final = "probe"
"""The name of the parameter in which a request has its nonce."""


@contextmanager
def asking() -> Iterator[str]:
    """A new nonce, which is known as long as this lasts."""
    nonce = secrets.token_hex(7)
    Tick.objects.create(name=_name(nonce), at=Now())
    try:
        yield nonce
    finally:
        Tick.objects.filter(name=_name(nonce)).delete()
        Tick.objects.filter(name__startswith=_name(""), at__lt=Now() - timedelta(days=1)).delete()


def is_known(nonce: str, *, within: timedelta = LASTS) -> bool:
    """Whether a doctor asks with it now, by the clock of the database. One query at most."""
    if NONCE.fullmatch(nonce) is None:
        return False
    return Tick.objects.filter(name=_name(nonce), at__gt=Now() - within).exists()


def _name(nonce: str) -> str:
    return f"{Tick.PROBE} {nonce}"
