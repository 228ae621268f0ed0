"""The message of emails as they are sent: two templates, filled by the context of their kinds.

Nothing secret goes into a subject.
"""

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from games import extensions
from games.models import Game, OutboxEmail, Seat, User
from games.presentation.text.words import day_and_hour
from games.services.chat.thread_queries import conversation_of
from games.services.email.kinds import kind_of
from games.services.email.message import TwoBodies
from games.services.email.subscriptions import EmailLink, links_of, links_of_digest
from games.services.email.two_parts import subject_and_text
from games.services.lobby import email_invitees
from games.services.people.display_names import isolated_names
from games.services.public_ids import short_id

NEVER: Final = datetime.max.replace(tzinfo=UTC)

MOST_IN_FULL: Final = 45_000
"""Bytes of HTML that a digest shows in full: what follows has a line each.

Mailboxes cut off HTML that is longer than 100 kB, and with it the link that stops the digest.
"""

MOST_IN_LINES: Final = 20_000
AROUND_A_LINE: Final = 80
"""Bytes of HTML around the subject and the address of a line."""

MOST_AHEAD: Final = 5
"""How many subjects a mail program may show beside that of the digest."""

type SeatedEmail = tuple[OutboxEmail, Seat | None]
"""An email, and the seat of its reader at its game."""


class Part(NamedTuple):
    """The part of a message about one thing: its `subject`, bodies without greeting and footer."""

    subject: str
    text: str
    html: str
    link: str


def compose(emails: Sequence[SeatedEmail]) -> TwoBodies:
    """The message of all these emails, the first of them first, in the reader's language.

    What is about several games, or beside private messages about anything else, is a digest, the
    most urgent first: it can't be replied to, so no reply lands in the wrong conversation. One kind
    of which many tables make one email has a beginning of its own.
    """
    emails = _each_once(emails)
    email = emails[0][0]
    with translation.override(_language(email)), isolated_names():
        if email.person is not None and _is_digest([one for one, _seat in emails]):
            return _digest(emails, email.person)
        return _message(emails)


def _each_once(emails: Sequence[SeatedEmail]) -> list[SeatedEmail]:
    """The emails without repetitions: one shows all that is unread in a conversation."""
    kept: dict[object, SeatedEmail] = {}
    for number, one in enumerate(emails):
        email = one[0]
        topic: object = number
        if kind_of(email).quotes_messages:
            topic = (email.kind, email.game_id, conversation_of(email))
        kept.setdefault(topic, one)
    return list(kept.values())


def _is_digest(emails: Sequence[OutboxEmail]) -> bool:
    if len({email.game_id for email in emails}) > 1:
        return True
    return len(emails) > 1 and any(kind_of(email).tells_who_talks for email in emails)


def _language(email: OutboxEmail) -> str:
    """The language of the person; of an email to an address, the one its kind says."""
    person = email.person
    chosen = person.language if person is not None else kind_of(email).language(email)
    return chosen or settings.LANGUAGE_CODE


def _message(emails: Sequence[SeatedEmail]) -> TwoBodies:
    """Text and HTML that say the same, in the game's thread if it is about a game."""
    (email, seat), *others = emails
    links = links_of([one for one, _seat in emails])
    reply = extensions.reply_to(email, seat)
    context = {
        **context_of(email, seat),
        "layout": "email/base",
        "links": links,
        "parts": [_part(*other) for other in others],
        "reply_hint": reply.hint,
    }
    headers = {**_headers(email), **_list_headers(links)}
    headers |= _reply_headers(reply, headers.get("References", ""))
    return _two_bodies(email, f"email/{email.kind}", context, headers)


def _digest(emails: Sequence[SeatedEmail], person: User) -> TwoBodies:
    """The digest: a part for each thing, what ends first before the others."""
    email = emails[0][0]
    template, links = _how_it_begins([one for one, _seat in emails], person)
    ends = [kind_of(one).deadline(one, seat) for one, seat in emails]
    ordered = sorted(zip(ends, emails, strict=True), key=lambda one: one[0] or NEVER)
    parts, short = _within(MOST_IN_FULL, [_part(*one) for _end, one in ordered])
    lines, rest = _lines_within(MOST_IN_LINES, short)
    first = min(filter(None, ends), default=None)
    context = {
        "person": person,
        "by": first and day_and_hour(first, person.time_zone),
        "link": f"{settings.SITE_URL}/",
        "link_text": _("My games"),
        "count": len(emails),
        "preheader": " · ".join(part.subject for part in (*parts, *lines)[:MOST_AHEAD]),
        "layout": "email/base",
        "links": links,
        "parts": parts,
        "in_short": lines,
        "rest": len(rest),
    }
    headers = {"Message-ID": email.message_id}
    return _two_bodies(email, template, context, headers | _list_headers(links))


