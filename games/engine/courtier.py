"""`courtier`: a plausible computer player. A pure function of what its seat may know and a seed.

It weighs the salaries still to come for a place against what a bribe costs and buys, sends where
places are open and rivals few, and as an owner favours players who keep its own scholars well or
paid well, and is wary of the one who earns most. The seed only breaks ties.
"""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from games.engine.choices import BribeChoice, JudgeChoice, PlaceChoice, SendChoice
from games.engine.moves import Bribe, Judge, Move, Place, Send
from games.engine.state import Scholar, Stage
from games.engine.view import View

CHANCE_BRIBE_DECIDES: Final = 0.5
"""How likely an owner decides for the highest bribe; else anyone in the conflict may win."""

CHANCE_PER_ATTACKER: Final = 0.12
"""How likely each scholar that could still attack a place drives its holder out."""

MOST_OF_WORTH: Final = 0.5
"""A bribe costs at most this part of what the place is worth, and of the cash."""


class Assurance(NamedTuple):
    """A bribe of `least` or more wins a `prize`, in money, with this probability (`chance`)."""

    least: int
    chance: float
    prize: float


class Bias(NamedTuple):
    """What the player weighs besides the board.

    `favour` is money that a scholar is worth to the viewed owner on top, `assured` what its owner
    may count on when it bribes, `liking` a factor for sending to the palace of a seat.
    """

    favour: Mapping[Scholar, float] = MappingProxyType({})
    assured: Mapping[Scholar, Assurance] = MappingProxyType({})
    liking: Mapping[int, float] = MappingProxyType({})


def play_courtier(view: View, seed: int, bias: Bias = Bias()) -> Move:  # noqa: B008 (never changes)
    """The move of the viewed seat, which must be to move."""
    chance = Random(seed)  # noqa: S311 (a game, no secret)

    def favour(scholar: Scholar) -> float:
        return _favour(view, scholar) + bias.favour.get(scholar, 0)

    match view.choice:
        case BribeChoice() as choice:
            return _bribe(view, choice, bias)
        case PlaceChoice() as choice:
            return _place(choice, chance, favour)
        case JudgeChoice(winners):
            return Judge(max(_shuffled(winners, chance), key=favour))
        case SendChoice() as choice:
            return _send(view, choice, chance, bias)
        case None:
            raise ValueError("This seat is not to move.")


# What a place is worth.


def _payments(view: View, palace: int, seat: int) -> int:
    """How often `seat` is paid for a place that it wins in the next turn of `palace`."""
    rounds, seats, first = view.table.edition.rounds, len(view.table.players), view.table.first
    active = first if view.active is None else view.active
    after = [(one - first) % seats for one in (active, palace, seat)]
    decided = view.round + (after[1] < after[0])
    if decided > rounds:
        return 0
    return rounds - decided + (after[2] > after[1]) + 1


def _kept(view: View, palace: int, occupation: int, holder: int) -> float:
    """How likely a place is kept from one payment to the next, given who can still attack it."""
    attackers = sum(
        scholar.occupation == occupation and scholar.owner not in (palace, holder)
        for unsent in view.unsent
        for scholar in unsent
    )
    return float((1 - CHANCE_PER_ATTACKER) ** attackers)


def worth(view: View, palace: int, scholar: Scholar, salary: float) -> float:
    """The salaries that a place won now will bring, as far as it is kept."""
    payments = _payments(view, palace, scholar.owner)
    kept = _kept(view, palace, scholar.occupation, scholar.owner)
    return salary * (1 + (payments - 1) * (1 + kept) / 2) if payments else 0


# Bribes.


def _bribe(view: View, choice: BribeChoice, bias: Bias) -> Bribe:
    cash = choice.cash
    bribes = []
    for scholar in choice.scholars:
        amount = _best_amount(view, choice, scholar, cash, bias.assured.get(scholar))
        bribes.append((scholar, amount))
        cash = max(cash - amount, 0)
    return Bribe(tuple(bribes))


def _best_amount(
    view: View, choice: BribeChoice, scholar: Scholar, cash: int, assured: Assurance | None
) -> int:
    """The amount with the best balance of what it wins and what it costs; of equals the least."""
    rivals = _expected_bribes(view, choice, scholar)
    prize = worth_of_winning(view, scholar)
    unit, dearest = choice.unit, min(MOST_OF_WORTH * prize, MOST_OF_WORTH * cash)
    wanted = {choice.minimum, *(rival + more for rival in rivals for more in (0, unit))}
    wanted |= set() if assured is None else {assured.least}
    amounts = {one for one in wanted if choice.minimum <= one <= min(dearest, cash)}
    amounts |= {0} if scholar in choice.may_pass else set()
    amounts |= {choice.minimum} if scholar not in choice.may_pass or cash else set()

    def balance(amount: int) -> float:
        if assured is not None and amount >= assured.least:
            return assured.chance * max(prize, assured.prize) - amount
        return _chance_bought(view, scholar, amount, rivals) * prize - amount

    return max(sorted(amounts), key=balance)


