"""Standing orders as data, and what they play (days 5).

An order is set in advance and carried out when its seat is to move. It plays exactly what the same
player could have played by hand at that moment. Orders are no part of a state, so no view shows
those of others: the caller keeps them secret.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from games.engine.checks import check
from games.engine.choices import (
    BribeChoice,
    JudgeChoice,
    PlaceChoice,
    SendChoice,
    decision_choice,
    send_choice,
)
from games.engine.defaults import default_for
from games.engine.errors import BadOrder, IllegalMove, OrderCode
from games.engine.moves import Bribe, Move, Send
from games.engine.state import Payment, Scholar, Stage
from games.engine.view import View, rival_bribes


@dataclass(frozen=True)
class PayAmount:
    """Exactly this much."""

    amount: int


@dataclass(frozen=True)
class PayMinimum:
    """The least that is allowed."""


@dataclass(frozen=True)
class PayAbove:
    """`more` than the highest bribe that others have paid in the same conflict; none yet: minimum.

    Where that would pass `limit` or the cash, the minimum; with `then_limit` the limit itself, or
    as much of it as the cash allows.
    """

    more: int
    limit: int
    then_limit: bool


@dataclass(frozen=True)
class PayNothing:
    """Pass, for a resident who may."""


@dataclass(frozen=True)
class HighestBribes:
    """The highest bribes win: exactly the default decision (ruling 8)."""


@dataclass(frozen=True)
class SendThese:
    """These scholars, each to the palace of that seat."""

    scholars: tuple[tuple[Scholar, int], ...]


type BribeOrder = PayAmount | PayMinimum | PayAbove | PayNothing
type Order = BribeOrder | HighestBribes | SendThese


@dataclass(frozen=True)
class Orders:
    """What one seat has ordered: a bribe for some scholars, the decisions, the sending."""

    bribes: Mapping[Scholar, BribeOrder] = field(default_factory=lambda: MappingProxyType({}))
    decision: HighestBribes | None = None
    sending: SendThese | None = None


class BribeOrderChoice(NamedTuple):
    """What may be ordered for one scholar, who stands at the door of `palace` or holds an area.

    As things stand: `minimum` is the least bribe, every bribe a multiple of `unit`. `may_pass`
    allows `PayNothing`; `may_follow` allows `PayAbove`, since others bribe before this scholar.
    """

    scholar: Scholar
    palace: int
    minimum: int
    unit: int
    may_pass: bool
    may_follow: bool


class OrderChoice(NamedTuple):
    """What the viewed seat may set orders for now. `sending` is what it can send next."""

    bribes: tuple[BribeOrderChoice, ...]
    decision: bool
    sending: SendChoice | None


def may_order(view: View) -> OrderChoice:
    """What the viewed seat may set orders for now; nothing for a spectator or after the end."""
    seat = view.seat
    if seat is None or view.stage is Stage.OVER:
        return OrderChoice((), decision=False, sending=None)
    rounds = view.table.edition.rounds
    sends = bool(view.unsent[seat]) and next_turn(view, seat) < rounds
    return OrderChoice(
        bribes=tuple(_bribe_order_choices(view, seat)),
        decision=next_turn(view, seat) <= rounds,
        sending=send_choice(view.table, view.unsent[seat], seat) if sends else None,
    )


def refuse_order(view: View, scholar: Scholar | None, order: Order) -> None:
    """Refuse what the viewed seat cannot order now, with `BadOrder` and a sentence.

    `scholar` is whom a bribe order is for, and None for decisions and sendings. An amount above
    the cash is no reason: there may be more when the time comes.
    """
    choice = may_order(view)
    match order:
        case HighestBribes():
            if not choice.decision:
                raise BadOrder("decision", "There is no decision to come any more.")
        case SendThese(scholars):
            if choice.sending is None:
                raise BadOrder("sending", "There is nothing to be sent any more.")
            try:
                check(view.table, choice.sending, Send(scholars))
            except IllegalMove as reason:
                code: OrderCode = "palace" if reason.code == "palace" else "scholars"
                raise BadOrder(code, reason.message) from reason
        case _:
            mine = [one for one in choice.bribes if one.scholar == scholar]
            if not mine:
                raise BadOrder(
                    "scholar",
                    "A bribe can be ordered only for one's own scholar who stands at a door or "
                    "holds an area, and has not paid yet.",
                )
            _refuse_bribe_order(view, mine[0], order)


def move_of_orders(view: View, orders: Orders) -> Move | None:
    """The move that these orders of the viewed seat make now; None where the player must decide.

    The whole decision must be covered: each own contender has an order that is legal now. They
    are paid in contenders' order. A binding promise may still forbid the move.
    """
    match view.choice:
        case None:
            return None
        case BribeChoice() as choice:
            return _ordered_bribes(view, choice, orders.bribes)
        case SendChoice() as choice:
            if orders.sending is None:
                return None
            move = Send(orders.sending.scholars)
            return move if _is_legal(view, choice, move) else None
        case PlaceChoice() | JudgeChoice():
            # Not the view's default, which a binding promise may have changed.
            return decision_now(view) if orders.decision is not None else None


def move_at_deadline(view: View, orders: Orders) -> Move:
    """What is played for the viewed seat when its deadline passes; the seat must be to move.

    The orders as far as they are legal; for a bribe that is not legal any more the nearest lower
    legal one; the default (ruling 8) for each part that no order covers.
    """
    choice = view.choice
    if choice is None or view.default is None:
        raise ValueError("This seat is not to move.")
    if not isinstance(choice, BribeChoice):
        return move_of_orders(view, orders) or view.default
    cash = choice.cash
    bribes = []
    for scholar in choice.scholars:
        amount = _amount_at_deadline(view, choice, scholar, orders.bribes.get(scholar), cash)
        bribes.append((scholar, amount))
        cash = max(cash - amount, 0)
    return Bribe(tuple(bribes))


def amount_now(view: View, scholar: Scholar, order: BribeOrder) -> int | None:
    """What the order would pay if its scholar were the one to be paid for now, with all the cash.

    None where it could not be played now, so that the player would have to decide.
    """
    found = [one for one in may_order(view).bribes if one.scholar == scholar]
    cash = None if view.seat is None else view.cash[view.seat]
    if not found or cash is None:
        return None
    one = found[0]
    if isinstance(order, PayAbove) and not one.may_follow:
        return None
    passing = (scholar,) if one.may_pass else ()
    choice = BribeChoice((scholar,), one.minimum, one.unit, cash, passing)
    return _amount(view, choice, scholar, order, cash)


def decision_now(view: View) -> Move | None:
    """What `HighestBribes` would decide if no further bribe came.

    None where the viewed seat does not hold court, or where no bribe lies open yet.
    """
    if view.seat is None or view.seat != view.active or not view.contenders or not view.paid:
        return None
    paid = {payment.scholar for payment in view.paid}
    missing = (Payment(one, 0, 0) for one in view.contenders if one not in paid)
    bribes = (*view.paid, *missing)
    residents = view.palaces[view.seat]
    choice = decision_choice(view.table, residents, view.contenders, bribes, view.area)
    return default_for(choice, view.contenders, bribes)


def sending_now(view: View, order: SendThese) -> Send | None:
    """What the order would send if the viewed seat sent now; None where it is not legal."""
    choice = may_order(view).sending
    move = Send(order.scholars)
    return move if choice is not None and _is_legal(view, choice, move) else None


def next_turn(view: View, seat: int) -> int:
    """The round of this seat's next turn, the present one if it is not over; may be too late."""
    seats, first = len(view.table.players), view.table.first
    active = first if view.active is None else view.active
    return view.round + ((seat - first) % seats < (active - first) % seats)


