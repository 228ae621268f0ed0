"""The messages from processes that write to live processes, over the broker; and their address."""

from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings

PATH: Final = "/live/"
"""The address of the streams, on the host of the pages."""


def channel() -> str:
    """The name of the site's own channel: sites that share a broker don't hear each other."""
    return f"live {settings.SITE_URL} {urlsplit(settings.CELERY_BROKER_URL).path}"


def encode(topics: Iterable[str]) -> str:
    """The message that these topics have changed (`games.services.live`)."""
    return " ".join(sorted(topics))


def decode(message: bytes) -> list[str]:
    """The topics of such a message."""
    return message.decode().split()
