"""The panel of the guide, above the decision on the page of a guided game."""

from collections.abc import Iterator
from typing import Final

from django.http import HttpRequest
from django.template.loader import render_to_string

from games.engine import Event
from games.engine.careers import careers
from games.engine.events import StageOpened
from games.features.guide.text import GuideText, guide
from games.models import Game, Seat
from games.services.game.queries.game_page import GamePage
from games.services.game.queries.game_view import GameView
from games.services.game.replay import (
    event_rows,
    event_rows_since_move,
    rule_event,
    surviving,
)
from games.table_events import OfferMade, PromiseJudged, is_table_event


def panel(request: HttpRequest, *, game: Game, page: GamePage, **given: object) -> str:
    """The panel; "" where nobody is guided, and for spectators."""
    text = _guide(page.position) if _is_guided(game) else None
    if text is None:
        return ""
    context = {"game": game, "page": page, "guide": text, **given}
    return render_to_string("guide/panel.html", context, request)


def _is_guided(game: Game) -> bool:
    """Whether the guide is shown: also at the end, where it says how the game can be kept."""
    return game.guided and (game.is_over or not game.guide_closed)


def _guide(position: GameView) -> GuideText | None:
    if position.seat is None:
        return None
    game, seat = position.game, position.seat
    past = [] if game.is_over else past_stages(game, seat)
    news = _news(game, seat)
    of_scholars = careers(what_happened(game)) if game.is_over else []
    return guide(position.people, position.view, position.known, past, news, of_scholars)


def _news(game: Game, seat: Seat) -> set[int]:
    """The offers that were made since the seat's last move, or of which it was settled since."""
    since = event_rows_since_move(game, seat)
    news = (row for row in since.rows if row.seq >= since.first and row.kind in _NEWS)
    return {row.payload["number"] for row in news}


_NEWS: Final = {OfferMade.__name__, PromiseJudged.__name__}


def past_stages(game: Game, seat: Seat) -> list[str]:
    """The stages, by their names in the record, in which the player has moved, in order.

    Not those in which nothing was left to decide: nobody has seen them.
    """
    phases = game.moves.filter(seat=seat, user__isnull=False).values("phase_no")
    opened = game.events.filter(kind=StageOpened.__name__, phase_no__in=phases)
    return list(opened.order_by("seq").values_list("payload__stage", flat=True))


def what_happened(game: Game) -> Iterator[Event]:
    """The events of the rules of a game, in order."""
    for row in surviving(event_rows(game)):
        if not is_table_event(row.kind):
            yield rule_event(row)
