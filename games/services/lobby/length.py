"""About how long a game takes, as people play who look in once a day and miss every third.

The numbers are those of `manage.py simulate --habits` with different times for a move.
"""

from datetime import timedelta
from typing import Final

from games.engine.editions import EDITIONS
from games.models import Game

OF_A_MOVE: Final = 1.1
"""How much of the time for a move a turn takes; all its moves together."""

MOST_FOR_MOVES: Final = timedelta(hours=35)
"""How long a turn takes however long one may wait with a move."""

OF_THE_TALK: Final = 0.9
MOST_FOR_TALK: Final = timedelta(hours=34)
"""The same for the negotiation time."""

DAYS_OF_A_WEEK: Final = 7


def usual_length(game: Game) -> timedelta:
    """About how long a game with these settings takes."""
    rounds = game.options.get("rounds") or EDITIONS[game.edition].rounds
    moves = min(OF_A_MOVE * timedelta(seconds=game.move_seconds), MOST_FOR_MOVES)
    talk = min(OF_THE_TALK * timedelta(seconds=game.talk_seconds), MOST_FOR_TALK)
    share = DAYS_OF_A_WEEK / max(1, DAYS_OF_A_WEEK - len(set(game.no_play_days)))
    return int(rounds) * game.size * share * (moves + talk)
