"""The panel of the guide, above the decision on the page of a guided game."""

from django.http import HttpRequest
from django.template.loader import render_to_string

from games.engine.events import StageOpened
from games.features.guide.text import GuideText, guide
from games.models import Game, Seat
from games.services.game.queries.game_page import GamePage
from games.services.game.queries.game_view import GameView
from games.services.game.replay import event_rows_since_move
from games.table_events import PromiseJudged


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
    moved_in = stages_moved_in(position.game, position.seat)
    judged = _judged_since_move(position.game, position.seat)
    return guide(position.people, position.view, position.known, moved_in, judged)


def _judged_since_move(game: Game, seat: Seat) -> set[int]:
    """The offers of which it was settled since the seat's last move what became of them."""
    rows, since = event_rows_since_move(game, seat)
    kind = PromiseJudged.__name__
    return {row.payload["number"] for row in rows if row.seq >= since and row.kind == kind}


def stages_moved_in(game: Game, seat: Seat) -> set[str]:
    """The stages of the game, by their names in the record, in which the seat has moved."""
    phases = game.moves.filter(seat=seat).values("phase_no")
    opened = game.events.filter(kind=StageOpened.__name__, phase_no__in=phases)
    return set(opened.values_list("payload__stage", flat=True))
