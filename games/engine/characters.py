"""The characters of computer players that negotiate: who they are, and how."""

from collections.abc import Mapping
from enum import StrEnum
from random import Random
from typing import Final, NamedTuple

from games.engine.state import MOST_PLAYERS


class Character(NamedTuple):
    """How a negotiator is, each trait from 0 to 4.

    `greed` is how much it asks for, `loyalty` how much its word costs it to break, `vengeance` how
    long it remembers what others broke.
    """

    greed: int
    loyalty: int
    vengeance: int


class Role(StrEnum):
    """Who a negotiator is. Values are stored with what it says."""

    MISER = "miser"
    DUKE = "duke"
    CARDINAL = "cardinal"
    COUNTESS = "countess"
    MERCHANT = "merchant"
    ABBOT = "abbot"
    CAPTAIN = "captain"
    MARCHESA = "marchesa"


CHARACTERS: Final[Mapping[Role, Character]] = {
    Role.MISER: Character(greed=4, loyalty=2, vengeance=1),
    Role.DUKE: Character(greed=1, loyalty=4, vengeance=2),
    Role.CARDINAL: Character(greed=2, loyalty=2, vengeance=4),
    Role.COUNTESS: Character(greed=2, loyalty=0, vengeance=1),
    Role.MERCHANT: Character(greed=3, loyalty=3, vengeance=0),
    Role.ABBOT: Character(greed=0, loyalty=3, vengeance=0),
    Role.CAPTAIN: Character(greed=1, loyalty=1, vengeance=3),
    Role.MARCHESA: Character(greed=4, loyalty=0, vengeance=3),
}


def role_of(seed: int, seat: int) -> Role:
    """Who has this seat in the game of this seed; nobody has two seats."""
    chance = Random(seed)  # noqa: S311 (a game, no secret)
    return chance.sample(list(Role), MOST_PLAYERS)[seat]


def character_of(seed: int, seat: int) -> Character:
    """The character of the computer player at this seat in the game of this seed."""
    return CHARACTERS[role_of(seed, seat)]
