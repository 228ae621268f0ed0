"""What is emailed to people, and what they read in it."""

import re
from datetime import timedelta
from email.message import EmailMessage
from html.parser import HTMLParser

from django.utils import timezone

from games.models import Game, OutboxEmail
from games.services.email import delivery
from tests.support.servers import Inbox


def code_in(mail: EmailMessage) -> str:
    """The code, which has a line of its own."""
    text = mail.get_body(("plain",)).get_content()
    return re.search(r"^\s*([0-9A-Z]+(?:-[0-9A-Z]+)*)\s*$", text, re.MULTILINE)[1]


def plain_text(mail: EmailMessage) -> str:
    """The text on one line, so that no line break matters."""
    return " ".join(mail.get_body(("plain",)).get_content().split())


def bodies(mail: EmailMessage) -> list[str]:
    """The text and the HTML, with the line ends of this machine."""
    found = [mail.get_body((kind,)).get_content() for kind in ("plain", "html")]
    return [body.replace("\r\n", "\n") for body in found]


ONLY_IN_HTML = {"preheader", "again", "board"}
"""What the list of emails shows after the subject, the first of two buttons, and the board."""


class _Words(HTMLParser):
    """The text of an HTML email, each link followed by its address as in the text."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.inside: list[tuple[str, str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        unseen = tag in {"title", "style"} or given.get("class") in ONLY_IN_HTML
        self.inside.append((tag, given.get("href") or "", unseen or self._is_unseen()))

    def handle_endtag(self, tag: str) -> None:
        while self.inside:
            opened, address, unseen = self.inside.pop()
            if opened == tag:
                if not unseen:
                    self.parts.append(address)
                return

    def handle_data(self, data: str) -> None:
        if not self._is_unseen():
            self.parts.append(data)

    def _is_unseen(self) -> bool:
        return bool(self.inside) and self.inside[-1][2]


def words_of_html(html: str) -> list[str]:
    """The words of the HTML of an email, in order."""
    reader = _Words()
    reader.feed(html)
    return re.findall(r"\w+", " ".join(reader.parts))


def emailed(kind: str, game: Game | None = None) -> list[str]:
    """The names of those to whom such an email is written, at one table or anywhere."""
    rows = OutboxEmail.objects.filter(kind=kind, **({"game": game} if game else {}))
    return sorted(rows.values_list("person__name", flat=True))


NO_TIME = timedelta()


def sent(smtp: Inbox, *, later: timedelta = NO_TIME) -> dict[str, str]:
    """Send what waits, then or later: the text of each email, by the first part of its address."""
    before = len(smtp.messages)
    delivery.drain(now=timezone.now() + later)
    return {mail["To"].partition("@")[0]: plain_text(mail) for mail in smtp.messages[before:]}
