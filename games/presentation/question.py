"""What is asked of a player, and what is played if nothing is done, in words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from games.engine import (
    Bribe,
    BribeChoice,
    Judge,
    JudgeChoice,
    Move,
    Place,
    PlaceChoice,
    Scholar,
    Send,
    Stage,
    View,
)
from games.presentation.words import People, capital, listed, money, with_currency


class Question(NamedTuple):
    """A question to the reader: its headline, what to know, and what silence plays."""

    headline: str
    facts: list[str]
    if_nothing_is_done: str


def question(people: People, view: View) -> Question | None:
    """The question to the seat that this view was made for, or None where it is not awaited."""
    if view.choice is None or view.default is None or view.seat is None:
        return None
    people = people._replace(among=view.contenders)
    return Question(
        headline=_headline(people, view),
        facts=[*_what_it_is_about(people, view), *_bribes_so_far(people, view), _own(people, view)],
        if_nothing_is_done=move_told(people, view.default),
    )


def _headline(people: People, view: View) -> str:
    words = people.table.edition.words
    match view.choice:
        case BribeChoice(scholars):
            own = listed(people.your_scholar(scholar) for scholar in scholars)
            return f"{people.name(owner_of(view))} asks for your bribe for {own}."
        case PlaceChoice(conflicts) if view.stage is Stage.PLACEMENT:
            hired = [scholar for conflict in conflicts for scholar in conflict]
            return f"Choose the {words.area} for {_all(people, hired)}."
        case PlaceChoice():
            return f"Choose whom you hire, and for which {words.area}."
        case JudgeChoice(_, area):
            return f"Choose who gets the {words.area} {money(area)} in your {words.palace}."
        case _:
            return f"Send your {words.scholars} to other {words.palaces}."


def _what_it_is_about(people: People, view: View) -> list[str]:
    words = people.table.edition.words
    match view.stage:
        case Stage.UNCONTESTED_BRIBES:
            about = f"There is no rival: the bribe is only about which {words.area} will be given."
        case Stage.EXTERNAL_BRIBES | Stage.HIRING:
            rivals = _all(people, view.contenders)
            about = f"Rivals: {rivals}. One of each occupation is hired, the others are banished."
        case Stage.INTERNAL_BRIBES | Stage.JUDGEMENT:
            resident, *attackers = view.contenders
            about = (
                f"{capital(people.scholar(resident))} holds {money(area_of(view))}; challenged by "
                f"{_all(people, attackers)}. The losers are banished."
            )
        case _:
            return []
    return [about, *_how_bribes_go(view)]


def _how_bribes_go(view: View) -> list[str]:
    if not isinstance(view.choice, BribeChoice):
        return []
    if view.table.edition.bribing == "simultaneous":
        return ["Bribes are sealed: nobody sees any of them before all are in."]
    return ["Bribes are open: each is paid at once, and those who come later see it."]


def _bribes_so_far(people: People, view: View) -> list[str]:
    if view.handed_in:
        names = listed(people.name(seat) for seat in view.handed_in)
        return [f"Already handed in, sealed: {names}."]
    if not view.paid or view.stage is Stage.SENDING:
        return []
    paid = listed(
        f"{money(payment.amount) if payment.amount else 'nothing'} for "
        f"{people.scholar(payment.scholar)}"
        for payment in view.paid
    )
    return [f"Paid so far: {paid}." if isinstance(view.choice, BribeChoice) else f"Paid: {paid}."]


def _own(people: People, view: View) -> str:
    return f"You hold {with_currency(people.table, own_cash(view))}."


def own_cash(view: View) -> int:
    """The money of the viewed seat; `ValueError` for a spectator's view."""
    cash = view.cash[view.seat] if view.seat is not None else None
    if cash is None:
        raise ValueError("A spectator holds no money.")
    return cash


def owner_of(view: View) -> int:
    """The seat whose palace holds court; `ValueError` when the game is over."""
    if view.active is None:
        raise ValueError("Nobody is active any more: the game is over.")
    return view.active


def area_of(view: View) -> int:
    """The salary fought for; `ValueError` outside an internal conflict."""
    if view.area is None:
        raise ValueError("There is no internal conflict.")
    return view.area


def _all(people: People, scholars: Iterable[Scholar]) -> str:
    return listed(people.scholar(scholar) for scholar in scholars)


def move_told(people: People, move: Move) -> str:
    """What a move does, as the end of "If you do nothing, this is played: …"."""
    match move:
        case Bribe(bribes):
            return listed(f"{money(amount)} for {people.scholar(who)}" for who, amount in bribes)
        case Place(placements):
            return listed(f"{people.scholar(who)} gets {money(area)}" for who, area in placements)
        case Judge(winner):
            return f"{people.scholar(winner)} wins"
        case Send(sent):
            people = people._replace(among=tuple(scholar for scholar, _ in sent))
            return listed(
                f"{people.scholar(who)} goes to {people.name(palace)}" for who, palace in sent
            )
        case _:
            return "the default"


class Review(NamedTuple):
    """What an answer would do, a sentence for each move, and the money it takes and leaves."""

    sentences: list[str]
    totals: list[str]


def review(people: People, view: View, moves: Sequence[Move]) -> Review:
    """An answer to the viewed seat's question, before it is handed in."""
    people = people._replace(among=view.contenders)
    return Review([f"{capital(move_told(people, move))}." for move in moves], _totals(view, moves))


def _totals(view: View, moves: Sequence[Move]) -> list[str]:
    bribes = [move for move in moves if isinstance(move, Bribe)]
    if not bribes:
        return []
    cash = own_cash(view)
    spent = sum(amount for bribe in bribes for _, amount in bribe.bribes)
    if spent <= cash:
        return [f"You pay {money(spent)} in all and keep {money(cash - spent)}."]
    if view.table.edition.broke == "bank":
        rest = money(spent - cash)
        return [f"You pay all you have, {money(cash)}; the bank pays the other {rest}."]
    return [f"You pay {money(spent)} in all and owe {money(spent - cash)} afterwards."]
