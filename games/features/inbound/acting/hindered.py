"""What somebody has to settle on the site before their replies are acted on."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import User
from games.services.accounts import gate
from games.services.accounts.gate import Hindrance
from games.services.refused import Refused

AT_TABLES: Final = frozenset({Hindrance.SUSPENDED})
"""A suspended person may ask for help and for how things stand; `Change` refuses the rest."""


def refuse_hindered(person: User, now: datetime, open_to: Collection[str] = AT_TABLES) -> None:
    """Refuse whatever they write with what they have to settle first on the site.

    Not for a hindrance with which they may write all the same.
    """
    for hindrance in gate.hindrances(person, now):
        if hindrance not in open_to:
            text, page = _settled_on(hindrance)
            raise Refused(text.format(link=f"{settings.SITE_URL}{reverse(page)}"))


def _settled_on(hindrance: Hindrance) -> tuple[str, str]:
    """What to say, and the page where it is settled."""
    if hindrance is Hindrance.TERMS_OWED:
        text = _(
            "We couldn't process your email: this site has changed its terms or privacy notice. "
            "Please accept them, then write again: {link}"
        )
        return text, "accept_terms"
    if hindrance is Hindrance.NAME_OWED:
        text = _(
            "We couldn't process your email. Before you write again, please choose another "
            "public name: {link}"
        )
        return text, "profile"
    text = _(
        "We couldn't process your email: your account needs two-factor authentication, which "
        "doesn't work by email. Please use the site: {link}"
    )
    return text, "games:home"
