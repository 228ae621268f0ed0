"""The doctor's own email: sent out like any other, and looked for where email comes in."""

import re
import secrets
from datetime import datetime
from email.message import EmailMessage
from typing import Final

from django.utils.crypto import constant_time_compare, salted_hmac

from games.features.inbound import configured
from games.features.inbound.addresses import is_on, replies_domain
from games.features.inbound.letters.authentication import results_of, topmost
from games.mailboxes import spelled
from games.models import InboundEmail

DOMAIN: Final = "forged.invalid"
"""From which nobody can write."""

ADDRESS: Final = re.compile(r"probe-([0-9a-f]{16})-([0-9a-f]{20})@(.+)")


def new_address() -> str:
    """An address for one probe; nobody else can make one."""
    nonce = secrets.token_hex(8)
    return f"probe-{nonce}-{_signature(nonce)}@{replies_domain()}"


def is_probe(address: str) -> bool:
    """Whether it is an address of such a message."""
    found = ADDRESS.fullmatch(spelled(address))
    if found is None or not is_on() or found[3] != replies_domain():
        return False
    return constant_time_compare(_signature(found[1]), found[2])


def forged_results(address: str) -> str:
    """What somebody else might write in our mail server's name, known by a mark of this probe."""
    mark = _signature(f"forged {address}")
    return f'{configured.mail_server()}; dmarc=pass reason="{mark}" header.from={DOMAIN}'


def _is_forged(address: str, message: EmailMessage) -> bool:
    """Whether what counts as our mail server's header was brought along by the probe itself."""
    return _signature(f"forged {address}") in (topmost(message) or "")


def store(address: str, message: EmailMessage, now: datetime) -> None:
    """Store that a probe has arrived, and how our mail server has checked it; nothing else."""
    address = spelled(address)
    InboundEmail.objects.get_or_create(
        person=None,
        game=None,
        thread=None,
        message_id=address,
        defaults={
            "received_at": now,
            "state": InboundEmail.State.DONE,
            "response": {
                "was_checked": results_of(message) is not None,
                "was_forged": _is_forged(address, message),
            },
        },
    )


def arrived(address: str) -> InboundEmail | None:
    """The probe of this address; None as long as it hasn't arrived."""
    return InboundEmail.objects.filter(person=None, message_id=address).first()


def _signature(nonce: str) -> str:
    return salted_hmac("probe addresses", nonce, algorithm="sha256").hexdigest()[:20]
