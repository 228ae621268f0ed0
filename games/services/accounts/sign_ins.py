"""With which browser, and from where, people are signed in: signs that two accounts are one person.

It is kept for `KEPT` (`trim`), and only moderators read it. The profile says so.
"""

import re
import secrets
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Final

from django.utils.translation import gettext as _

from games.models import SharedBrowser, SignIn, User
from games.presentation.text.tables import time_text

KEPT: Final = timedelta(days=90)
"""How long the browser and address of a sign-in are kept, as the privacy notice says."""

COOKIE_AGE: Final = 365 * 24 * 3600
LONGEST_AGENT: Final = 200

NOTED_ON: Final = "prolonged_on"
"""Where a session holds the day when it was prolonged last, and its sign-in noted."""

MOST_ACCOUNTS: Final = 10
"""Of how many accounts a browser is remembered to be shared; a school's may have hundreds."""


def what_is_kept() -> str:
    """What is stored of a sign-in, as a sentence for whoever signs in."""
    text = _(
        "When you sign in, we keep a record of your browser (identified by our own cookie) and "
        "your IP address for {time}."
    )
    return text.format(time=time_text(KEPT))


def device_of(cookie: str) -> str:
    """The device that the cookie names; a new one for none, or for what is not ours."""
    return cookie if re.fullmatch(r"[\w-]{22}", cookie, re.ASCII) else secrets.token_urlsafe(16)


def known_by(user: User, *, cookie: str, address: str | None) -> str:
    """By what somebody who asks for this account is known to have been signed in to it; "" if not.

    Their browser, which nobody else can claim to have, else their network.
    """
    sign_ins = SignIn.objects.filter(user=user)
    if sign_ins.filter(device=cookie).exists():
        return f"device {cookie}"
    network = network_of(address)
    known = sign_ins.values_list("address", flat=True).distinct()
    return f"network {network}" if network and network in map(network_of, known) else ""


def network_of(address: str | None, bits: int = 64) -> str:
    """An IPv4 address, or the network of IPv6 with so many bits; "" for none.

    One device has a /64, and a household up to a /56.
    """
    if address is None:
        return ""
    address = address.partition("%")[0]  # by which of its cards a neighbour came
    bits = 32 if ip_address(address).version == 4 else bits
    return str(ip_network(f"{address}/{bits}", strict=False))


def household_of(address: str | None) -> str:
    """The network of a household, which in IPv6 has hundreds of networks; "" for none."""
    return network_of(address, bits=56)


def record(
    user: User, *, device: str, address: str, agent: str, now: datetime, just_now: bool
) -> None:
    """Record that somebody is signed in, in one query.

    A person who has signed in `just_now` with the browser of somebody else is recorded as a pair.
    """
    seen = SignIn(
        user=user, device=device, address=address, agent=agent[:LONGEST_AGENT],
        first_at=now, last_at=now,
    )  # fmt: skip
    SignIn.objects.bulk_create(
        [seen],
        update_conflicts=True,
        unique_fields=["user", "device", "address"],
        update_fields=["last_at", "agent"],
    )
    if just_now:
        _record_pairs(user, device, now)


def _record_pairs(user: User, device: str, now: datetime) -> None:
    others = SignIn.objects.filter(device=device).exclude(user=user).order_by("user")
    pairs = [
        SharedBrowser(first_id=min(user.pk, other), second_id=max(user.pk, other), last_at=now)
        for other in others.values_list("user", flat=True).distinct()[:MOST_ACCOUNTS]
    ]
    if pairs:
        SharedBrowser.objects.bulk_create(
            pairs,
            update_conflicts=True,
            unique_fields=["first", "second"],
            update_fields=["last_at"],
        )
