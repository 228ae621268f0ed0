"""The numbers of an edition, its options, and the terms of the game: lists beside the rules."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine import COLOURS, EDITIONS, Table
from games.engine.editions import MOST_ROUNDS, OPTIONS, Edition, OptionValue
from games.engine.state import FEWEST_PLAYERS
from games.presentation.nouns import Forms
from games.presentation.table_words import OPTION_LABELS, VALUE_LABELS
from games.presentation.words import (
    edition_name,
    edition_words,
    listed,
    money,
    occupation_told,
    with_currency,
)


class Fact(NamedTuple):
    """Something that an edition fixes: what, and how it is in this edition."""

    label: str
    value: str


class Comparison(NamedTuple):
    """A row of the editions compared: what, and for each edition its name and its value."""

    label: str
    values: list[Fact]


class Variant(NamedTuple):
    """An option of the rules: its name, what it does, and how it is here.

    `changed` where the table has it otherwise than its edition.
    """

    label: str
    text: str
    value: str
    changed: bool


class Term(NamedTuple):
    """A word of the game and what it means."""

    word: str
    meaning: str


def set_up_told(edition: Edition) -> list[Fact]:
    """What everybody has at the beginning, and how long the game lasts."""
    words = edition_words(edition)
    each = _("two of each occupation, {count} in all").format(count=2 * len(edition.occupations))
    players = _("{fewest} to {most}").format(fewest=FEWEST_PLAYERS, most=len(COLOURS))
    table = Table(edition, (), COLOURS, 0)
    salaries = _("Salaries of the {areas} in every {palace}").format(**words._asdict())
    return [
        Fact(_("Players"), players),
        Fact(_("Rounds"), str(edition.rounds)),
        Fact(salaries, _in_a_row(money(area) for area in sorted(edition.areas))),
        Fact(_("Occupations"), listed(occupation_told(title) for title in edition.occupations)),
        Fact(_("Every player's {scholars}").format(scholars=words.scholars), each),
        Fact(_("Money at the beginning"), with_currency(table, edition.starting_cash)),
        Fact(_("Smallest bill, and least bribe"), money(edition.unit)),
    ]


COMPARED: Final = (
    "distinct_palaces",
    "internal_order",
    "defender_bribe",
    "attackers",
    "broke",
)
"""The options in which editions differ."""


def editions_compared() -> list[Comparison]:
    """The editions beside each other, row by row."""
    editions = list(EDITIONS.values())
    set_up = [set_up_told(edition) for edition in editions]
    rows = [_words_told(edition) for edition in editions]
    columns = [
        [
            Fact(_("Words"), words),
            Fact(_("Rounds"), facts[1].value),
            Fact(_("Salaries"), facts[2].value),
            *facts[3:4],
            *facts[5:],
            *_options_told(edition),
        ]
        for edition, facts, words in zip(editions, set_up, rows, strict=True)
    ]
    return [
        Comparison(
            cells[0].label,
            [
                Fact(edition_name(edition.id), cell.value)
                for edition, cell in zip(editions, cells, strict=True)
            ],
        )
        for cells in zip(*columns, strict=True)
    ]


def _words_told(edition: Edition) -> str:
    words = edition_words(edition)
    return _in_a_row((words.palace, words.scholar, words.area))


def _in_a_row(parts: Iterable[str]) -> str:
    """The parts with dots between; a line may break after a dot only."""
    return "\N{NO-BREAK SPACE}· ".join(parts)


def _options_told(edition: Edition) -> list[Fact]:
    return [
        Fact(str(OPTION_LABELS[name]), _value_told(getattr(edition, name))) for name in COMPARED
    ]


def _value_told(value: OptionValue) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return money(value)
    return str(VALUE_LABELS[str(value)])


VARIANTS: Final[Mapping[str, Forms]] = {
    "rounds": gettext_lazy(
        "From 1 to {most}. When all {scholars} are sent, what is left is salaries and fights."
    ),
    "bribing": gettext_lazy(
        "Sealed bribes make a game far shorter, as nobody waits for the one before. But nobody can "
        "outbid what was paid."
    ),
    "refund_losers": gettext_lazy("Who loses then loses the {scholar}, but not the money."),
    "distinct_palaces": gettext_lazy("If not, both may wait at one door."),
    "internal_order": gettext_lazy(
        "Whoever bribes in a later fight knows how the earlier ones ended."
    ),
    "defender_bribe": gettext_lazy(
        "Where it may be left out, a resident can pay 0 and trust in the owner."
    ),
    "attackers": gettext_lazy(
        "If only the highest, attackers can outbid each other; the resident may win in any case."
    ),
    "broke": gettext_lazy("What the bank pays is a gift; a debt counts against you at the end."),
    "uncontested_min_bribe": gettext_lazy(
        "A multiple of the smallest bill. A higher one makes it dear to come without a rival."
    ),
}


def variants_told(edition: Edition) -> list[Variant]:
    """What a table may change, and how it is with this edition, its options applied."""
    nouns = edition_words(edition)._asdict()
    return [
        Variant(
            label=str(OPTION_LABELS[name]),
            text=str(VARIANTS[name]).format(**nouns, most=MOST_ROUNDS),
            value=_value_told(getattr(edition, name)),
            changed=getattr(edition, name) != getattr(EDITIONS[edition.id], name),
        )
        for name in OPTIONS
    ]


TERMS: Final[tuple[tuple[Forms, Forms], ...]] = (
    (
        pgettext_lazy("term", "Owner"),
        gettext_lazy("The player of a {palace}; mostly the one who holds court now."),
    ),
    (pgettext_lazy("term", "Applicant"), gettext_lazy("A {scholar} that waits at a door.")),
    (pgettext_lazy("term", "Resident"), gettext_lazy("A {scholar} that works in a {palace}.")),
    (pgettext_lazy("term", "Island"), gettext_lazy("Where the banished stay until the end.")),
    (
        pgettext_lazy("term", "Default"),
        gettext_lazy("The move that is played when a deadline passes."),
    ),
    (
        pgettext_lazy("term", "Standing order"),
        gettext_lazy("An answer that you leave before you are asked."),
    ),
    (pgettext_lazy("term", "Absent"), gettext_lazy("Somebody for whom nobody waits any more.")),
    (
        pgettext_lazy("term", "Substitute"),
        gettext_lazy("Whoever plays on for an absent player."),
    ),
    (pgettext_lazy("term", "House player"), gettext_lazy("A program that plays at a seat.")),
)


def terms_told(edition: Edition) -> list[Term]:
    """The words that one meets on the pages of a game."""
    nouns = edition_words(edition)._asdict()
    return [Term(str(word), str(meaning).format(**nouns)) for word, meaning in TERMS]
