"""Mail as it goes out: three templates a kind, filled by `game_letters` and its neighbours.

Nothing secret stands in a subject.
"""

import re
import secrets
from email.policy import Policy
from typing import Final, NamedTuple, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from games.models import Game, Invitation, OutboxMail, Seat, User
from games.services import subscriptions
from games.services.email import game_context, people_context, report_context
from games.services.lobby import email_invitees

CONTEXTS: Final = game_context.CONTEXTS | people_context.CONTEXTS | report_context.CONTEXTS


class Unfolded(str):
    """A header in ASCII that stays in one piece, however long an address is.

    Python would fold it, and write what it cannot fold as an encoded word, which nobody reads as
    an address.
    """

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str, value: str) -> Self:
        header = super().__new__(cls, value)
        header.name = name
        return header

    def fold(self, *, policy: Policy) -> str:
        """The header's line; called when the mail is written."""
        return f"{self.name}: {self}{policy.linesep}"


class Stop(NamedTuple):
    """A link that stops mail, and what it stops."""

    words: str
    link: str


def compose(mail: OutboxMail, seat: Seat | None) -> EmailMultiAlternatives:
    """The mail as it goes out, in the language of its reader."""
    with translation.override(_language(mail)):
        return _written(mail, seat)


def _language(mail: OutboxMail) -> str:
    """The language of the person; of who invites, where nobody has the address yet."""
    person = mail.person
    if person is None and mail.kind == OutboxMail.Kind.INVITATION:
        invitation = Invitation.objects.select_related("invited_by").filter(pk=mail.about).first()
        person = invitation.invited_by if invitation is not None else None
    return (person.language if person is not None else "") or settings.LANGUAGE_CODE


def _written(mail: OutboxMail, seat: Seat | None) -> EmailMultiAlternatives:
    """Text and HTML that say the same, in the game's thread if it is about a game."""
    stops = _stops(mail)
    context = {
        "person": mail.person,
        "game": mail.game,
        "link": settings.SITE_URL + (mail.game.get_absolute_url() if mail.game else "/"),
        "stops": stops,
        **CONTEXTS[OutboxMail.Kind(mail.kind)](mail, seat),
    }
    subject = render_to_string(f"mail/{mail.kind}.subject.txt", context).strip()
    text = render_to_string(f"mail/{mail.kind}.txt", context)
    message = EmailMultiAlternatives(
        subject=" ".join(subject.split()),
        body=re.sub(r"\n{3,}", "\n\n", text),
        to=[mail.person.email if mail.person is not None else mail.address],
        headers={**_headers(mail), **_list_headers(stops)},
    )
    message.attach_alternative(render_to_string(f"mail/{mail.kind}.html", context), "text/html")
    return message


def message_id(mail: OutboxMail) -> str:
    """A new Message-ID, which this mail then keeps, however often it is sent.

    By chance: numbers of rows come again after a restore, and mailboxes hide what they have seen.
    """
    about = f".game-{mail.game_id}" if mail.game_id is not None else ""
    return f"<{secrets.token_hex(12)}{about}@{site_host()}>"


def site_host() -> str:
    """The host name of this site, which all Message-IDs end with."""
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def _headers(mail: OutboxMail) -> dict[str, str]:
    headers = {"Message-ID": mail.message_id, "Auto-Submitted": "auto-generated"}
    if mail.game is None or email_invitees.gets(mail):
        return headers
    return headers | _thread(mail.game)


def _thread(game: Game) -> dict[str, str]:
    """All mail about a game is one thread, and one list."""
    first = f"<game-{game.pk}@{site_host()}>"
    return {
        "In-Reply-To": Unfolded("In-Reply-To", first),
        "References": Unfolded("References", first),
        "List-Id": f"{_one_line(game)} <game-{game.pk}.{site_host()}>",
    }


def _one_line(game: Game) -> str:
    return "".join(letter for letter in game.name if letter.isalnum() or letter == " ")


def _stops(mail: OutboxMail) -> list[Stop]:
    """The links that stop such mail; none for what is sent to everybody."""
    kind, person = OutboxMail.Kind(mail.kind), mail.person
    if kind == OutboxMail.Kind.INVITATION and email_invitees.gets(mail):
        return [Stop(_("Stop invitations to this address"), email_invitees.stop_link(mail))]
    if person is None or kind in subscriptions.ESSENTIAL:
        return []
    if kind == OutboxMail.Kind.SUBSTITUTE_WANTED:
        return [_stop(_("Stop calls for substitutes"), person, subscriptions.SUBSTITUTES)]
    this_game = _stop(_("Stop emails about this game"), person, mail.the_game)
    if kind in {OutboxMail.Kind.REMINDER, OutboxMail.Kind.LAST_REMINDER}:
        return [
            _stop(_("Stop reminders for all games"), person, subscriptions.REMINDERS),
            this_game,
        ]
    return [this_game]


def _stop(words: str, person: User, what: Game | str) -> Stop:
    token = subscriptions.token_for(person, what)
    return Stop(words, settings.SITE_URL + reverse("games:unsubscribe", args=[token]))


def _list_headers(stops: list[Stop]) -> dict[str, str]:
    """One click in the mail program stops what the first link stops (RFC 8058)."""
    if not stops:
        return {}
    return {
        "List-Unsubscribe": Unfolded("List-Unsubscribe", f"<{stops[0].link}>"),
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }
