"""What `manage.py doctor` says of the live pages: whether anybody listens, and whom it reaches."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Final

import requests
from django.conf import settings
from redis import RedisError

from games.extensions import Finding
from games.features.live.channel import PATH
from games.features.live.publisher import listening
from games.services.operations.doctor import asking, seen

PART: Final = "Live"
WHO: Final = "The live process"


def findings() -> Iterator[Finding]:
    """A site may do without: pages then show what is new when they are loaded."""
    count = _listening()
    if count is None:
        return  # the core's doctor reports it
    if count:
        yield Finding(PART, f"processes listening: {count}.", is_well=True)
    else:
        yield Finding(
            PART,
            "no process is listening, so open pages don't follow the games by themselves. Start "
            "one: uvicorn intrigue_site.live:application",
            is_well=True,
        )


def _listening() -> int | None:
    """How many processes there are; None while the broker is away."""
    try:
        return listening()
    except RedisError:
        return None


def findings_by_web() -> Iterator[Finding]:
    """Open a stream, as pages do; nothing is wrong with a site that has none at all."""
    address = f"{settings.SITE_URL}{PATH}"
    try:
        reply = asking.probe_stream(PATH)
    except requests.Timeout:
        yield Finding(
            PART,
            f"{address} sends nothing within {asking.SECONDS:g} seconds. The proxy must pass on "
            "each piece of a stream at once: nginx and Caddy do, as in docs/hosting.md.",
        )
        return
    except OSError:
        return  # the core's doctor reports it
    if reply.has_facts:
        yield from seen.of_process(PART, WHO, reply)
    elif reply.facts.get("probe") == "unknown":
        yield Finding(
            PART,
            f"{WHO} uses another database than this command. Give all processes the same "
            "DATABASE_URL, then restart them.",
        )
    elif reply.status in asking.AWAY:
        yield Finding(
            PART,
            f"{address} answers {reply.status}, because no live process runs where the proxy looks "
            "for one. Start it (systemctl start intrigue-live), and compare its port with the one "
            "in the proxy's configuration. To do without: FEATURES_OFF=live.",
        )
    elif reply.status == HTTPStatus.OK or _listening():
        yield Finding(
            PART,
            f"{address} answers {reply.status}, and not like a live process of this version. Let "
            f"the proxy pass on {PATH} to it, and restart it.",
        )
