"""What keeping a promise cost: whether an owner kept their word against the higher bribe."""

from collections.abc import Iterable

from games.engine.events import BribesPaid, Event, ScholarBanished, ScholarHired, ScholarKept
from games.engine.promises import Hire, PlaceIn, Promise, Win
from games.engine.state import Scholar


def kept_against_interest(promise: Promise, conflict: Iterable[Event]) -> bool:
    """Whether somebody else had paid more than the promised scholar's owner, and got less for it.

    So the highest bribes, by which the default decides (ruling 8), would have decided otherwise.
    `conflict` are the events from the opening of the bribes to the end of the decision. Only what
    an owner decides there about one scholar can be kept so.
    """
    deed = promise.deed
    if not isinstance(deed, Hire | Win | PlaceIn):
        return False
    paid: dict[Scholar, int] = {}
    got: dict[Scholar, int] = {}
    for event in conflict:
        match event:
            case BribesPaid():
                paid.update((one.scholar, one.amount) for one in event.payments)
            case ScholarHired() | ScholarKept() if event.palace == promise.seat:
                got[event.scholar] = event.area
            case ScholarBanished() if event.palace == promise.seat:
                got[event.scholar] = 0
            case _:
                pass
    own = deed.scholar
    if own not in paid or own not in got:
        return False
    return any(
        amount > paid[own] and got.get(other, 0) < got[own]
        for other, amount in paid.items()
        if other.owner != own.owner
    )
