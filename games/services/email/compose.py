"""The message of an email as it is sent: its two templates, filled by the context of its kind.

Nothing secret goes into a subject.
"""

import re
import secrets
from urllib.parse import urlsplit

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation

from games.models import Game, Invitation, OutboxMail, Seat
from games.services.email.kinds import kind_of
from games.services.email.mime import TwoBodies
from games.services.email.subscriptions import UnsubscribeLink, unsubscribe_links
from games.services.inbound.outgoing import reply_of
from games.services.lobby import email_invitees


def compose(email: OutboxMail, seat: Seat | None) -> TwoBodies:
    """The message, in the reader's language; `seat` is the reader's seat at the email's game."""
    with translation.override(_language(email)):
        return _message(email, seat)


def _language(email: OutboxMail) -> str:
    """The language of the person; of an invitation to an address, that of its sender."""
    person = email.person
    if person is None:
        invitation = Invitation.objects.select_related("invited_by").filter(pk=email.about).first()
        person = invitation.invited_by if invitation is not None else None
    return (person.language if person is not None else "") or settings.LANGUAGE_CODE


def _message(email: OutboxMail, seat: Seat | None) -> TwoBodies:
    """Text and HTML that say the same, in the game's thread if it is about a game."""
    kind = kind_of(email)
    links = unsubscribe_links(email)
    reply = reply_of(email, seat)
    context = {
        "person": email.person,
        "game": email.game,
        "link": settings.SITE_URL + (email.game.get_absolute_url() if email.game else "/"),
        "link_text": kind.link_text,
        "unsubscribe_links": links,
        "reply_hint": reply.hint,
        **kind.context(email, seat),
    }
    text = render_to_string(f"email/{kind.key}.txt", context).lstrip()
    subject, _, body = text.partition("\n")  # The text template begins with the subject.
    return TwoBodies(
        subject=subject.strip(),
        text=re.sub(r"\n{3,}", "\n\n", body.strip()),
        html=render_to_string(f"email/{kind.key}.html", context),
        recipient=email.person.email if email.person is not None else email.address,
        headers=reply.headers({**_headers(email), **_list_headers(links)}),
    )


def message_id(email: OutboxMail) -> str:
    """A new Message-ID, which this email then keeps, however often it is sent.

    Random: the numbers of rows repeat after a restore, and mailboxes hide what they have seen.
    """
    about = f".game-{email.game_id}" if email.game_id is not None else ""
    return f"<{secrets.token_hex(12)}{about}@{site_host()}>"


def site_host() -> str:
    """The host name of this site, with which all Message-IDs end."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def _headers(email: OutboxMail) -> dict[str, str]:
    headers = {"Message-ID": email.message_id, "Auto-Submitted": "auto-generated"}
    if email.game is None or email_invitees.gets(email):
        return headers
    return headers | _thread(email.game)


def _thread(game: Game) -> dict[str, str]:
    """All email about a game is one thread, and one list."""
    first = f"<game-{game.pk}@{site_host()}>"
    name = "".join(character for character in game.name if character.isalnum() or character == " ")
    return {
        "In-Reply-To": first,
        "References": first,
        "List-Id": f"{name} <game-{game.pk}.{site_host()}>",
    }


def _list_headers(links: list[UnsubscribeLink]) -> dict[str, str]:
    """One click in the mail program does what the first link does (RFC 8058)."""
    if not links:
        return {}
    return {
        "List-Unsubscribe": f"<{links[0].url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
