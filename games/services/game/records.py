"""The record of a game: its moves in order, as docs/record-format.md says."""

from typing import Any

from django.utils.translation import gettext as _

from games.engine.record import write_record
from games.models import Game
from games.services.refused import Refused


def game_record(game: Game) -> dict[str, Any]:
    """The record of a game that is over; `Refused` while it is running."""
    if not game.is_over:
        raise Refused(_("The record will be available once the game is over."))
    return write_record(game.decoded().table, published_moves(game), name=game.name)


def published_moves(game: Game) -> list[dict[str, Any]]:
    """The moves that everybody may know, in order, without those that a rewind took back.

    All of a game that is over. Of a running one, those of earlier phases: a move of the present
    phase may be a sealed bribe.
    """
    moves = game.moves.filter(abandoned=False)
    if not game.is_over:
        moves = moves.exclude(phase_no=game.phase_no)
    return list(moves.values_list("move", flat=True))
