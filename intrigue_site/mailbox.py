"""Reads the email that the demo keeps in files instead of sending it."""

from collections.abc import Iterator
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings
from django.utils import timezone

from games.presentation.text.words import dated

END_OF_MAIL: Final = b"\n" + b"-" * 79 + b"\n"
"""The line that Django's file mailer writes after each email."""


class Envelope(NamedTuple):
    """What the head of an email says; `key` names it in addresses."""

    key: str
    at: datetime
    subject: str
    to: str

    @property
    def sent(self) -> str:
        """When it was sent, on the clock of the site."""
        return dated(self.at, timezone.get_current_timezone_name())


class Letter(NamedTuple):
    """One email; `html` is empty where it has only text."""

    envelope: Envelope
    text: str
    html: str


def envelopes() -> list[Envelope]:
    """Those of all email in VAR_DIR/mail, the newest first."""
    parser = BytesHeaderParser(policy=policy.default)
    found = [
        _envelope(key, parser.parsebytes(content))
        for file in _files()
        for key, content in _emails(file)
    ]
    return sorted(found, key=lambda one: (one.at, one.key), reverse=True)


def letter(key: str) -> Letter | None:
    """The email with this key; None if there is none."""
    stem = key.rpartition("-")[0]
    for file in _files():
        content = dict(_emails(file)).get(key) if file.stem == stem else None
        if content is not None:
            email = message_from_bytes(content, policy=policy.default)
            return Letter(_envelope(key, email), _part(email, "plain"), _part(email, "html"))
    return None


def _files() -> Iterator[Path]:
    return (settings.VAR_DIR / "mail").glob("*.log")


def _emails(file: Path) -> Iterator[tuple[str, bytes]]:
    """The emails of a file by their keys, unread."""
    for number, content in enumerate(file.read_bytes().split(END_OF_MAIL)[:-1]):
        yield f"{file.stem}-{number:03}", content


def _envelope(key: str, email: EmailMessage) -> Envelope:
    return Envelope(
        key=key,
        at=timezone.localtime(email["Date"].datetime),
        subject=email["Subject"],
        to=email["To"],
    )


def _part(email: EmailMessage, kind: str) -> str:
    part = email.get_body((kind,))
    return part.get_content() if part else ""
