"""The key by which push services know this site (VAPID, RFC 8292)."""

import base64
from collections.abc import Iterator
from functools import cache
from typing import Final

from cryptography.hazmat.primitives import serialization
from django.conf import settings
from py_vapid import Vapid02

from games.extensions import Finding

KEY_BYTES: Final = 32


def is_configured() -> bool:
    """Whether this site can send notifications at all."""
    return bool(settings.PUSH_KEY)


def is_valid() -> bool:
    """Whether `PUSH_KEY` is a private key, as `new_key` makes them."""
    try:
        return len(as_bytes(settings.PUSH_KEY)) == KEY_BYTES and bool(public_key())
    except ValueError:
        return False


@cache
def own_key() -> Vapid02:
    """The private key of the site; ValueError where `PUSH_KEY` is none."""
    return Vapid02.from_raw(settings.PUSH_KEY.encode())


def public_key() -> str:
    """The public key of the site, with which a browser subscribes."""
    return as_text(_point(own_key()))


def new_key() -> str:
    """A new private key, as `PUSH_KEY` wants it."""
    made = Vapid02()
    made.generate_keys()
    return as_text(made.private_key.private_numbers().private_value.to_bytes(32))


def _point(key: Vapid02) -> bytes:
    return bytes(
        key.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
    )


def as_text(raw: bytes) -> str:
    """Base64 for URLs without padding, as everything about push is written."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def as_bytes(text: str) -> bytes:
    """The bytes of such a text; ValueError where it is none."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def findings() -> Iterator[Finding]:
    """A site may do without notifications, but not with a wrong key."""
    part = "Notifications"
    if not is_configured():
        yield Finding(
            part, "off. PUSH_KEY turns them on, and manage.py push_key makes one.", is_well=True
        )
    elif is_valid():
        yield Finding(part, "PUSH_KEY is a key.", is_well=True)
    else:
        yield Finding(part, "PUSH_KEY isn't a key. Make one: manage.py push_key")
