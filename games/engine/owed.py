"""What a seat owes by its promises, and which of it a standing order would break."""

from collections.abc import Iterable

from games.engine.ledger import Entry
from games.engine.moves import Judge, Place
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
from games.engine.state import Scholar
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
