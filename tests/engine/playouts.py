"""Games for the property tests: which tables there are, and how they are played."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from games.engine import (
    COLOURS,
    EDITIONS,
    Bribe,
    BribeChoice,
    Choice,
    Default,
    Event,
    Judge,
    JudgeChoice,
    Move,
    Place,
    PlaceChoice,
    Send,
    SendChoice,
    State,
    Step,
    new_game,
    step,
    to_move,
    view,
)
from games.engine.editions import CHOICES


class Setting(NamedTuple):
    """A table: edition, options and number of players."""

    edition: str
    options: dict[str, Any]
    players: int

    def __str__(self) -> str:
        options = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.edition}-{self.players}-{options or 'plain'}"

    def begin(self, first: str = "red") -> Step:
        return new_game(self.edition, self.options, COLOURS[: self.players], first)


class Moment(NamedTuple):
    """One move of a game: who made it, before which state, and what came of it.

    `log` are all events up to and including those of `made`.
    """

    before: State
    seat: int
    move: Move
    made: Step
    log: tuple[Event, ...]


SIZES = (3, 4, 5)

OF_PLAY = [option for option in CHOICES if option != "promises"]
"""All that matter where nobody promises anything; test_binding has the other one."""


def options_of(edition: str) -> list[dict[str, Any]]:
    """Each value of each option by itself, and none at all."""
    unit = EDITIONS[edition].unit
    single = [{key: value} for key in OF_PLAY for value in CHOICES[key]]
    single += [{"rounds": rounds} for rounds in (1, 2, 4, 9, 20)]
    single += [{"uncontested_min_bribe": times * unit} for times in (3, 10)]
    return [{}, *single]


def random_options(edition: str, chance: Random) -> dict[str, Any]:
    """Any mix of options."""
    options: dict[str, Any] = {
        key: chance.choice(CHOICES[key]) for key in OF_PLAY if chance.random() < 0.6
    }
    if chance.random() < 0.5:
        options["rounds"] = chance.randint(1, 8)
    if chance.random() < 0.3:
        options["uncontested_min_bribe"] = chance.randint(1, 12) * EDITIONS[edition].unit
    return options


PLAIN = [Setting(edition, {}, players) for edition in EDITIONS for players in SIZES]
SETTINGS = [
    Setting(edition, options, players)
    for edition in EDITIONS
    for players in SIZES
    for options in options_of(edition)
]
FEWER = PLAIN + [setting for at, setting in enumerate(SETTINGS) if setting.options and at % 3 == 0]
"""Each table size, and each option of each edition, but not all of them with each other."""


def mixed_settings(number: int, seed: int) -> list[Setting]:
    chance = Random(seed)
    editions = [chance.choice(tuple(EDITIONS)) for _ in range(number)]
    return [
        Setting(edition, random_options(edition, chance), chance.choice(SIZES))
        for edition in editions
    ]


def play(beginning: Step, seed: int) -> Iterator[Moment]:
    """The moments of one game to its end. Moves come from what the seat's own view offers."""
    chance = Random(seed)
    state, log = beginning
    while waiting := to_move(state):
        seat = chance.choice(waiting)
        choice = view(state, seat).choice
        assert choice is not None, "a seat to move has something to choose"
        move = Default() if chance.random() < 0.05 else wild_move(choice, chance)
        made = step(state, seat, move)
        log += made.events
        yield Moment(state, seat, move, made, log)
        state = made.state


def wild_move(choice: Choice, chance: Random) -> Move:
    """A legal move that likes extremes: the least, all there is, round sums that tie."""
    match choice:
        case BribeChoice():
            return Bribe(wild_bribes(choice, chance))
        case PlaceChoice(conflicts, open_areas):
            hired = [chance.choice(conflict) for conflict in conflicts]
            return Place(tuple(shuffled_pairs(hired, open_areas, chance)))
        case JudgeChoice(winners):
            return Judge(chance.choice(winners))
        case SendChoice(scholars, palaces, count, distinct):
            sent = chance.sample(scholars, count)
            to = chance.sample(palaces, count) if distinct else chance.choices(palaces, k=count)
            return Send(tuple(zip(sent, to, strict=True)))


def shuffled_pairs(
    hired: Sequence[Any], open_areas: Sequence[int], chance: Random
) -> list[tuple[Any, int]]:
    pairs = list(zip(hired, chance.sample(open_areas, len(hired)), strict=True))
    chance.shuffle(pairs)
    return pairs


def wild_bribes(choice: BribeChoice, chance: Random) -> tuple[tuple[Any, int], ...]:
    cash = choice.cash
    bribes = []
    for scholar in chance.sample(choice.scholars, len(choice.scholars)):
        amount = wild_amount(choice, cash, chance)
        if scholar in choice.may_pass and chance.random() < 0.4:
            amount = 0
        cash = max(cash - amount, 0)
        bribes.append((scholar, amount))
    return tuple(bribes)


def wild_amount(choice: BribeChoice, cash: int, chance: Random) -> int:
    least, most = choice.minimum, choice.highest(cash)
    amount = chance.choice((least, least, min(least + choice.unit, most), most))
    if chance.random() < 0.3:
        amount = chance.randrange(least, most + 1, choice.unit)
    return amount