def _how_it_begins(emails: Sequence[OutboxEmail], person: User) -> tuple[str, list[EmailLink]]:
    """The template of an email about several games, and the links at its end."""
    kinds = {kind_of(email) for email in emails}
    if len(kinds) == 1 and (kind := kinds.pop()).for_many_tables:
        return f"email/{kind.key}_at_many", list(dict.fromkeys(links_of(emails)))
    return "email/digest", links_of_digest(person)


def _within(size: int, parts: list[Part]) -> tuple[list[Part], list[Part]]:
    """The first ones, as long as they fit into so many bytes of HTML, and the others.

    One that is too long by itself keeps none of the next ones out.
    """
    fit, others, left = [], [], size
    for part in parts:
        length = len(part.html.encode())
        if length <= left:
            left -= length
            fit.append(part)
        else:
            left = left if length > size else 0
            others.append(part)
    return fit, others


def _lines_within(size: int, parts: list[Part]) -> tuple[list[Part], list[Part]]:
    """The first ones, as long as a line for each fits into so many bytes of HTML, and the rest."""
    for number, part in enumerate(parts):
        size -= len(f"{part.subject}{part.link}".encode()) + AROUND_A_LINE
        if size < 0:
            return parts[:number], parts[number:]
    return parts, []


def _part(email: OutboxEmail, seat: Seat | None) -> Part:
    """The content of an email as a part of another one."""
    context = {**context_of(email, seat), "layout": "email/part"}
    subject, text = subject_and_text(f"email/{email.kind}.txt", context)
    html = render_to_string(f"email/{email.kind}.html", context, using="pages")
    safe = mark_safe(html)  # noqa: S308 - our own template
    return Part(subject, text, safe, context["link"])


def context_of(email: OutboxEmail, seat: Seat | None) -> dict[str, Any]:
    """What the templates of an email get, but the layout."""
    kind = kind_of(email)
    return {
        "person": email.person,
        "game": email.game,
        "link": settings.SITE_URL + (email.game.get_absolute_url() if email.game else "/"),
        "link_text": kind.link_text,
        **kind.context(email, seat),
    }


def _two_bodies(
    email: OutboxEmail, template: str, context: dict[str, Any], headers: dict[str, str]
) -> TwoBodies:
    subject, text = subject_and_text(f"{template}.txt", context)
    return TwoBodies(
        subject=subject,
        text=text,
        html=render_to_string(f"{template}.html", context, using="pages"),
        recipient=email.person.email if email.person is not None else email.address,
        headers=headers,
    )


def message_id(email: OutboxEmail) -> str:
    """A new Message-ID, which this email then keeps, however often it is sent.

    Random: the numbers of rows repeat after a restore, and mailboxes hide what they have seen.
    """
    about = f".game-{short_id('game', email.game_id)}" if email.game_id is not None else ""
    return f"<{secrets.token_hex(12)}{about}@{site_host()}>"


def site_host() -> str:
    """The host name of this site, with which all Message-IDs end."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def _headers(email: OutboxEmail) -> dict[str, str]:
    headers = {"Message-ID": email.message_id}
    if email.game is None or email_invitees.gets(email):
        return headers
    return headers | _thread(email.game)


def _thread(game: Game) -> dict[str, str]:
    """All email about a game is one thread, and one list."""
    about = f"game-{short_id('game', game.pk)}"
    first = f"<{about}@{site_host()}>"
    name = "".join(character for character in game.name if character.isalnum() or character == " ")
    return {
        "In-Reply-To": first,
        "References": first,
        "List-Id": f"{name} <{about}.{site_host()}>",
    }


def _reply_headers(reply: extensions.Reply, references: str) -> dict[str, str]:
    """Where replies go, and the email this one responds to, after what it refers to anyway."""
    headers = {"Reply-To": reply.address} if reply.address else {}
    if reply.in_reply_to:
        headers["Auto-Submitted"] = "auto-replied"
        headers["In-Reply-To"] = reply.in_reply_to
        headers["References"] = f"{references} {reply.in_reply_to}".strip()
    return headers


def _list_headers(links: list[EmailLink]) -> dict[str, str]:
    """One click in the mail program does what the first link that stops email does (RFC 8058)."""
    stopping = [link for link in links if link.stops]
    if not stopping:
        return {}
    return {
        "List-Unsubscribe": f"<{stopping[0].url}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