def _bribe_order_choices(view: View, seat: int) -> list[BribeOrderChoice]:
    # What was paid is still in view after the conflict, when there are no contenders any more.
    paid = {payment.scholar for payment in view.paid if payment.scholar in view.contenders}
    paid |= {one for one, _ in view.own_sealed}
    here = (
        (palace, scholar) for palace in range(len(view.palaces)) for scholar in _near(view, palace)
    )
    return [
        _bribe_order_choice(view, palace, scholar)
        for palace, scholar in here
        if scholar.owner == seat
        and scholar not in paid
        and next_turn(view, palace) <= view.table.edition.rounds
    ]


def _near(view: View, palace: int) -> list[Scholar]:
    """The residents of a palace and the scholars at its door."""
    return [one for one in view.palaces[palace] if one is not None] + [*view.applicants[palace]]


def _bribe_order_choice(view: View, palace: int, scholar: Scholar) -> BribeOrderChoice:
    edition = view.table.edition
    rivals = [
        one
        for one in _near(view, palace)
        if one.occupation == scholar.occupation and one != scholar
    ]
    residents = [one for one in (scholar, *rivals) if one in view.palaces[palace]]
    uncontested = not rivals and not residents
    # The owner of the resident bribes for all of his contenders before all others (ruling 2).
    goes_first = any(one.owner == scholar.owner for one in residents)
    return BribeOrderChoice(
        scholar=scholar,
        palace=palace,
        minimum=edition.minimum_bribe(next_turn(view, palace), uncontested=uncontested),
        unit=edition.unit,
        may_pass=scholar in residents and edition.defender_bribe == "optional",
        may_follow=edition.bribing == "sequential"
        and not goes_first
        and any(one.owner != scholar.owner for one in rivals),
    )


