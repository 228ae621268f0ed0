"""Computer players: pure functions of what their seat may know and a seed."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from games.engine.choices import BribeChoice, Choice, JudgeChoice, PlaceChoice, SendChoice
from games.engine.courtier import play_courtier
from games.engine.moves import Bribe, Judge, Move, Place, Send
from games.engine.view import View

type ComputerPlayer = Callable[[View, int], Move]


def play_default(view: View, seed: int) -> Move:
    """Return the default move (ruling 8), whatever the seed. The seat must be to move."""
    if view.default is None:
        raise ValueError("This seat is not to move.")
    return view.default


def play_random(view: View, seed: int) -> Move:
    """Choose each part of the move uniformly from what is still legal, in order.

    The seat must be to move.
    """
    if view.choice is None:
        raise ValueError("This seat is not to move.")
    return _random_move(view.choice, Random(seed))  # noqa: S311 (a game, no secret)


COMPUTER_PLAYERS: Final[Mapping[str, ComputerPlayer]] = {
    "courtier": play_courtier,
    "default": play_default,
    "random": play_random,
}

FOR_ABSENT_PLAYERS: Final = ("courtier", "default", "random")
"""Those that a table may choose for absent players: they answer at once, as others wait."""


def _random_move(choice: Choice, chance: Random) -> Move:
    match choice:
        case BribeChoice():
            return _random_bribes(choice, chance)
        case PlaceChoice(conflicts, open_areas):
            areas = chance.sample(open_areas, len(conflicts))
            hired = [chance.choice(conflict) for conflict in conflicts]
            return Place(tuple(zip(hired, areas, strict=True)))
        case JudgeChoice(winners):
            return Judge(chance.choice(winners))
        case SendChoice(scholars, palaces, count, distinct):
            sent = chance.sample(scholars, count)
            to = chance.sample(palaces, count) if distinct else chance.choices(palaces, k=count)
            return Send(tuple(zip(sent, to, strict=True)))


def _random_bribes(choice: BribeChoice, chance: Random) -> Bribe:
    cash = choice.cash
    bribes = []
    for scholar in choice.scholars:
        amounts = range(choice.minimum, choice.highest(cash) + 1, choice.unit)
        pass_too = scholar in choice.may_pass
        pick = chance.randrange(len(amounts) + pass_too)
        amount = amounts[pick] if pick < len(amounts) else 0
        cash = max(cash - amount, 0)
        bribes.append((scholar, amount))
    return Bribe(tuple(bribes))
