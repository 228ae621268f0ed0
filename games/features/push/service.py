"""Gives an encrypted notification to the push service of a browser.

The address comes from whoever subscribes, so it is not to be trusted: it is resolved once, and
connected to only if it is public; redirects are not followed.
"""

import http.client
import socket
import ssl
import time
from enum import Enum
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from games.services.public_hosts import NotPublicError, public_address_within

SECONDS: Final = 5.0
"""How long one notification may take in all."""

PORT: Final = 443


class Fate(Enum):
    """What became of a notification."""

    SENT = "sent"
    GONE = "gone"
    """The browser can't be reached any more, or the address is none to connect to."""
    LATER = "later"
    UNKNOWN = "unknown"
    """It was sent, and nobody answered: it may have arrived."""
    REFUSED = "refused"


class Encrypted(NamedTuple):
    """A notification for one browser, as its push service takes it."""

    endpoint: str
    body: bytes
    headers: dict[str, str]


def give(message: Encrypted) -> tuple[Fate, str]:
    """Give a notification to its push service: what became of it, and why."""
    until = time.monotonic() + SECONDS
    parts = urlsplit(message.endpoint)
    host = parts.hostname or ""
    try:
        address = public_address_within(SECONDS, host, PORT, private=settings.PUSH_PRIVATE_HOSTS)
    except (NotPublicError, ValueError) as reason:
        return Fate.GONE, str(reason)
    except OSError as reason:
        return Fate.LATER, f"{host} can't be resolved: {reason}"
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    connection = _Connection(host, address, until)
    fate = Fate.LATER
    try:
        connection.connect()
        fate = Fate.UNKNOWN
        connection.request("POST", path, body=message.body, headers=message.headers)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as reason:
        return fate, f"{host}: {reason!r}"
    finally:
        connection.close()
    return _fate(status), f"{host} answers {status}"


def _fate(status: int) -> Fate:
    if 200 <= status < 300:
        return Fate.SENT
    if status in {404, 410}:
        return Fate.GONE
    return Fate.LATER if status == 429 or status >= 500 else Fate.REFUSED


class _Connection(http.client.HTTPSConnection):
    """A connection to one address, which proves to be that of the host. It ends in time."""

    def __init__(self, host: str, address: str, until: float) -> None:
        context = ssl.create_default_context()
        context.sslsocket_class = _Socket
        super().__init__(host, PORT, context=context)
        self._address = address
        self._until = until

    def connect(self) -> None:
        port = settings.PUSH_PRIVATE_HOSTS.get(self.host, PORT)
        plain = socket.create_connection((self._address, port), _left(self._until))
        plain.settimeout(_left(self._until))
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)  # type: ignore[attr-defined]
        self.sock.until = self._until


class _Socket(ssl.SSLSocket):
    """Gives up at the instant `until`, though something comes again and again."""

    until: float

    def recv_into(self, *where: Any, **more: Any) -> int:
        self.settimeout(_left(self.until))
        return super().recv_into(*where, **more)

    def send(self, *what: Any, **more: Any) -> int:
        self.settimeout(_left(self.until))
        return super().send(*what, **more)


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError("It takes too long.")
    return left
