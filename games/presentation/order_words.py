"""Standing orders in words."""

from django.utils.translation import gettext as _

from games.engine import Scholar, Send
from games.engine.orders import Order, PayAbove, PayAmount, PayMinimum, SendThese
from games.presentation.question import move_told
from games.presentation.words import People, capital, money


def order_told(
    people: People, scholar: Scholar | None, order: Order, palace: int | None = None
) -> str:
    """An order as a sentence; `palace` is where the scholar is whom a bribe is for."""
    if scholar is not None and palace is not None:
        return _("For {scholar} at {owner}'s: {bribe}.").format(
            scholar=people.scholar(scholar), owner=people.name(palace), bribe=_bribe(order)
        )
    if scholar is not None:
        told = _("For {scholar}: {bribe}.")
        return told.format(scholar=people.scholar(scholar), bribe=_bribe(order))
    if isinstance(order, SendThese):
        return f"{capital(move_told(people, Send(order.scholars)))}."
    return _(
        "In your palace whoever pays most wins, and the highest bribe gets the highest salary."
    )


def _bribe(order: Order) -> str:
    match order:
        case PayAmount(amount):
            return _("pay {amount}").format(amount=money(amount))
        case PayMinimum():
            return _("pay the minimum")
        case PayAbove(more, limit, then_limit=True):
            told = _(
                "pay {amount} more than the highest rival so far, up to {limit}; "
                "beyond that {limit}"
            )
            return told.format(amount=money(more), limit=money(limit))
        case PayAbove(more, limit):
            told = _(
                "pay {amount} more than the highest rival so far, up to {limit}; "
                "beyond that the minimum"
            )
            return told.format(amount=money(more), limit=money(limit))
        case _:
            return _("pay nothing")


def would_do(amount: int | None) -> str:
    """What a bribe order would do now, as a sentence."""
    if amount is None:
        return _("As it stands now it could not be played: you would be asked.")
    return _("As it stands now it would pay {amount}.").format(amount=money(amount))
