"""The record of a game: its moves in order, as docs/record-format.md says."""

from bisect import bisect
from typing import Any

from django.utils.translation import gettext as _

from games.engine.promise_codec import REPLIES
from games.engine.record import write_record
from games.models import Game
from games.services.game.replay import event_rows, steps_of, surviving
from games.services.refused import Refused
from games.table_events import OfferMade, OfferReplied


def game_record(game: Game) -> dict[str, Any]:
    """The record of a game that is over; `Refused` while it is running."""
    if not game.is_over:
        raise Refused(_("The record will be available once the game is over."))
    moves = published_moves(game)
    more = {"promises": _talk(game, moves)} if game.ledger else {}
    return write_record(game.decoded().table, moves, name=game.name, **more)


def published_moves(game: Game) -> list[dict[str, Any]]:
    """The moves that everybody may know, in order, without those that a rewind took back.

    All of a game that is over. Of a running one, those of earlier phases: a move of the present
    phase may be a sealed bribe.
    """
    moves = game.moves.filter(abandoned=False)
    if not game.is_over:
        moves = moves.exclude(phase_no=game.phase_no)
    return list(moves.values_list("move", flat=True))


def _talk(game: Game, moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The offers and replies of a game, in order, as its record writes them."""
    rows, players = event_rows(game), game.decoded().table.players
    ends = [step.seq for step in steps_of(game, rows, moves)]
    talk: list[dict[str, Any]] = []
    for row in surviving(rows):
        if row.kind not in {OfferMade.__name__, OfferReplied.__name__}:
            continue
        told = row.payload
        said = {
            "after": bisect(ends, row.seq) - 1,
            "player": players[told["seat"]],
            "type": REPLIES.get(told.get("reply", ""), "offer"),
            "id": told["number"],
        }
        talk.append(said | (told["terms"] if row.kind == OfferMade.__name__ else {}))
    return talk
