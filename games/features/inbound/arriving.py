"""Takes email in, whichever way it comes: replies, and what comes back as undeliverable."""

from datetime import datetime

from games.features.inbound import inbox
from games.features.inbound.inbox import Outcome
from games.features.inbound.letters import parsing
from games.services.email import bounces


def is_ours(address: str) -> bool:
    """Whether somebody may be written to at this address."""
    return bounces.is_return_address(address) or inbox.is_ours(address)


def take(*, address: str, return_path: str, raw: bytes, now: datetime) -> bool:
    """Store a reply for a worker, or that an address is dead; whether the address is ours.

    What nobody vouches for is ours as well: its sender learns nothing (`inbox.take`).
    """
    if bounces.is_return_address(address):
        bounces.record_returned(parsing.parsed(raw), now)
        return True
    outcome = inbox.take(address=address, return_path=return_path, raw=raw, now=now)
    return outcome is not Outcome.NOT_OURS
