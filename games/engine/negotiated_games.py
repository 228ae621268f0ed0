"""Whole games in which computer players negotiate, for `simulate` and the tests."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from games.engine.binding import accept, default_within, may_play, view_within
from games.engine.characters import Character
from games.engine.codec import Json, encode_move
from games.engine.computer_players import ComputerPlayer
from games.engine.errors import BadPromise
from games.engine.ledger import Ledger, Status, follow, offer, refuse_too_many, reply
from games.engine.negotiator import OfferOrReply, ReplyToOffer, play_negotiator, say
from games.engine.promise_codec import encode_promise_entry
from games.engine.rules import Step, step
from games.engine.state import Stage, State, to_move

MOST_EXCHANGES = 6
"""How often each negotiator may speak before a move: offers, replies, and what follows."""


class NegotiatedGame(NamedTuple):
    """A game played to its end: the last state, moves and promises as in a record, the ledger."""

    state: State
    moves: list[Json]
    promises: list[Json]
    ledger: Ledger


def ledger_after(ledger: Ledger, state: State, seat: int, what: OfferOrReply) -> Ledger:
    """The ledger after a negotiator's offer or reply; unchanged where it is refused."""
    try:
        if isinstance(what, ReplyToOffer):
            if what.status is Status.ACCEPTED:
                return accept(ledger, state, seat, what.number)
            return reply(ledger, seat, what.number, what.status)
        refuse_too_many(ledger, state, seat)
        return offer(ledger, state, seat, what)
    except BadPromise:
        if isinstance(what, ReplyToOffer) and what.status is Status.ACCEPTED:
            return reply(ledger, seat, what.number, Status.DECLINED)
        return ledger


def negotiation(
    ledger: Ledger, state: State, negotiators: dict[int, Character]
) -> Iterator[Ledger]:
    """The ledger after each offer and reply, until no negotiator has anything to add."""
    for _ in range(MOST_EXCHANGES):
        before = ledger
        for seat, character in negotiators.items():
            seen = view_within(ledger, state, seat)
            for what in say(seen, ledger, character, negotiators):
                after = ledger_after(ledger, state, seat, what)
                if after != ledger:
                    ledger = after
                    yield ledger
        if ledger == before:
            break


def play_negotiating(
    beginning: Step, seats: Sequence[ComputerPlayer], negotiators: dict[int, Character], seed: int
) -> NegotiatedGame:
    """Play the game to its end; `negotiators` play their seats, `seats` all others."""
    chance = Random(seed)  # noqa: S311 (a game, no secret)
    state = beginning.state
    ledger: Ledger = ()
    moves: list[Json] = []
    promises: list[Json] = []
    while state.stage is not Stage.OVER:
        for after in negotiation(ledger, state, negotiators):
            promises.append(encode_promise_entry(state.table, ledger, after, len(moves)))
            ledger = after
        seat = to_move(state)[0]
        seen, luck = view_within(ledger, state, seat), chance.getrandbits(32)
        if seat in negotiators:
            move = play_negotiator(seen, ledger, negotiators[seat], luck)
        else:
            move = seats[seat](seen, luck)
        if not may_play(ledger, state, seat, move):
            move = default_within(ledger, state, seat)
        moves.append(encode_move(state.table, seat, move))
        made = step(state, seat, move)
        ledger = follow(ledger, state, made.events)
        state = made.state
    return NegotiatedGame(state, moves, promises, ledger)
