"""What is on the table: immutable values, no verbs.

Players are seat numbers, 0 for the first of `Table.players` and on clockwise; "left" of a seat is
the next number. Areas are named by their salary. Card order is the order of the edition's lists.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from games.engine.editions import (
    COLOURS,
    Edition,
    Options,
    OptionValue,
    edition_named,
    with_options,
)
from games.engine.errors import BadSetup

FEWEST_PLAYERS: Final = 3
MOST_PLAYERS: Final = 5
TABLE_SIZES: Final = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)


class Stage(StrEnum):
    """What has to be decided now. Values are those of the game record."""

    UNCONTESTED_BRIBES = "uncontested-bribes"
    PLACEMENT = "placement"
    EXTERNAL_BRIBES = "external-bribes"
    HIRING = "hiring"
    INTERNAL_BRIBES = "internal-bribes"
    JUDGEMENT = "judgement"
    SENDING = "sending"
    OVER = "over"


BRIBING: Final = frozenset({Stage.UNCONTESTED_BRIBES, Stage.EXTERNAL_BRIBES, Stage.INTERNAL_BRIBES})


class Scholar(NamedTuple):
    """One scholar: its owner's seat, the occupation's place in card order, and 1 or 2.

    Sorting scholars of one owner gives card order.
    """

    owner: int
    occupation: int
    number: int


class Payment(NamedTuple):
    """A bribe that was paid: `amount` in all, of which the bank paid `bank`."""

    scholar: Scholar
    amount: int
    bank: int


class Sealed(NamedTuple):
    """Bribes handed in and not yet opened, in the order in which `seat` wants them paid."""

    seat: int
    bribes: tuple[tuple[Scholar, int], ...]


@dataclass(frozen=True)
class Table:
    """What never changes in a game: edition with options applied, players, who begins.

    `players` are different colours clockwise, as many as may play, `first` a seat number.
    `options` are the overrides, sorted by name: a database may store them in another order.
    """

    edition: Edition
    options: tuple[tuple[str, OptionValue], ...]
    players: tuple[str, ...]
    first: int
    names: Mapping[Scholar, str] = field(init=False, repr=False, compare=False)
    scholars: Mapping[str, Scholar] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names, scholars = _names(self.players, self.edition.occupations)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "scholars", scholars)

    def clockwise_from_left_of(self, seat: int) -> tuple[int, ...]:
        """All other seats, beginning with the left neighbour."""
        return (*range(seat + 1, len(self.players)), *range(seat))


@lru_cache(maxsize=128)
def _names(
    players: tuple[str, ...], occupations: tuple[str, ...]
) -> tuple[Mapping[Scholar, str], Mapping[str, Scholar]]:
    """The name of each scholar, and the scholar of each name.

    Tables with the same colours and occupations share them; nobody changes them.
    """
    names = {
        Scholar(owner, occupation, number): f"{colour}-{title}-{number}"
        for owner, colour in enumerate(players)
        for occupation, title in enumerate(occupations)
        for number in (1, 2)
    }
    return names, {name: scholar for scholar, name in names.items()}


class Position(NamedTuple):
    """The start of `active`'s turn, before the salary. Scholars not named are unsent."""

    round: int
    active: int
    cash: tuple[int, ...]
    palaces: tuple[tuple[Scholar | None, ...], ...]
    applicants: tuple[tuple[Scholar, ...], ...]
    island: tuple[Scholar, ...]


class State(NamedTuple):
    """The whole game at one moment.

    `bank` is what the bank has given (negative) or taken since the start, so that cash plus bank
    never changes. `palaces` lists for each owner the residents in card order of the areas;
    `applicants` for each palace the scholars at its door, `unsent` for each owner the scholars
    still beside the palace. `area` is the salary fought for in an internal conflict.
    `contenders` of the stage stand in bribing order (ruling 3: players clockwise from the palace
    owner's left, in an internal conflict the resident's owner first; among one player's own the
    resident first, then card order). `paid` are the bribes of the present conflict in the order
    in which they were paid; `sealed` is what was handed in and not yet opened.
    """

    table: Table
    round: int
    active: int | None
    stage: Stage
    cash: tuple[int, ...]
    bank: int
    palaces: tuple[tuple[Scholar | None, ...], ...]
    applicants: tuple[tuple[Scholar, ...], ...]
    unsent: tuple[tuple[Scholar, ...], ...]
    island: tuple[Scholar, ...]
    area: int | None = None
    contenders: tuple[Scholar, ...] = ()
    paid: tuple[Payment, ...] = ()
    sealed: tuple[Sealed, ...] = ()

    @property
    def handed_in(self) -> tuple[int, ...]:
        """The seats that have handed in sealed bribes, which are not opened yet."""
        return tuple(sealed.seat for sealed in self.sealed)


def make_table(edition: object, options: Options, players: Iterable[str], first: object) -> Table:
    """The table for these colours clockwise and the colour that begins.

    `BadSetup` with a sentence where the edition, an option, the players or `first` are not right.
    """
    rules = with_options(edition_named(edition), options)
    colours = tuple(players)
    if len(colours) not in TABLE_SIZES or not set(colours) <= set(COLOURS):
        raise BadSetup(
            f"The players must be {FEWEST_PLAYERS} to {MOST_PLAYERS} of {', '.join(COLOURS)}."
        )
    if len(set(colours)) != len(colours):
        raise BadSetup("Each player must have a colour of their own.")
    if first not in colours:
        raise BadSetup(f"The first player must be one of {', '.join(colours)}.")
    return Table(rules, tuple(sorted(options.items())), colours, colours.index(str(first)))


def opening(table: Table) -> Position:
    """The set-up of the rule book: nothing on the table, everybody with the starting cash."""
    seats = len(table.players)
    empty = (None,) * len(table.edition.areas)
    cash = (table.edition.starting_cash,) * seats
    return Position(1, table.first, cash, (empty,) * seats, ((),) * seats, ())


def active_player(state: State) -> int:
    """The seat whose turn it is; `ValueError` when the game is over."""
    if state.active is None:
        raise ValueError("Nobody is active any more: the game is over.")
    return state.active


def resident(state: State) -> Scholar | None:
    """The scholar whose area is fought for, or None where there is no internal conflict."""
    if state.area is None or state.active is None:
        return None
    return state.palaces[state.active][state.table.edition.areas.index(state.area)]


def bribers(state: State) -> tuple[int, ...]:
    """The owners of the contenders in bribing order (ruling 3)."""
    return tuple(dict.fromkeys(scholar.owner for scholar in state.contenders))


def to_move(state: State) -> tuple[int, ...]:
    """The seats that must move before anything goes on, in bribing order; none when it is over.

    One seat at a time in sequential bribing, all that are missing in simultaneous bribing.
    """
    if state.stage not in BRIBING:
        return () if state.active is None else (state.active,)
    if state.table.edition.bribing == "sequential":
        # A briber pays for all of his contenders at once, and they stand next to each other: the
        # next contender is the first that isn't paid for.
        paid = len(state.paid)
        return (state.contenders[paid].owner,) if paid < len(state.contenders) else ()
    done = {payment.scholar.owner for payment in state.paid}
    done.update(sealed.seat for sealed in state.sealed)
    return tuple(seat for seat in bribers(state) if seat not in done)


def winners(state: State) -> tuple[int, ...]:
    """The seats with the most money when the game is over (ruling 7: equal money is shared)."""
    return richest(state.cash) if state.stage is Stage.OVER else ()


def richest(cash: tuple[int, ...]) -> tuple[int, ...]:
    """The seats that have the most money."""
    return tuple(seat for seat, money in enumerate(cash) if money == max(cash))
