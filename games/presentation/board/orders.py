"""Standing orders in words."""

from collections.abc import Callable
from typing import assert_never

from django.utils.translation import gettext as _

from games.engine import JudgeChoice, Move, PlaceChoice, Scholar, Send, SendChoice, View
from games.engine.orders import (
    HighestBribes,
    Order,
    PayAbove,
    PayAmount,
    PayMinimum,
    PayNothing,
    SendThese,
    amount_now,
    decision_now,
    next_turn,
    sending_now,
)
from games.presentation.board.decision import move_text
from games.presentation.text.words import People, capital, money


def order_text(
    people: People, scholar: Scholar | None, order: Order, palace: int | None = None
) -> str:
    """An order as a sentence; `palace` is where the scholar is whom a bribe is for."""
    if scholar is not None and palace is not None:
        return _("Bribe to {owner} for {scholar}: {bribe}.").format(
            scholar=people.scholar(scholar), owner=people.name(palace), bribe=_bribe(order)
        )
    if scholar is not None:
        text = _("For {scholar}: {bribe}.")
        return text.format(scholar=people.scholar(scholar), bribe=_bribe(order))
    match order:
        case SendThese(scholars):
            return f"{capital(move_text(people, Send(scholars)))}."
        case HighestBribes():
            return _(
                "In your palace, whoever pays the most wins, and the highest bribe gets the "
                "highest salary."
            )
        case PayAmount() | PayMinimum() | PayAbove() | PayNothing():
            raise ValueError("An order to bribe names its scholar.")
        case _:
            assert_never(order)


def _bribe(order: Order) -> str:
    match order:
        case PayAmount(amount):
            return _("pay {amount}").format(amount=money(amount))
        case PayMinimum():
            return _("pay the minimum")
        case PayAbove(more, limit, then_limit=True):
            text = _("pay {amount} more than the highest rival bribe so far, but at most {limit}")
            return text.format(amount=money(more), limit=money(limit))
        case PayAbove(more, limit):
            text = _(
                "pay {amount} more than the highest rival bribe so far, or the minimum if that "
                "would exceed {limit}"
            )
            return text.format(amount=money(more), limit=money(limit))
        case PayNothing():
            return _("pay nothing")
        case HighestBribes() | SendThese():
            raise ValueError("This is no order to bribe.")
        case _:
            assert_never(order)


def would_do(
    people: People,
    view: View,
    scholar: Scholar | None,
    order: Order,
    may_play: Callable[[Move], bool] = lambda _move: True,
) -> str:
    """What an order of the viewed seat would do now, as a sentence.

    `may_play` says of a move of the present decision whether binding promises allow it.
    """
    people = people._replace(among=view.contenders, reader=view.seat)
    if isinstance(order, SendThese):
        sending = sending_now(view, order)
        may_choose = isinstance(view.choice, SendChoice)
        is_forbidden = may_choose and sending is not None and not may_play(sending)
        return _would_send(people, view, None if is_forbidden else sending)
    if isinstance(order, HighestBribes):
        decision = decision_now(view)
        may_choose = isinstance(view.choice, PlaceChoice | JudgeChoice)
        if may_choose and decision is not None and not may_play(decision):
            return _would_not_fit()
        return _would_decide(people, view, decision)
    if scholar is None:
        raise ValueError("An order to bribe names its scholar.")
    amount = amount_now(view, scholar, order)
    if amount is None:
        return _would_not_fit()
    return _("As things stand, this order would pay {amount}.").format(amount=money(amount))


def _would_not_fit() -> str:
    return _("As things stand, this order couldn't be carried out: you'd have to decide yourself.")


def _would_decide(people: People, view: View, decision: Move | None) -> str:
    if decision is not None:
        text = _("With the bribes so far: {decision}.")
        return text.format(decision=move_text(people, decision))
    if view.active != view.seat:
        return _("It's not your turn yet, so there's nothing to decide.")
    if view.contenders:
        return _("No bribes are visible yet, so there's nothing to decide.")
    return _("There's nothing left to decide this turn.")


def _would_send(people: People, view: View, sending: Send | None) -> str:
    if sending is None or view.seat is None:
        return _would_not_fit()
    text = move_text(people, sending)
    if isinstance(view.choice, SendChoice):
        return _("As things stand: {sending}.").format(sending=text)
    return _("At the end of your turn in round {round}, as things stand: {sending}.").format(
        round=next_turn(view, view.seat), sending=text
    )
