"""The numbers of an edition, its options, and the terms of the game: lists beside the rules."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.engine import COLOURS, EDITIONS, Table
from games.engine.editions import MOST_ROUNDS, OPTIONS, Edition, OptionValue
from games.engine.state import FEWEST_PLAYERS, MOST_PLAYERS
from games.presentation.text.nouns import Forms
from games.presentation.text.tables import OPTION_LABELS, VALUE_LABELS
from games.presentation.text.words import (
    edition_name,
    edition_words,
    listed,
    money,
    occupation_text,
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


def set_up_text(edition: Edition) -> list[Fact]:
    """What everybody has at the beginning, and how long the game lasts."""
    words = edition_words(edition)
    each = _("two of each occupation, {count} in all").format(count=2 * len(edition.occupations))
    players = _("{fewest} to {most}").format(fewest=FEWEST_PLAYERS, most=MOST_PLAYERS)
    table = Table(edition, (), COLOURS[:MOST_PLAYERS], 0)
    minimum = edition.minimum_bribe(1, uncontested=False)
    salaries = _("Salaries of the {areas} in every {palace}").format(**words._asdict())
    return [
        Fact(_("Players"), players),
        Fact(_("Rounds"), str(edition.rounds)),
        Fact(salaries, _in_a_row(money(area) for area in sorted(edition.areas))),
        Fact(_("Occupations"), listed(occupation_text(title) for title in edition.occupations)),
        Fact(_("Every player's {scholars}").format(scholars=words.scholars), each),
        Fact(_("Starting money"), with_currency(table, edition.starting_cash)),
        Fact(_("Smallest bill and minimum bribe"), money(minimum)),
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
    set_up = [set_up_text(edition) for edition in editions]
    terms = [edition_words(edition) for edition in editions]
    columns = [
        [
            Fact(_("Terms"), _in_a_row((words.palace, words.scholar, words.area))),
            Fact(_("Rounds"), facts[1].value),
            Fact(_("Salaries"), facts[2].value),
            *facts[3:4],
            *facts[5:],
            *(
                Fact(str(OPTION_LABELS[name]), _value_text(getattr(edition, name)))
                for name in COMPARED
            ),
        ]
        for edition, facts, words in zip(editions, set_up, terms, strict=True)
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


def _in_a_row(parts: Iterable[str]) -> str:
    """The parts with dots between; a line may break after a dot only."""
    return "\N{NO-BREAK SPACE}· ".join(parts)


def _value_text(value: OptionValue) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return money(value)
    return str(VALUE_LABELS[str(value)])


VARIANTS: Final[Mapping[str, Forms]] = {
    "rounds": gettext_lazy(
        "From 1 to {most}. Once all {scholars} have been sent, only salaries and "
        "conflicts are left."
    ),
    "bribing": gettext_lazy(
        "Sealed bribes make a game much shorter, because nobody has to wait for the player "
        "before them. But nobody can respond to anyone else's bribe."
    ),
    "refund_losers": gettext_lazy(
        "With refunds, losing a conflict costs you the {scholar}, but not the money."
    ),
    "distinct_palaces": gettext_lazy(
        "If this isn't required, the two sent in a turn may wait at the same door."
    ),
    "internal_order": gettext_lazy(
        "Players who bribe in a later conflict know how the earlier ones ended."
    ),
    "defender_bribe": gettext_lazy(
        "If the bribe is optional, you can pay 0 for a resident and trust the owner."
    ),
    "attackers": gettext_lazy(
        "If only the attacker with the highest bribe may win, attackers can outbid "
        "each other; the resident may win either way."
    ),
    "broke": gettext_lazy(
        "If the bank pays the rest, that's a gift; a debt counts against you at the end."
    ),
    "promises": gettext_lazy(
        "If these promises are binding, a move that would break one isn't allowed. Other "
        "promises, such as those about amounts or later turns, can always be broken."
    ),
    "uncontested_min_bribe": gettext_lazy(
        "A multiple of the smallest bill. The higher it is, the more you pay even without a rival."
    ),
}


def variants_text(edition: Edition) -> list[Variant]:
    """What a table may change, and how it is with this edition, its options applied."""
    nouns = edition_words(edition)._asdict()
    return [
        Variant(
            label=str(OPTION_LABELS[name]),
            text=str(VARIANTS[name]).format(**nouns, most=MOST_ROUNDS),
            value=_value_text(getattr(edition, name)),
            changed=getattr(edition, name) != getattr(EDITIONS[edition.id], name),
        )
        for name in OPTIONS
    ]


TERMS: Final[tuple[tuple[Forms, Forms], ...]] = (
    (
        pgettext_lazy("term", "Owner"),
        gettext_lazy("The player who owns a {palace}, usually the one holding court now."),
    ),
    (pgettext_lazy("term", "Applicant"), gettext_lazy("A {scholar} waiting at a door.")),
    (pgettext_lazy("term", "Resident"), gettext_lazy("A {scholar} working in a {palace}.")),
    (
        pgettext_lazy("term", "Island"),
        gettext_lazy("Where the banished stay until the end of the game."),
    ),
    (
        pgettext_lazy("term", "Default move"),
        gettext_lazy("The move that is played when a deadline passes."),
    ),
    (
        pgettext_lazy("term", "Standing order"),
        gettext_lazy("A move that you set in advance."),
    ),
    (
        pgettext_lazy("term", "Absent"),
        gettext_lazy("Said of a player the game no longer waits for."),
    ),
    (
        pgettext_lazy("term", "Substitute"),
        gettext_lazy("A player who takes over an absent player's seat."),
    ),
    (
        pgettext_lazy("term", "Computer player"),
        gettext_lazy("A program that plays instead of a person."),
    ),
)


def terms_text(edition: Edition) -> list[Term]:
    """The words that one meets on the pages of a game."""
    nouns = edition_words(edition)._asdict()
    return [Term(str(word), str(meaning).format(**nouns)) for word, meaning in TERMS]
