"""Reads the email that the demo keeps in files instead of sending it."""

from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final

from django.conf import settings
from django.utils import timezone

from games.presentation.text.words import dated

END_OF_MAIL: Final = b"\n" + b"-" * 79 + b"\n"
"""The line that Django's file mailer writes after each email."""


@dataclass(frozen=True)
class Letter:
    """One email: `key` names it in addresses, `html` is empty where it has only text."""

    key: str
    at: datetime
    subject: str
    to: str
    text: str
    html: str

    @property
    def sent(self) -> str:
        """When it was sent, on the clock of the site."""
        return dated(self.at, timezone.get_current_timezone_name())


def letters() -> list[Letter]:
    """All email in VAR_DIR/mail, the newest first."""
    found: list[Letter] = []
    for file in (settings.VAR_DIR / "mail").glob("*.log"):
        emails = file.read_bytes().split(END_OF_MAIL)[:-1]
        found += [_letter(f"{file.stem}-{number:03}", email) for number, email in enumerate(emails)]
    return sorted(found, key=lambda letter: (letter.at, letter.key), reverse=True)


def _letter(key: str, content: bytes) -> Letter:
    email = message_from_bytes(content, policy=policy.default)
    return Letter(
        key=key,
        at=timezone.localtime(email["Date"].datetime),
        subject=email["Subject"],
        to=email["To"],
        text=_part(email, "plain"),
        html=_part(email, "html"),
    )


def _part(email: EmailMessage, kind: str) -> str:
    part = email.get_body((kind,))
    return part.get_content() if part else ""
