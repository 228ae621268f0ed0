"""Invitations by email: what the templates show, and whether they still apply."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from games.models import Game, Invitation, OutboxEmail, Seat
from games.presentation.text.direction import StandIn
from games.presentation.text.words import listed_names
from games.services.lobby import email_invitees
from games.services.lobby.queries import rules_and_pace
from games.services.people import blocks
from games.services.people.display_names import inviter_name, player_name

type Context = dict[str, Any]


def invitation(email: OutboxEmail, _seat: Seat | None) -> Context:
    """The inviter, the table, and the link to accept or decline.

    Without an account, readers see neither the table's name nor its description, and no names that
    look like links.
    """
    row = Invitation.objects.select_related("invited_by").get(pk=email.about)
    seats = email.the_game.seats.select_related("user").order_by("pk")
    host = inviter_name(row)
    names = [player_name(seat) for seat in seats]
    pace = rules_and_pace(email.the_game)
    to_stranger = email_invitees.gets(email)
    if to_stranger:
        host = email_invitees.without_links(host)
        names = list(filter(None, map(email_invitees.without_links, names)))
    return {
        "game": None if to_stranger else email.game,
        "host": host or StandIn(_("Someone")),
        "names": listed_names(names) if names else "",
        "settings": pace,
        "preheader": _("A game of bribes and broken promises, played on the web and by email."),
        "link": settings.SITE_URL + row.get_absolute_url(),
    }


def language_of_inviter(email: OutboxEmail) -> str:
    """The language in which an address without an account is invited: that of its sender."""
    row = Invitation.objects.select_related("invited_by").filter(pk=email.about).first()
    return "" if row is None or row.invited_by is None else row.invited_by.language


def invitation_is_open(email: OutboxEmail, _seat: Seat | None) -> bool:
    """Not answered, the table is waiting, and the invited person and nobody there block another."""
    blocked = blocks.at_odds_with(blocks.people_at(email.the_game))
    return (
        email.the_game.status == Game.Status.WAITING
        and Invitation.objects.filter(pk=email.about, status=Invitation.Status.OPEN).exists()
        and not blocked.filter(email=email.person.email if email.person else email.address).exists()
        and email_invitees.may_still_get(email)
    )
