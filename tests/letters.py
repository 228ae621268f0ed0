"""What is mailed to people, and what they read in it."""

import re
from email.message import EmailMessage

from django.utils import timezone

from games.models import Game, OutboxMail
from games.services import outbox
from tests.servers import Inbox


def code_in(mail: EmailMessage) -> str:
    """The code, which has a line of its own."""
    text = mail.get_body(("plain",)).get_content()
    return re.search(r"^\s*([0-9A-Z]+(?:-[0-9A-Z]+)*)\s*$", text, re.MULTILINE)[1]


def plain_text(mail: EmailMessage) -> str:
    """The text on one line, so that no line break matters."""
    return " ".join(mail.get_body(("plain",)).get_content().split())


def mailed(kind: str, game: Game | None = None) -> list[str]:
    """The names of those to whom such a mail is written, at one table or anywhere."""
    rows = OutboxMail.objects.filter(kind=kind, **({"game": game} if game else {}))
    return sorted(rows.values_list("person__name", flat=True))


def sent(smtp: Inbox) -> dict[str, str]:
    """Send what waits: the text of each mail, by the first part of its address."""
    before = len(smtp.messages)
    outbox.drain(now=timezone.now())
    return {mail["To"].partition("@")[0]: plain_text(mail) for mail in smtp.messages[before:]}
