"""The money tools beside a decision: what one holds, owes at least, keeps, and will be paid."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.engine import BRIBING, BribeChoice, Scholar, Stage, View, rival_bribes
from games.engine.at_stake import agreed_bribes
from games.engine.choices import minimum_bribe
from games.engine.ledger import Entry
from games.presentation.board.decision import own_cash
from games.presentation.text.words import People, capital, money, with_currency


class Figure(NamedTuple):
    """A number with what it is; a script keeps a `live` one up to date while one types."""

    label: str
    amount: str
    live: bool = False


class QuickAmount(NamedTuple):
    """A button that changes the amount: to this much, or with a `step` by so much more."""

    label: str
    amount: int
    step: bool = False


class QuickAmounts(NamedTuple):
    """The amounts offered for one field of the form of a bribe."""

    field: str
    label: str
    amounts: list[QuickAmount]


class MoneyPanel(NamedTuple):
    """A player's own money; `cash` is for the sum that a script keeps up to date."""

    cash: int
    figures: list[Figure]
    quick: list[QuickAmounts]


def money_panel(people: People, view: View, known: Iterable[Entry] = ()) -> MoneyPanel | None:
    """The money of the viewed seat; None for a spectator and when the game is over.

    `known` are the promises that it may know of.
    """
    if view.seat is None or view.stage is Stage.OVER:
        return None
    cash = own_cash(view)
    figures = [Figure(_("You have"), with_currency(people.table, cash))]
    least = least_owed(view)
    if least or isinstance(view.choice, BribeChoice):
        rest = cash - least
        if view.table.edition.broke == "bank":
            rest = max(rest, 0)
        figures.append(Figure(_("Minimum still due"), money(least)))
        figures.append(Figure(_("Left after that"), money(rest), live=view.choice is not None))
    figures.append(
        Figure(_("Income next turn, as things stand"), money(_salaries(view, view.seat)))
    )
    return MoneyPanel(cash, figures, _quick(people, view, list(known)))


def least_owed(view: View) -> int:
    """What the viewed seat has still to pay in this stage, at the least."""
    if view.stage not in BRIBING:
        return 0
    done = {payment.scholar for payment in view.paid} | {
        scholar for scholar, _amount in view.own_sealed
    }
    due = [one for one in view.contenders if one.owner == view.seat and one not in done]
    if view.stage is Stage.INTERNAL_BRIBES and view.table.edition.defender_bribe == "optional":
        due = [scholar for scholar in due if scholar != view.contenders[0]]
    return len(due) * minimum_bribe(view)


def _salaries(view: View, seat: int) -> int:
    """What the bank would pay this seat if its turn began now."""
    return sum(
        salary
        for row in view.palaces
        for scholar, salary in zip(row, view.table.edition.areas, strict=True)
        if scholar is not None and scholar.owner == seat
    )


def _quick(people: People, view: View, known: list[Entry]) -> list[QuickAmounts]:
    choice = view.choice
    if not isinstance(choice, BribeChoice):
        return []
    people = people._replace(among=choice.scholars)
    return [
        QuickAmounts(
            people.table.names[scholar],
            capital(people.your_scholar(scholar)),
            _amounts(view, choice, scholar, agreed_bribes(view, known, scholar)),
        )
        for scholar in choice.scholars
    ]


COINS: Final = (1, 5)
"""How many units one click adds."""


def _amounts(
    view: View, choice: BribeChoice, scholar: Scholar, agreed: list[int]
) -> list[QuickAmount]:
    """What one click offers: what was `agreed` with the owner, which comes first; to pass, the
    minimum, some more, to outbid the highest rival.
    """
    others = choice.minimum * (len(choice.scholars) - 1)
    most = choice.highest(max(choice.cash - others, 0))
    offered = [
        QuickAmount(_("As agreed: {amount}").format(amount=money(amount)), amount)
        for amount in agreed
        if choice.minimum < amount <= most
    ]
    offered += [QuickAmount(_("Pass"), 0)] if scholar in choice.may_pass else []
    offered.append(QuickAmount(_("Minimum"), choice.minimum))
    coins = [coin * choice.unit for coin in COINS]
    offered += [
        QuickAmount(f"+{money(coin)}", coin, step=True)
        for coin in coins
        if choice.minimum + coin <= most
    ]
    rivals = rival_bribes(view, scholar)
    above = max(rivals, default=0) + choice.unit
    if rivals and choice.minimum < above <= most:
        offered.append(QuickAmount(_("Outbid: {amount}").format(amount=money(above)), above))
    return offered
