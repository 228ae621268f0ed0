"""The awards of a finished game in words: a name, and a sentence, which calls its reader "you"."""

from collections.abc import Mapping
from typing import Final, NamedTuple, Protocol

from django.utils.functional import Promise as LazyText
from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext, pgettext_lazy

from games.engine.awards import Award, AwardKind
from games.presentation.text.words import People, listed, money


class _Text(Protocol):
    def format(self, **values: object) -> str: ...


class _Words(NamedTuple):
    title: LazyText
    text: _Text
    to_reader: _Text


_WORDS: Final[Mapping[AwardKind, _Words]] = {
    AwardKind.FAITHFUL: _Words(
        pgettext_lazy("award", "True to their word"),
        ngettext_lazy(
            "{names} kept {count} public promise.",
            "{names} kept all {count} public promises.",
            "count",
        ),
        ngettext_lazy(
            "You kept {count} public promise.", "You kept all {count} public promises.", "count"
        ),
    ),
    AwardKind.NOT_FOR_SALE: _Words(
        pgettext_lazy("award", "Not for sale"),
        ngettext_lazy(
            "{names} kept {count} public promise despite a higher bribe.",
            "{names} kept {count} public promises despite higher bribes.",
            "count",
        ),
        ngettext_lazy(
            "You kept {count} public promise despite a higher bribe.",
            "You kept {count} public promises despite higher bribes.",
            "count",
        ),
    ),
    AwardKind.TREACHEROUS: _Words(
        pgettext_lazy("award", "Broken seals"),
        ngettext_lazy(
            "{names} broke {count} public promise.",
            "{names} broke {count} public promises.",
            "count",
        ),
        ngettext_lazy(
            "You broke {count} public promise.", "You broke {count} public promises.", "count"
        ),
    ),
    AwardKind.FOR_NOTHING: _Words(
        pgettext_lazy("award", "Paid for nothing"),
        gettext_lazy("{names} paid {bribes} in bribes for {scholar}, who was banished anyway."),
        gettext_lazy("You paid {bribes} in bribes for {scholar}, who was banished anyway."),
    ),
    AwardKind.BARGAIN: _Words(
        pgettext_lazy("award", "Best bargain"),
        gettext_lazy("{names} earned {earned} with {scholar} for {bribes} in bribes."),
        gettext_lazy("You earned {earned} with {scholar} for {bribes} in bribes."),
    ),
    AwardKind.DEAREST: _Words(
        pgettext_lazy("award", "Money no object"),
        gettext_lazy("{names} paid {bribes} in bribes for {scholar}, who earned them {earned}."),
        gettext_lazy("You paid {bribes} in bribes for {scholar}, who earned you {earned}."),
    ),
    AwardKind.UNMOVED: _Words(
        pgettext_lazy("award", "Here to stay"),
        ngettext_lazy(
            "{names} defended {scholar} in {count} conflict.",
            "{names} defended {scholar} in {count} conflicts.",
            "count",
        ),
        ngettext_lazy(
            "You defended {scholar} in {count} conflict.",
            "You defended {scholar} in {count} conflicts.",
            "count",
        ),
    ),
    AwardKind.BRIBED: _Words(
        pgettext_lazy("award", "Open hands"),
        gettext_lazy("{names} took {amount} in bribes."),
        gettext_lazy("You took {amount} in bribes."),
    ),
    AwardKind.BANISHED: _Words(
        pgettext_lazy("award", "A crowded island"),
        gettext_lazy("{names} lost {count} of their {scholars} to the island."),
        gettext_lazy("You lost {count} of your {scholars} to the island."),
    ),
}


class AwardLine(NamedTuple):
    """An award as the result shows it; `names` are those in the text."""

    title: str
    text: str
    names: list[str]
    colours: list[str]


def award_line(people: People, award: Award) -> AwardLine:
    """An award in words, said to whoever got it if they read it."""
    words = _WORDS[award.kind]
    text = words.to_reader if award.seats == (people.reader,) else words.text
    others = [people.name(seat) for seat in award.seats if seat != people.reader]
    you = [pgettext("award", "You")] if people.reader in award.seats else []
    career, amount = award.career, int(award.value)
    values: dict[str, object] = {
        "names": listed([*you, *others]),
        "count": amount,
        "amount": money(amount),
        "scholars": people.words.scholars,
    }
    if career is not None:
        values["scholar"] = people.scholar(career.scholar)
        values |= {"bribes": money(career.bribes), "earned": money(career.earned)}
    colours = [people.colour(seat) for seat in award.seats]
    return AwardLine(str(words.title), text.format(**values), others, colours)
