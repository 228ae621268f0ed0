"""About how long a game takes, as people play who look in once a day and miss every third.

The numbers are those of `manage.py simulate --habits` with different times for a move.
"""

from datetime import timedelta
from typing import Final

from django.utils.translation import gettext as _

from games.engine.editions import EDITIONS
from games.models import Game
from games.presentation.text.tables import is_sealed, length_text, time_text

OF_A_MOVE: Final = 1.1
"""How much of the time for a move a turn takes; all its moves together."""

MOST_FOR_MOVES: Final = timedelta(hours=35)
"""How long a turn takes however long one may wait with a move."""

OF_THE_TALK: Final = 0.9
MOST_FOR_TALK: Final = timedelta(hours=34)
"""The same for the negotiation time."""

OF_A_LATE_TURN: Final = 4
"""Which part of the time for a move is left at least to whose turn comes late (days 2)."""

DAYS_OF_A_WEEK: Final = 7
LOOKING_IN: Final = 3 * 3600
"""From how many seconds for a move on nobody has to be online all the time."""


def usual_length(game: Game) -> timedelta:
    """About how long a game with these settings takes."""
    rounds = game.options.get("rounds") or EDITIONS[game.edition].rounds
    moves = min(OF_A_MOVE * timedelta(seconds=game.move_seconds), MOST_FOR_MOVES)
    talk = min(OF_THE_TALK * timedelta(seconds=game.talk_seconds), MOST_FOR_TALK)
    share = DAYS_OF_A_WEEK / max(1, DAYS_OF_A_WEEK - len(set(game.no_play_days)))
    return int(rounds) * game.size * share * (moves + talk)


def pace_in_plain_words(game: Game) -> list[str]:
    """How long one has for a move, and about how long a game takes, in sentences."""
    if game.move_seconds < LOOKING_IN:
        text = _("Everyone has to be online at the same time: you have {time} for each move.")
    else:
        text = _(
            "You have {time} for each move, so you don't all have to be online at the same time."
        )
    return [text.format(time=time_text(game.move_seconds)), length_text(usual_length(game))]


def late_turns(game: Game) -> list[str]:
    """What is left of that time to whose turn comes late; nothing where all bribe at once."""
    if is_sealed(game.edition, game.options):
        return []
    text = _(
        "When players bribe one after another, they share the time for a single move, but "
        "everyone gets at least {time}."
    )
    return [text.format(time=time_text(game.move_seconds // OF_A_LATE_TURN))]
