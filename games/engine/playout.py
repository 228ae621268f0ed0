"""Whole games among house players, for `simulate`, the tests and the demo."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from games.engine.codec import Json, encode_move
from games.engine.houses import HousePlayer
from games.engine.rules import Step, step
from games.engine.state import Stage, State, awaited
from games.engine.view import view


class Playout(NamedTuple):
    """A game played to its end: the last state, the moves as in a record, and the waiting points.

    A waiting point is a moment at which nothing goes on until somebody acts: every move of
    sequential bribing, but only one for a whole stage of simultaneous bribing.
    """

    state: State
    moves: list[Json]
    waiting_points: int


def play_out(beginning: Step, seats: Sequence[HousePlayer], seed: int) -> Playout:
    """Play the game to its end, one house player for each seat; the same seed, the same game."""
    chance = Random(seed)  # noqa: S311 (a game, no secret)
    state = beginning.state
    moves: list[Json] = []
    waiting_points = 0
    while state.stage is not Stage.OVER:
        seat = awaited(state)[0]
        waiting_points += not state.sealed
        move = seats[seat](view(state, seat), chance.getrandbits(32))
        moves.append(encode_move(state.table, seat, move))
        state = step(state, seat, move).state
    return Playout(state, moves, waiting_points)
