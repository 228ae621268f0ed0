"""What a first game was won or lost by: its player's income compared with somebody else's."""

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.engine import View
from games.engine.careers import Career
from games.presentation.text.words import People, money


class Income(NamedTuple):
    """What a seat earned in salaries, took in bribes and paid in bribes out of its own purse.

    `banished` are how many of its scholars lost a fight, and `lost` is what it paid for those.
    """

    salaries: int = 0
    taken: int = 0
    paid: int = 0
    lost: int = 0
    banished: int = 0


def incomes(careers: Iterable[Career], seats: int) -> list[Income]:
    """The income of each seat, from the careers of all scholars."""
    found = [Income()] * seats
    for one in careers:
        owner, has_lost = found[one.scholar.owner], one.banished is not None
        found[one.scholar.owner] = owner._replace(
            salaries=owner.salaries + one.earned,
            paid=owner.paid + one.bribes,
            lost=owner.lost + has_lost * one.bribes,
            banished=owner.banished + has_lost,
        )
        if one.palace is not None:
            palace = found[one.palace]
            found[one.palace] = palace._replace(taken=palace.taken + one.bribes + one.by_bank)
    return found


def reckoning(people: People, view: View, careers: Iterable[Career]) -> list[str]:
    """Why the player of this view won or lost, in a sentence; none where all have the same."""
    seat, found = view.seat or 0, incomes(careers, len(view.cash))
    if seat not in view.winners:
        winner = view.winners[0]
        return [_why_lost(found[seat], found[winner], people.name(winner))]
    others = [other for other in range(len(view.cash)) if other not in view.winners]
    if not others:
        return []
    second = max(others, key=lambda other: view.cash[other] or 0)
    return [_why_won(found[seat], found[second], people.name(second))]


def _why_lost(own: Income, winner: Income, name: str) -> str:
    match _biggest(winner, own):
        case "salaries":
            text = _less_salary(own, winner)
            return _said(text, name, yours=own.salaries, theirs=winner.salaries)
        case "taken":
            text = _(
                "{name} took {theirs} in bribes, and you {yours}: promising more to those at your "
                "door would have brought you more."
            )
            return _said(text, name, yours=own.taken, theirs=winner.taken)
        case _ if 2 * own.lost >= own.paid:
            text = _(
                "You paid {yours} in bribes, and {name} {theirs}: {lost} of yours went to waste on "
                "scholars who lost."
            )
        case _:
            text = _(
                "You paid {yours} in bribes, and {name} {theirs}: smaller bribes would often have "
                "been enough."
            )
    return _said(text, name, yours=own.paid, theirs=winner.paid, lost=own.lost)


def _less_salary(own: Income, winner: Income) -> str:
    """What would have brought higher salaries, by what was paid and lost."""
    if own.paid >= 2 * winner.paid:
        return _(
            "{name} earned {theirs} in salaries, and you {yours}: your bribes would have done more "
            "where you had no rivals."
        )
    if own.banished > winner.banished:
        return _(
            "{name} earned {theirs} in salaries, and you {yours}: with higher bribes, fewer of "
            "your scholars would be on the island."
        )
    return _(
        "{name} earned {theirs} in salaries, and you {yours}: higher bribes for good areas early "
        "on would have paid off."
    )


def _why_won(own: Income, second: Income, name: str) -> str:
    match _biggest(own, second):
        case "salaries":
            text = _("Salaries won it for you: you earned {yours}, and {name} {theirs}.")
            return _said(text, name, yours=own.salaries, theirs=second.salaries)
        case "taken":
            text = _("Bribes won it for you: you took {yours}, and {name} {theirs}.")
            return _said(text, name, yours=own.taken, theirs=second.taken)
        case _:
            text = _("Thrift won it for you: you paid {yours} in bribes, and {name} {theirs}.")
            return _said(text, name, yours=own.paid, theirs=second.paid)


def _biggest(more: Income, less: Income) -> str:
    """By what the one who has more money got ahead most; by salaries if it is as much."""
    ahead = {
        "salaries": more.salaries - less.salaries,
        "taken": more.taken - less.taken,
        "paid": less.paid - more.paid,
    }
    return max(ahead, key=lambda source: ahead[source])


def _said(text: str, name: str, **amounts: int) -> str:
    return text.format(name=name, **{key: money(amount) for key, amount in amounts.items()})
