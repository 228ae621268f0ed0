"""What is asked of a player, and what is played if nothing is done, in words."""

from collections.abc import Iterable
from typing import NamedTuple

from games.engine import Bribe, Judge, Move, Place, Scholar, Send, Stage, View
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
    match view.stage:
        case Stage.UNCONTESTED_BRIBES | Stage.EXTERNAL_BRIBES | Stage.INTERNAL_BRIBES:
            own = [scholar for scholar in view.contenders if scholar.owner == view.seat]
            bribed_for = listed(f"your {people.occupation(scholar)}" for scholar in own)
            return f"{people.name(view.active or 0)} asks for your bribe for {bribed_for}."
        case Stage.PLACEMENT:
            return f"Give {_all(people, view.contenders)} a {words.area} in your {words.palace}."
        case Stage.HIRING:
            return f"Choose whom you hire, and for which {words.area}."
        case Stage.JUDGEMENT:
            return (
                f"Choose who gets the {words.area} {money(view.area or 0)} in your {words.palace}."
            )
        case _:
            return f"Send your {words.scholars} to other {words.palaces}."


def _what_it_is_about(people: People, view: View) -> list[str]:
    words = people.table.edition.words
    match view.stage:
        case Stage.UNCONTESTED_BRIBES:
            return [f"There is no rival: the bribe is only about which {words.area} will be given."]
        case Stage.EXTERNAL_BRIBES | Stage.HIRING:
            rivals = _all(people, view.contenders)
            return [f"Of each occupation one is hired, the others are banished: {rivals}."]
        case Stage.INTERNAL_BRIBES | Stage.JUDGEMENT:
            resident, *attackers = view.contenders
            return [
                (
                    f"{capital(people.scholar(resident))} holds {money(view.area or 0)}; it is "
                    f"challenged by {_all(people, attackers)}. The losers are banished."
                )
            ]
        case _:
            return []


def _bribes_so_far(people: People, view: View) -> list[str]:
    if view.handed_in:
        names = listed(people.name(seat) for seat in view.handed_in)
        return [f"Already handed in, sealed: {names}."]
    if not view.paid or view.stage is Stage.SENDING:
        return []
    paid = listed(
        f"{money(payment.amount)} for {people.scholar(payment.scholar)}" for payment in view.paid
    )
    return [f"Paid so far: {paid}."]


def _own(people: People, view: View) -> str:
    cash = view.cash[view.seat] if view.seat is not None else None
    return f"You hold {with_currency(people.table, cash or 0)}."


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
