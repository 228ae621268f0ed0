"""What people see and get of what moderators decide about them, for tests."""

import re
from html import unescape

from django.utils import timezone

from games.models import Game
from games.services.email import delivery
from games.services.people.display_names import player_name
from tests.support.sent_emails import plain_text
from tests.support.tables import DAY


def in_days(days: int) -> str:
    """What a moderator in UTC writes into the field of an end."""
    return (timezone.now() + days * DAY).strftime("%Y-%m-%dT%H:%M")


def decisions(smtp, name: str) -> list[str]:
    """The decisions that were emailed to somebody, as text; the HTML has the same."""
    delivery.drain(now=timezone.now())
    subject = "A moderator's decision about your account"
    found = [
        mail
        for mail in smtp.messages
        if mail["To"] == f"{name.lower()}@example.org" and mail["Subject"] == subject
    ]
    for mail in found:
        html = re.sub(r"</?bdi[^>]*>", "", mail.get_body(("html",)).get_content())
        html = unescape(re.sub(r"<[^>]+>", " ", html))
        for line in mail.get_body(("plain",)).get_content().splitlines()[2:4]:
            assert " ".join(line.split()) in " ".join(html.split())
    return [plain_text(mail) for mail in found]


def absent(game: Game) -> list[str]:
    return sorted(player_name(seat) for seat in game.seats.exclude(absent_since=None))
