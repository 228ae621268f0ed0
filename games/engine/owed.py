"""What a seat owes by its promises, and which of it a move or a standing order would break."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from games.engine.binding import binds
from games.engine.errors import IllegalMove
from games.engine.events import BribesPaid, Event
from games.engine.ledger import Entry, Ledger, follow
from games.engine.moves import Bribe, Judge, Move, Place
from games.engine.orders import (
    HighestBribes,
    Order,
    PayAmount,
    SendThese,
    amount_now,
    decision_now,
    next_turn,
)
from games.engine.promises import (
    Deciding,
    Deed,
    IfBribed,
    Pay,
    PayAtMost,
    PlaceIn,
    Promise,
    Sending,
    SendScholar,
    Verdict,
    areas_that_fit,
)
from games.engine.rules import step
from games.engine.state import Payment, Scholar, State
from games.engine.view import View


def owed_by(entries: Iterable[Entry], seat: int | None) -> list[Promise]:
    """What this seat has promised, also in return, and is still to keep.

    Without what waits for a bribe that hasn't been paid.
    """
    return [
        promise
        for entry in entries
        for promise in entry.owed
        if promise.seat == seat
        and (not isinstance(promise.condition, IfBribed) or entry.condition is Verdict.KEPT)
    ]


class Undone(NamedTuple):
    """What moves of a seat would undo.

    `broken` are promises of its own, `unmet` those to it whose condition is a deed of its own that
    the moves rule out: they apply no more.
    """

    broken: list[Promise]
    unmet: list[Promise]


def undone_by_moves(ledger: Ledger, state: State, seat: int, moves: Iterable[Move]) -> Undone:
    """What these moves of a seat undo, played one after the other, up to an illegal one.

    The game itself will judge so. A move that a binding promise forbids will be refused: it breaks
    nothing. Nothing that the seat can't see makes a difference: sealed bribes are judged by
    themselves, though one that is handed in last opens all.
    """
    undone = Undone([], [])
    for move in moves:
        if all(entry.is_settled for entry in ledger):
            break
        try:
            made = step(state, seat, move)
        except IllegalMove:
            break
        after = follow(ledger, state, _own_events(move, seat, made.events))
        for old, new in zip(ledger, after, strict=True):
            if not binds(old, state):
                undone.broken.extend(one for one in _just_broken(old, new) if one.seat == seat)
            undone.unmet.extend(_just_unmet(old, new, seat, move))
        ledger, state = after, made.state
    return undone


def _own_events(move: Move, seat: int, events: tuple[Event, ...]) -> tuple[Event, ...]:
    if not isinstance(move, Bribe):
        return events
    paid = tuple(Payment(scholar, amount, 0) for scholar, amount in move.bribes)
    return (BribesPaid(seat, paid),)


def _just_broken(old: Entry, new: Entry) -> Iterator[Promise]:
    """The promises of an offer that are broken now and were not before."""
    if Verdict.BROKEN is new.verdict is not old.verdict:
        yield new.promise
    in_return = new.promise.in_return()
    if in_return is not None and Verdict.BROKEN is new.condition is not old.condition:
        yield in_return


def _just_unmet(old: Entry, new: Entry, seat: int, move: Move) -> Iterator[Promise]:
    """What was promised to the seat for a deed of its own, and is void now because of this move."""
    promise, in_return = new.promise, new.promise.in_return()
    is_void = Verdict.VOID is new.verdict is not old.verdict
    if in_return is None:
        # Whatever else ends a bribe's promise, such as the end of the game, is no deed of the seat.
        if is_void and promise.to == seat and isinstance(move, Bribe):
            yield promise
        return
    if is_void and promise.to == seat and new.condition is Verdict.BROKEN:
        yield promise
    is_void = Verdict.VOID is new.condition is not old.condition
    if is_void and in_return.to == seat and new.verdict is Verdict.BROKEN:
        yield in_return


def broken_by(
    view: View, entries: Iterable[Entry], scholar: Scholar | None, order: Order
) -> list[Promise]:
    """What the viewed seat owes and this order would break if it were carried out now.

    `scholar` is whom a bribe is for.
    """
    owed = owed_by(entries, view.seat)
    return [promise for promise in owed if _breaks(view, promise, scholar, order)]


def _breaks(view: View, promise: Promise, scholar: Scholar | None, order: Order) -> bool:
    if isinstance(order, SendThese):
        return _sends_otherwise(view, promise, order)
    if isinstance(order, HighestBribes):
        return _decides_otherwise(view, promise.deed)
    if scholar is None:
        raise ValueError("An order to bribe names its scholar.")
    now = amount_now(view, scholar, order)
    amount = order.amount if isinstance(order, PayAmount) else now
    return amount is not None and _pays_otherwise(view, promise, scholar, amount)


def _sends_otherwise(view: View, promise: Promise, order: SendThese) -> bool:
    deed = promise.deed
    if not isinstance(deed, Sending):
        return False
    comes = any(
        palace == promise.to and deed.occupation in (None, scholar.occupation)
        for scholar, palace in order.scholars
    )
    if isinstance(deed, SendScholar):
        return not comes
    return comes and next_turn(view, promise.seat) <= deed.until


def _decides_otherwise(view: View, deed: Deed) -> bool:
    if not isinstance(deed, Deciding) or deed.scholar not in view.contenders:
        return False
    match decision_now(view):
        case Judge(winner):
            return winner != deed.scholar
        case Place(placements):
            areas = [area for scholar, area in placements if scholar == deed.scholar]
            return not (areas_that_fit(deed, areas) if isinstance(deed, PlaceIn) else areas)
        case _:
            return False


def _pays_otherwise(view: View, promise: Promise, scholar: Scholar, amount: int) -> bool:
    deed = promise.deed
    if isinstance(deed, PayAtMost):
        return deed.scholar == scholar and amount > deed.most
    if not isinstance(deed, Pay):
        return False
    is_meant = scholar == deed.scholar or (
        deed.scholar is None and scholar in view.applicants[promise.to]
    )
    return is_meant and amount < deed.least