def _refuse_bribe_order(view: View, choice: BribeOrderChoice, order: BribeOrder) -> None:
    match order:
        case PayAmount(amount):
            _refuse_amount("amount", choice, amount, choice.minimum)
        case PayNothing() if not choice.may_pass:
            raise BadOrder("pass", "Only a resident of an edition that allows it may pass.")
        case PayAbove(more, limit, _):
            if view.table.edition.bribing != "sequential":
                raise BadOrder(
                    "sealed", "Nobody's bribes are seen here: name an amount or the minimum."
                )
            if not choice.may_follow:
                raise BadOrder(
                    "first", "No rival bribes before this scholar: name an amount or the minimum."
                )
            _refuse_amount("more", choice, more, choice.unit)
            _refuse_amount("limit", choice, limit, choice.minimum)
        case PayMinimum() | PayNothing():
            pass
        case _:
            assert_never(order)


AMOUNTS: Final[Mapping[OrderCode, str]] = {
    "amount": "The bribe",
    "more": "What is paid above the highest bribe",
    "limit": "The limit",
}


def _refuse_amount(code: OrderCode, choice: BribeOrderChoice, amount: int, least: int) -> None:
    if amount % choice.unit or amount < least:
        rule = f"{AMOUNTS[code]} must be a multiple of {choice.unit} and at least {least}."
        raise BadOrder(code, rule, choice.unit, least)


def _ordered_bribes(
    view: View, choice: BribeChoice, orders: Mapping[Scholar, BribeOrder]
) -> Bribe | None:
    cash = choice.cash
    bribes = []
    for scholar in choice.scholars:
        order = orders.get(scholar)
        amount = None if order is None else _amount(view, choice, scholar, order, cash)
        if amount is None:
            return None
        bribes.append((scholar, amount))
        cash = max(cash - amount, 0)
    move = Bribe(tuple(bribes))
    return move if _is_legal(view, choice, move) else None


def _amount(
    view: View, choice: BribeChoice, scholar: Scholar, order: BribeOrder, cash: int
) -> int | None:
    """What the order pays with `cash` in hand, or None where it is not legal."""
    match order:
        case PayMinimum():
            return choice.minimum
        case PayNothing():
            return 0 if scholar in choice.may_pass else None
        case PayAmount(amount):
            return amount if _fits(choice, amount, cash) else None
        case PayAbove():
            return _amount_above(view, choice, scholar, order, cash)


def _fits(choice: BribeChoice, amount: int, cash: int) -> bool:
    return choice.minimum <= amount <= choice.highest(cash) and amount % choice.unit == 0


def _amount_above(
    view: View, choice: BribeChoice, scholar: Scholar, order: PayAbove, cash: int
) -> int | None:
    if view.stage is Stage.UNCONTESTED_BRIBES and scholar in view.contenders:
        return None
    if view.table.edition.bribing != "sequential":
        return None
    amounts = rival_bribes(view, scholar)
    if not amounts:
        return choice.minimum
    wanted = max(max(amounts) + order.more, choice.minimum)
    if wanted <= order.limit and _fits(choice, wanted, cash):
        return wanted
    if not order.then_limit:
        return choice.minimum
    return max(min(order.limit, choice.highest(cash)), choice.minimum)


def _amount_at_deadline(
    view: View, choice: BribeChoice, scholar: Scholar, order: BribeOrder | None, cash: int
) -> int:
    amount = None if order is None else _amount(view, choice, scholar, order, cash)
    if amount is not None:
        return amount
    if not isinstance(order, PayAmount):
        return choice.minimum
    nearest = min(order.amount - order.amount % choice.unit, choice.highest(cash))
    if nearest < choice.minimum and scholar in choice.may_pass:
        return 0
    return max(nearest, choice.minimum)


def _is_legal(view: View, choice: BribeChoice | SendChoice, move: Move) -> bool:
    try:
        check(view.table, choice, move)
    except IllegalMove:
        return False
    return True
