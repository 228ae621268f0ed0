"""Pictures for link previews: a table that strangers with its link may see, or the site's card."""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from games.features.pictures.picture import (
    as_png,
    invitation_picture,
    site_card,
    table_picture,
)
from games.models import Game
from games.presentation.board.turn_summary import result_text
from games.presentation.text.words import listed
from games.services.game.holders import Holders
from games.services.game.queries.ending import Ending, read_ending
from games.services.game.queries.game_view import read_game
from games.services.game.unreadable import state_of
from games.services.lobby import strangers
from games.services.lobby.opened_by_strangers import read_open_invitation
from games.services.people.display_names import read_by_stranger, table_title
from games.services.site_state import MEMORY
from games.views.strangers import KEPT as KEPT_OF_A_GAME
from games.views.strangers import open_by_link

AN_HOUR: Final = 3600
KEPT: Final = {"Cache-Control": f"public, max-age={AN_HOUR}"}
NOT_LONG: Final = "public, max-age=15"
"""For what may be closed or hidden: a table that waits."""


@require_safe
@vary_on_cookie  # also the language is in one
def site(_request: HttpRequest) -> HttpResponse:
    """The card of the site, for every page that strangers may not see."""
    below = _("A game of bribes and promises, played over days")
    return _picture_response("site", lambda: site_card("Intrigue", below))


@require_safe
@vary_on_cookie
@open_by_link
def table(_request: HttpRequest, token: str) -> HttpResponse:
    """A game that strangers may read, as they see it; with no name that they don't learn."""
    game = get_object_or_404(strangers.readable_by_strangers(Game.objects.filter(token=token)))

    def drawn() -> str:
        if state_of(game) is None:
            raise Http404
        position = read_game(game, None)
        result = result_text(position.people, position.view)
        ending = read_ending(position, position.read.last_event)
        return table_picture(table_title(game), result, position.board, breaches(ending))

    with read_by_stranger():
        shown = [game.pk, game.state, table_title(game), Holders.of(game).in_order]
        response = _picture_response(str(shown), drawn)
    response["Cache-Control"] = KEPT_OF_A_GAME
    return response


@require_safe
@vary_on_cookie
@open_by_link
def invitation(_request: HttpRequest, token: str) -> HttpResponse:
    """A table that waits for players where strangers may find it. No other has a picture."""
    waiting = strangers.waiting_for_strangers(Game.objects.filter(token=token))
    game = get_object_or_404(waiting.select_related("host"))
    shown = read_open_invitation(game)
    below = [shown.seats, *shown.pace]

    def drawn() -> str:
        return invitation_picture(shown.title, below, shown.taken, game.size)

    response = _picture_response(f"{game.pk} {shown.title} {below}", drawn)
    response["Cache-Control"] = NOT_LONG
    return response


def breaches(ending: Ending | None) -> str:
    """Who broke promises that were made in front of all, and how many, in words; "" for nobody."""
    broken = [word for word in (ending.words if ending is not None else []) if word.broken]
    if not broken:
        return ""
    each = listed(
        pgettext("number of broken promises", "{name} {count}").format(
            name=word.name, count=word.broken
        )
        for word in broken
    )
    return _("Broken promises: {each}").format(each=each)


def _picture_response(of: str, drawn: Callable[[], str]) -> HttpResponse:
    """The picture, drawn once by each process while it remembers it."""
    key = f"picture:{get_language()}:{sha256(of.encode()).hexdigest()}"
    png = caches[MEMORY].get(key)
    if png is None:
        png = as_png(drawn())
        caches[MEMORY].set(key, png, AN_HOUR)
    return HttpResponse(png, content_type="image/png", headers=KEPT)
