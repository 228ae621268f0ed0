"""Whole games among computer players, for `simulate` and tests."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from games.engine.codec import Json, encode_move
from games.engine.computer_players import ComputerPlayer
from games.engine.forced import forced_move
from games.engine.rules import Step, step
from games.engine.state import BRIBING, Stage, State, to_move
from games.engine.view import View, view


class Waits(NamedTuple):
    """Waiting points of a game: moments at which nothing goes on until somebody acts.

    `naive` are all: every move of sequential bribing, but only one for a whole stage of
    simultaneous bribing. `tidied` leaves out forced moves, and joins neighbouring inputs of one
    player, such as the last decision and the sending. `with_orders` is left when all bribers set
    orders: one for each turn in which its owner has anything to decide or to send.
    """

    naive: int
    tidied: int
    with_orders: int


class Playout(NamedTuple):
    """A game played to its end: the last state, the moves as in a record, the waiting points."""

    state: State
    moves: list[Json]
    waits: Waits


class _Counting:
    """Waiting points being counted. Lives inside one call."""

    def __init__(self) -> None:
        self.naive = self.tidied = self.with_orders = 0
        self.movers: tuple[int, ...] = ()
        self.last_turn: tuple[int, int | None] | None = None

    def count(self, seen: View, *, opens: bool) -> None:
        """Count a move of the viewed seat, which `opens` a waiting point or is one of several."""
        self.naive += opens
        if not opens or forced_move(seen) is not None:
            return
        # The same player again, with nobody in between: both are handed in together.
        self.tidied += seen.to_move != self.movers
        self.movers = seen.to_move if len(seen.to_move) == 1 else ()
        turn = (seen.round, seen.active)
        if seen.stage not in BRIBING and turn != self.last_turn:
            self.with_orders += 1
            self.last_turn = turn


def play_out(beginning: Step, seats: Sequence[ComputerPlayer], seed: int) -> Playout:
    """Play the game to its end, one computer player for each seat; the same seed, the same game."""
    chance = Random(seed)  # noqa: S311 (a game, no secret)
    state = beginning.state
    moves: list[Json] = []
    waits = _Counting()
    while state.stage is not Stage.OVER:
        seat = to_move(state)[0]
        seen = view(state, seat)
        waits.count(seen, opens=not state.sealed)
        move = seats[seat](seen, chance.getrandbits(32))
        moves.append(encode_move(state.table, seat, move))
        state = step(state, seat, move).state
    return Playout(state, moves, Waits(waits.naive, waits.tidied, waits.with_orders))
