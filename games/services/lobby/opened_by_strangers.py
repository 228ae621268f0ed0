"""The page of a table that waits for players, as anybody with its link reads it signed out."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Invitation, Seat
from games.presentation.text.direction import StandIn
from games.services.lobby import strangers
from games.services.lobby.length import late_turns, pace_in_plain_words
from games.services.lobby.queries import language_text, settings_text
from games.services.lobby.settings import why_closed
from games.services.people import display_names
from games.services.people.conditions import conditions_text


class OpenInvitation(NamedTuple):
    """A table and who invites to it. Where names are hidden they are "" or left out.

    `table` and `description` are what its host has written. `pace` are sentences, and
    so are `more`, which a preview leaves out; `closed` says why nobody can sit down any more, and
    `members_only` why nobody can who has no account yet.
    `has_picture`: for previews, only what strangers may find is drawn.
    """

    inviter: str
    table: str
    description: str
    names: list[str]
    taken: int
    free: int
    pace: list[str]
    more: list[str]
    settings: list[str]
    closed: str
    members_only: str
    has_picture: bool

    @property
    def unnamed(self) -> int:
        """How many more sit there than are named."""
        return self.taken - len(self.names)

    @property
    def title(self) -> str:
        """Who invites, or that somebody does."""
        if not self.inviter:
            return _("You're invited to a game of Intrigue")
        return _("{name} invites you to a game of Intrigue").format(name=self.inviter)

    @property
    def seats(self) -> str:
        """How many seats are free."""
        text = ngettext(
            "{free} of {size} seats is free.", "{free} of {size} seats are free.", self.free
        )
        return text.format(free=self.free, size=self.taken + self.free)

    @property
    def preview(self) -> str:
        """What a messenger shows below the title."""
        return self.closed or " ".join([self.seats, *self.pace])


def read_open_invitation(game: Game, invitation: Invitation | None = None) -> OpenInvitation:
    """The table as strangers may read it: no names and no words of anybody unless they may find it.

    Whoever has sent an invitation by email is named on its page, as in the email.
    """
    inviter = display_names.inviter_name(invitation) if invitation is not None else ""
    seats = list(game.seats.select_related("user").order_by("pk"))
    shown: dict[str, Any] = {"table": "", "description": "", "names": []}
    is_found = strangers.is_found_waiting(game)
    if is_found:
        with display_names.read_by_stranger():
            shown = _shown_to_strangers(game, seats)
            inviter = inviter or _known(display_names.host_name(game))
    return OpenInvitation(
        **shown,
        inviter=inviter,
        taken=len(seats),
        free=game.size - len(seats),
        pace=pace_in_plain_words(game),
        more=[*late_turns(game), *language_text(game)],
        settings=settings_text(game),
        closed=why_closed(game, len(seats), invitation),
        members_only="" if game.newcomers_welcome else conditions_text(game),
        has_picture=is_found,
    )


def _shown_to_strangers(game: Game, seats: Iterable[Seat]) -> dict[str, Any]:
    names = [display_names.player_name(seat) for seat in seats]
    return {
        "table": display_names.table_title(game),
        "description": display_names.table_description(game),
        "names": [name for name in names if _known(name)],
    }


def _known(name: str) -> str:
    """The name of somebody; "" for words that only stand for one."""
    return "" if isinstance(name, StandIn) else name
