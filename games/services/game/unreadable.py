"""Games whose state or log no code of ours has written: they rest, and no other page breaks."""

from typing import Final

from games.engine import State, View, view
from games.models import Game
from games.services.game.replay import event_rows, state_at

UNREADABLE: Final = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""What decoding something raises that no code of ours has written."""


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
    return state_of(game) is not None