def _expected_bribes(view: View, choice: BribeChoice, scholar: Scholar) -> list[int]:
    """What the rivals paid, or will pay: a minimum each, as one that has not paid may."""
    paid = {payment.scholar: payment.amount for payment in view.paid}
    return [
        paid.get(rival, choice.minimum)
        for rival in view.contenders
        if rival.owner != scholar.owner and _are_rivals(view, rival, scholar)
    ]


def _are_rivals(view: View, one: Scholar, other: Scholar) -> bool:
    """Whether two scholars want one place, or without a conflict the best open area."""
    return view.stage is Stage.UNCONTESTED_BRIBES or one.occupation == other.occupation


def worth_of_winning(view: View, scholar: Scholar) -> float:
    """What the place fought for is worth; without a conflict, what a better area is worth."""
    palace = scholar.owner if view.active is None else view.active
    if view.area is not None:
        return worth(view, palace, scholar, view.area)
    areas = sorted(_open_areas(view, palace))
    if view.stage is Stage.UNCONTESTED_BRIBES:
        return worth(view, palace, scholar, areas[-1] - areas[-min(len(areas), 2)])
    return worth(view, palace, scholar, sum(areas) / len(areas))


def _chance_bought(view: View, scholar: Scholar, amount: int, rivals: list[int]) -> float:
    """How likely this amount wins against the bribes of the rivals."""
    best = max(rivals, default=0)
    first = all(rival.owner == scholar.owner for rival in view.contenders[:1])
    by_bribe = amount > best or (amount == best and first)
    return CHANCE_BRIBE_DECIDES * by_bribe + (1 - CHANCE_BRIBE_DECIDES) / (len(rivals) + 1)


# Decisions.


def _favour(view: View, scholar: Scholar) -> float:
    """How much the viewed owner likes to employ this scholar, in money.

    For it speak what its owner pays the viewed seat's scholars, and the bribe it paid; against it
    what its owner earns already.
    """
    returned = _income(view, view.seat, palaces=[scholar.owner])
    earns = _income(view, scholar.owner, palaces=range(len(view.palaces)))
    bribe = sum(payment.amount for payment in view.paid if payment.scholar == scholar)
    refunded = 2 if view.table.edition.refund_losers else 1
    return returned / 2 - earns + refunded * bribe


def _income(view: View, seat: int | None, palaces: Iterable[int]) -> int:
    return sum(
        salary
        for palace in palaces
        for salary, held_by in zip(view.table.edition.areas, view.palaces[palace], strict=True)
        if held_by is not None and held_by.owner == seat
    )


def _place(choice: PlaceChoice, chance: Random, favour: Callable[[Scholar], float]) -> Place:
    """The most favoured of each conflict, and the best open areas in the order of favour."""
    hired = [max(_shuffled(conflict, chance), key=favour) for conflict in choice.conflicts]
    hired = sorted(_shuffled(hired, chance), key=favour, reverse=True)
    best_first = sorted(choice.open_areas, reverse=True)
    return Place(tuple(zip(hired, best_first, strict=False)))


# Sending.


def _send(view: View, choice: SendChoice, chance: Random, bias: Bias) -> Send:
    """The best targets one after the other, so that no two are sent for the same place."""

    def prospect(target: tuple[Scholar, int]) -> float:
        return _prospect(view, *target) * bias.liking.get(target[1], 1)

    targets = [(scholar, palace) for scholar in choice.scholars for palace in choice.palaces]
    targets = sorted(_shuffled(targets, chance), key=prospect, reverse=True)
    sent: list[tuple[Scholar, int]] = []
    for strict in (True, False):
        for scholar, palace in targets:
            clash = any(
                scholar == other or (palace == there and (choice.distinct or strict))
                for other, there in sent
            )
            if not clash and len(sent) < choice.count:
                sent.append((scholar, palace))
    return Send(tuple(sent))


def _prospect(view: View, scholar: Scholar, palace: int) -> float:
    """What a scholar can hope for at a palace: the place's worth times the chance to win it."""
    salary, held_by = _place_for(view, palace, scholar.occupation)
    if held_by is not None and held_by.owner == scholar.owner:
        return -1
    rivals = [one for one in view.applicants[palace] if one.occupation == scholar.occupation]
    count = len(rivals) + (held_by is not None)
    return worth(view, palace, scholar, salary) / (1 + count)


def _place_for(view: View, palace: int, occupation: int) -> tuple[float, Scholar | None]:
    """The salary of this occupation's area and its resident, or what an open area may pay."""
    for salary, held_by in zip(view.table.edition.areas, view.palaces[palace], strict=True):
        if held_by is not None and held_by.occupation == occupation:
            return salary, held_by
    areas = _open_areas(view, palace)
    waiting = {one.occupation for one in view.applicants[palace]} | {occupation}
    best = sorted(areas, reverse=True)[: max(len(waiting), 1)]
    return sum(best) / len(best), None


def _open_areas(view: View, palace: int) -> list[int]:
    areas = zip(view.table.edition.areas, view.palaces[palace], strict=True)
    return [salary for salary, held_by in areas if held_by is None]


def _shuffled[Item](items: Iterable[Item], chance: Random) -> list[Item]:
    several = list(items)
    chance.shuffle(several)
    return several
