"""Standing orders in words."""

from games.engine import Scholar, Send
from games.engine.orders import Order, PayAbove, PayAmount, PayMinimum, SendThese
from games.presentation.question import move_told
from games.presentation.words import People, capital, money


def order_told(
    people: People, scholar: Scholar | None, order: Order, palace: int | None = None
) -> str:
    """An order as a sentence; `palace` is where the scholar is whom a bribe is for."""
    if scholar is not None:
        where = "" if palace is None else f" at {people.name(palace)}'s"
        return f"For {people.scholar(scholar)}{where}: {_bribe(order)}."
    if isinstance(order, SendThese):
        return f"{capital(move_told(people, Send(order.scholars)))}."
    return "In your palace whoever pays most wins, and the best pay gets the best salary."


def _bribe(order: Order) -> str:
    match order:
        case PayAmount(amount):
            return f"pay {money(amount)}"
        case PayMinimum():
            return "pay the minimum"
        case PayAbove(more, limit, then_limit):
            beyond = f"{money(limit)}" if then_limit else "the minimum"
            return (
                f"pay {money(more)} more than the highest rival so far, up to {money(limit)}; "
                f"beyond that {beyond}"
            )
        case _:
            return "pay nothing"


def would_do(amount: int | None) -> str:
    """What a bribe order would do now, as a sentence."""
    if amount is None:
        return "As it stands now it could not be played: you would be asked."
    return f"As it stands now it would pay {money(amount)}."
