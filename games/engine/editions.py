"""Editions of Intrigue as data: the four presets and the options a table may change.

Money is always in the edition's own currency, as whole numbers.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from games.engine.errors import BadSetup, quoted

COLOURS: Final = ("red", "yellow", "green", "blue", "violet")

type OptionValue = int | bool | str
type Options = Mapping[str, OptionValue]

LARGEST_NUMBER: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly; no record needs more money."""

MOST_ROUNDS: Final = 20


@dataclass(frozen=True)
class Words:
    """What the edition calls its things. For people only: rules and records never use them.

    `currency` stands behind an amount, as in "8,000 ducats".
    """

    palace: str
    palaces: str
    scholar: str
    scholars: str
    area: str
    areas: str
    currency: str


@dataclass(frozen=True)
class Edition:
    """The rules of one edition, its options already applied, and its words.

    `areas` are the salaries and `occupations` the occupations, both in card order; each player
    has two scholars of each occupation. `unit` is the smallest bill: a bribe is a multiple of it
    and at least once it, for uncontested applicants at least `uncontested_min_bribe`.
    An edition that cannot be played is refused with `BadSetup`.
    """

    id: str
    name: str
    words: Words
    rounds: int
    areas: tuple[int, ...]
    occupations: tuple[str, ...]
    starting_cash: int
    unit: int
    distinct_palaces: bool
    internal_order: str = "ascending"
    defender_bribe: str = "required"
    attackers: str = "any"
    broke: str = "bank"
    bribing: str = "sequential"
    refund_losers: bool = False
    uncontested_min_bribe: int = 0
    promises: str = "free"

    def __post_init__(self) -> None:
        if len(self.areas) != len(self.occupations):
            raise BadSetup(
                f"An edition needs as many areas as occupations: {self.id} has "
                f"{len(self.areas)} areas and {len(self.occupations)} occupations."
            )
        if len(set(self.areas)) != len(self.areas) or min(self.areas) <= 0:
            raise BadSetup(f"The salaries of {self.id} must be positive and all different.")
        if len(set(self.occupations)) != len(self.occupations):
            raise BadSetup(f"The occupations of {self.id} must all be different.")
        if self.uncontested_min_bribe == 0:
            object.__setattr__(self, "uncontested_min_bribe", self.unit)

    def minimum_bribe(self, round_no: int, *, uncontested: bool) -> int:
        """The least that a bribe may be: for an uncontested applicant, or in a conflict.

        So far it is the same in all rounds; whoever asks knows in which one it is paid.
        """
        return self.uncontested_min_bribe if uncontested else self.unit


MAYFAIR = Edition(
    id="mayfair-2005",
    name="Intrigue, Mayfair 2005",
    words=Words("palace", "palaces", "scholar", "scholars", "area", "areas", "ducats"),
    rounds=5,
    areas=(1000, 6000, 10000, 3000),
    occupations=("scientist", "doctor", "priest", "clerk"),
    starting_cash=32000,
    unit=1000,
    distinct_palaces=False,
)

FX_SCHMID = Edition(
    id="fx-schmid-1994",
    name="Intrige, F.X. Schmid 1994",
    words=Words("palazzo", "palazzi", "relative", "relatives", "building", "buildings", "ducats"),
    rounds=6,
    areas=(10000, 20000, 30000, 50000, 100000),
    occupations=("soldier", "lawyer", "scholar", "priest", "banker"),
    starting_cash=320000,
    unit=10000,
    distinct_palaces=True,
)

RUSSIAN = Edition(
    id="russian",
    name="Интрига, Russian rules",
    words=Words("palace", "palaces", "worker", "workers", "place", "places", "$"),
    rounds=6,
    areas=(1000, 3000, 6000, 10000),
    occupations=("scientist", "doctor", "priest", "clerk"),
    starting_cash=32000,
    unit=1000,
    distinct_palaces=True,
    internal_order="descending",
)

REFERENCE_MANUAL = Edition(
    id="reference-manual",
    name="Intrigue, reference manual",
    words=Words("palazzo", "palazzi", "relative", "relatives", "position", "positions", "$"),
    rounds=6,
    areas=(1000, 3000, 6000, 10000),
    occupations=("scribe", "minister", "alchemist", "healer"),
    starting_cash=32000,
    unit=1000,
    distinct_palaces=True,
    defender_bribe="optional",
    attackers="highest",
    broke="debt",
)

EDITIONS: Final[Mapping[str, Edition]] = {
    edition.id: edition for edition in (MAYFAIR, FX_SCHMID, RUSSIAN, REFERENCE_MANUAL)
}

CHOICES: Final[Mapping[str, tuple[OptionValue, ...]]] = {
    "bribing": ("sequential", "simultaneous"),
    "refund_losers": (False, True),
    "distinct_palaces": (False, True),
    "internal_order": ("ascending", "descending"),
    "defender_bribe": ("required", "optional"),
    "attackers": ("any", "highest"),
    "broke": ("bank", "debt"),
    "promises": ("free", "binding"),
}
"""Every option that has a list of values, and that list."""

NUMBERS: Final[Mapping[str, Callable[[Edition], range]]] = {
    "rounds": lambda _edition: range(1, MOST_ROUNDS + 1),
    "uncontested_min_bribe": lambda edition: range(edition.unit, LARGEST_NUMBER + 1, edition.unit),
}
"""Every option that is a number, and which it may be in an edition."""

OPTIONS: Final = (
    "rounds",
    *(option for option in CHOICES if option != "promises"),
    "uncontested_min_bribe",
    "promises",
)


def edition_named(name: object) -> Edition:
    """The preset with this id; `BadSetup` where there is none."""
    if isinstance(name, str) and name in EDITIONS:
        return EDITIONS[name]
    raise BadSetup(f"The edition must be one of {_listed(EDITIONS)}.")


def with_options(edition: Edition, options: Options) -> Edition:
    """The edition with these options applied; `BadSetup` for an unknown option or value.

    Allowed are the values of `CHOICES` and the numbers of `NUMBERS`.
    """
    for key, value in options.items():
        _refuse_bad_option(edition, key, value)
    return replace(edition, **options) if options else edition  # type: ignore[arg-type]


def _refuse_bad_option(edition: Edition, key: str, value: object) -> None:
    if key not in OPTIONS:
        known = _listed(OPTIONS)
        raise BadSetup(f"There is no option {quoted(key)}: the options are {known}.")
    if key in NUMBERS:
        right = NUMBERS[key](edition)
        if type(value) is not int or value not in right:
            raise BadSetup(f"The option {key} must be {_numbers_text(right)}.", key)
    elif not any(type(value) is type(choice) and value == choice for choice in CHOICES[key]):
        raise BadSetup(f"The option {key} must be one of {_listed(CHOICES[key])}.", key)


def _numbers_text(right: range) -> str:
    if right.step == 1:
        return f"a whole number from {right.start} to {right.stop - 1}"
    return f"a positive multiple of {right.step}, at most {right.stop - 1}"


def _listed(values: Iterable[OptionValue]) -> str:
    """As a record writes them: true, not True."""
    return ", ".join(
        str(value).lower() if isinstance(value, bool) else str(value) for value in values
    )
