"""The doctor's own email: sent out like any other, and looked for where email comes in."""

import re
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Final

from games.features.inbound import configured
from games.features.inbound.addresses import is_on, replies_domain
from games.features.inbound.letters.authentication import results_of, topmost
from games.mailboxes import spelled
from games.models import InboundEmail
from games.services.operations import probes
from games.services.operations.identity import identity

DOMAIN: Final = "forged.invalid"
"""From which nobody can write."""

ADDRESS: Final = re.compile(r"probe-([0-9a-f]{14})@(.+)")
TRAVELS: Final = timedelta(minutes=5)
"""How long such a message may be under way."""

METHODS: Final = ("dmarc", "spf", "dkim")


def address_of(nonce: str) -> str:
    """The address for one probe, as long as its nonce is in the database."""
    return f"probe-{nonce}@{replies_domain()}"


def is_probe(address: str) -> bool:
    """Whether a doctor is waiting for a message to this address."""
    found = ADDRESS.fullmatch(spelled(address))
    if found is None or not is_on() or found[2] != replies_domain():
        return False
    return probes.is_known(found[1], within=TRAVELS)


def forged_results(address: str) -> str:
    """What somebody else might write in our mail server's name, known by a mark of this probe."""
    return f'{configured.mail_server()}; dmarc=pass reason="{_mark(address)}" header.from={DOMAIN}'


def _is_forged(address: str, message: EmailMessage) -> bool:
    """Whether what counts as our mail server's header was brought along by the probe itself."""
    return _mark(address) in (topmost(message) or "")


def _mark(address: str) -> str:
    return f"forged {address.partition('@')[0]}"


def store(address: str, message: EmailMessage, now: datetime) -> None:
    """Store that a probe has arrived, how our mail server has checked it, and who has taken it."""
    address = spelled(address)
    results = results_of(message)
    InboundEmail.objects.get_or_create(
        person=None,
        game=None,
        thread=None,
        message_id=address,
        defaults={
            "received_at": now,
            "state": InboundEmail.State.DONE,
            "response": {
                "was_checked": results is not None,
                "was_forged": _is_forged(address, message),
                "results": [
                    f"{method}={result}"
                    for method, result, _about in results or ()
                    if method in METHODS
                ],
                "identity": identity()._asdict(),
            },
        },
    )


def arrived(address: str) -> InboundEmail | None:
    """The probe of this address; None as long as it hasn't arrived."""
    return InboundEmail.objects.filter(person=None, message_id=address).first()
