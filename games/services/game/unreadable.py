"""Games whose state or log no code of ours has written: they stand still, and no page breaks."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.utils.translation import gettext as _

from games.engine import State, View, view
from games.models import Game
from games.services.game.offers import stored_offers
from games.services.game.replay import event_rows, state_at
from games.services.refused import Refused

logger = logging.getLogger(__name__)

UNREADABLE: Final = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""The errors of decoding what no code of ours has written."""


def state_of(game: Game) -> State | None:
    """The state of a game that has started; None where it cannot be read."""
    try:
        state = game.decoded()
        view(state, None)
    except UNREADABLE:
        return None
    return state


def view_of(game: Game, seat: int | None) -> View | None:
    """What a seat may see of a game that has started; None where it cannot be read."""
    state = state_of(game)
    return None if state is None else view(state, seat)


def is_readable(game: Game) -> bool:
    """Whether both the state and the events of a game that has started can be read."""
    rows = event_rows(game)
    try:
        state_at(rows, rows[-1].seq)
    except UNREADABLE:
        return False
    return _stored_is_readable(game)


def _stored_is_readable(game: Game) -> bool:
    """Whether the state and the offers can be read, which only repeat the events."""
    state = state_of(game)
    try:
        return state is not None and stored_offers(game, state.table) is not None
    except UNREADABLE:
        return False


def cannot_be_read(game: Game) -> bool:
    """Whether a game is running whose state or offers nobody can read."""
    return game.status == Game.Status.RUNNING and not _stored_is_readable(game)


def damaged() -> str:
    """Why nothing can be done to such a game, and what can."""
    return _(
        "This game is damaged: its state can't be read. Use “Retry now” to rebuild its state "
        "from the log."
    )


@contextmanager
def refusing_damaged(game_id: int) -> Iterator[None]:
    """Do something with a game; `Refused` where its stored data can't be read on the way."""
    try:
        yield
    except Refused:
        raise
    except UNREADABLE as failure:
        logger.exception("Game %s is damaged", game_id)
        raise Refused(damaged()) from failure
