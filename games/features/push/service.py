"""Gives an encrypted notification to the push service of a browser.

The address comes from whoever subscribes, so it is not to be trusted.
"""

from enum import Enum
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from games.services.public_http import NoResponseError, PublicSession

SECONDS: Final = 5.0
"""How long one notification may take in all."""


class Fate(Enum):
    """What became of a notification."""

    SENT = "sent"
    GONE = "gone"
    """The browser can't be reached any more, or the address is none to connect to."""
    LATER = "later"
    UNKNOWN = "unknown"
    """It was sent without a response: it may have arrived."""
    REFUSED = "refused"


class Encrypted(NamedTuple):
    """A notification for one browser, as its push service takes it."""

    endpoint: str
    body: bytes
    headers: dict[str, str]


def give(message: Encrypted) -> tuple[Fate, str]:
    """Give a notification to its push service: what became of it, and why."""
    parts = urlsplit(message.endpoint)
    host = parts.hostname or ""
    private = settings.PUSH_PRIVATE_HOSTS
    parts = parts._replace(netloc=f"{parts.netloc}:{private[host]}") if host in private else parts
    try:
        with (
            PublicSession(seconds=SECONDS, private=private) as session,
            session.post(
                parts.geturl(), message.body, headers=message.headers, stream=True
            ) as response,
        ):
            return _fate(response.status_code), f"{host} answers {response.status_code}"
    except ValueError as reason:
        return Fate.GONE, str(reason)
    except NoResponseError as reason:
        return Fate.UNKNOWN, f"{host}: {reason}"
    except OSError as reason:
        return Fate.LATER, f"{host}: {reason}"


def _fate(status: int) -> Fate:
    if 200 <= status < 300:
        return Fate.SENT
    if status in {404, 410}:
        return Fate.GONE
    return Fate.LATER if status == 429 or status >= 500 else Fate.REFUSED
