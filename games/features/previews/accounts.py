"""Every email about an account with sample content, for previews."""

from datetime import datetime
from typing import Any, Final

from django.utils.translation import override

from games.models import User
from games.presentation.text.sanctions import decided
from games.services.accounts import emails
from games.services.email.message import TwoBodies

ADDRESS: Final = "anna@sample.invalid"

TEMPLATES: Final = {
    template.rpartition("/")[2]: template
    for template in (
        *emails.CODES,
        *emails.notices(),
        emails.CLOSED,
        "account/email/unknown_account",
        "account/email/account_already_exists",
    )
}
"""What django-allauth calls each, by the last part of it."""


def preview(key: str, language: str, zone: str, now: datetime) -> TwoBodies:
    """One of them to somebody who doesn't exist, in this language and zone."""
    person = User(email=ADDRESS, name="Anna", language=language, time_zone=zone)
    with override(language):
        return emails.compose(TEMPLATES[key], ADDRESS, person, _known(now))


def _known(now: datetime) -> dict[str, Any]:
    """The context of them all."""
    return {
        "code": "A2B3-C4D5",
        "timestamp": now,
        "ip": "192.0.2.1",
        "user_agent": "Firefox",
        "from_email": "anna@old.invalid",
        "to_email": ADDRESS,
        "deleted_email": "anna@old.invalid",
        "provider": "OpenID",
        "decided": decided("person.ban"),
        "reason": "…",
        "link": "https://sample.invalid/",
    }
