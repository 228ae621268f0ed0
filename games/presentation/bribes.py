"""What the bribes of a game add up to, as they ended: what a loser got back was not paid."""

from collections.abc import Iterable

from games.engine import Event, State
from games.engine.events import BribesPaid, ScholarBanished


def bribes_between(events: Iterable[tuple[Event, State]], seats: int) -> list[list[int]]:
    """What each seat paid each other in bribes out of its own purse, less what came back.

    From all events of a game, each with the state after it.
    """
    paid = [[0] * seats for _seat in range(seats)]
    for event, state in events:
        if isinstance(event, BribesPaid) and state.active is not None:
            own = sum(payment.amount - payment.bank for payment in event.payments)
            paid[event.seat][state.active] += own
        elif isinstance(event, ScholarBanished):
            paid[event.scholar.owner][event.palace] -= event.refund
    return paid
