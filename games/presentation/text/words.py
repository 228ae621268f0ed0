"""Money, scholars, palaces and instants in words, in the reader's language.

Nouns are `Phrase`s: a translator asks for the case in the placeholder, `"{scholar:accusative}"`.
English needs no case, so the English sentences name none. docs/languages.md says more.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, date, datetime, time
from functools import cache, lru_cache
from typing import Final, NamedTuple, Self

from django.utils.dateformat import format as date_format
from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from games.engine import EDITIONS, Scholar, Table
from games.engine.editions import Edition
from games.presentation.text.direction import StandIn
from games.presentation.text.nouns import (
    AREAS,
    COLOURS,
    EDITION_NAMES,
    OCCUPATIONS,
    PALACES,
    SCHOLARS,
    Forms,
)
from games.zones import zone_of

CASES: Final = ("nominative", "genitive", "dative", "accusative", "instrumental", "prepositional")

CAPITAL: Final = "capital"

_LAST: Final = {
    "and": pgettext_lazy("list", "{most} and {last}"),
    "or": pgettext_lazy("list", "{most} or {last}"),
}


class Phrase(str):
    """A noun, or a list of nouns, in every case.

    As a string it is its nominative; `format` gives the case that its specification names. Made
    of one form for all cases (`forms` is empty), or of one for each, in the order of `CASES`.
    """

    __slots__ = ("forms",)
    forms: tuple[str, ...]

    def __new__(cls, *forms: str) -> Self:
        phrase = super().__new__(cls, forms[0])
        phrase.forms = forms if len(forms) == len(CASES) else ()
        return phrase

    def __format__(self, case: str) -> str:
        return self.forms[CASES.index(case)] if case and self.forms else str(self)


class Clause(str):
    """A sentence without its full stop, to stand in another one.

    `format` begins it with a capital where a translator asks for one, "{promise:capital}"; but a
    name at its beginning (`is_of_name`) stays as it is written.
    """

    __slots__ = ("is_of_name",)
    is_of_name: bool

    @classmethod
    def of(cls, message: object, **values: object) -> Self:
        """The clause that a message makes of these values."""
        text = str(message)
        clause = cls(text.format(**values))
        first = values.get(text[1:].partition("}")[0]) if text.startswith("{") else None
        if isinstance(first, Clause):
            clause.is_of_name = first.is_of_name
        else:
            clause.is_of_name = first is not None and not isinstance(first, Phrase)
        return clause

    def __format__(self, form: str) -> str:
        return capital(self) if form == CAPITAL and not self.is_of_name else str(self)


class NameList(Phrase):
    """Names in one phrase, and `each` of them: the words between them are ours."""

    __slots__ = ("each",)
    each: tuple[str, ...]


def declined(message: Forms) -> Phrase:
    """The phrase whose forms a message lists: "clerk", or "Arzt|Arztes|Arzt|…"."""
    return Phrase(*str(message).split("|"))


def composed(message: Forms, **parts: Phrase) -> Phrase:
    """A phrase made of phrases: in every case, its parts are in that case too."""
    pattern = message if isinstance(message, Phrase) else declined(message)
    if not pattern.forms and not any(part.forms for part in parts.values()):
        return Phrase(pattern.format(**parts))  # as in English
    return Phrase(
        *(
            format(pattern, case).format(
                **{name: format(part, case) for name, part in parts.items()}
            )
            for case in CASES
        )
    )


def listed(parts: Iterable[str], last: str = "and") -> Phrase:
    """A list in words, with "and" or "or" before its last part: "a, b and c".

    In a case, each of its phrases is in that case; plain strings stay as they are.
    """
    *most, final = [part if isinstance(part, Phrase) else Phrase(part) for part in parts]
    if not most:
        return final
    if any(part.forms for part in most):
        commas = Phrase(*(", ".join(format(part, case) for part in most) for case in CASES))
    else:
        commas = Phrase(", ".join(most))
    return composed(declined(_LAST[last]), most=commas, last=final)


def listed_names(names: Sequence[str], shown: Sequence[str] = ()) -> NameList:
    """Names as a list: "Anna, Boris and Clara"; `shown` are they with what is said of each."""
    phrase = NameList(str(listed(shown or names)))
    phrase.each = tuple(names)
    return phrase


class EditionWords(NamedTuple):
    """The words of an edition for its things."""

    palace: Phrase
    the_palace: Phrase
    your_palace: Phrase
    palaces: Phrase
    scholar: Phrase
    scholars: Phrase
    your_scholars: Phrase
    area: Phrase
    the_area: Phrase
    which_area: Phrase
    areas: Phrase


def edition_words(edition: Edition) -> EditionWords:
    """The edition's own words in the reader's language."""
    return _edition_words(get_language(), edition.id)


@cache  # saves 0.2 ms of a game's page
def _edition_words(_language: str | None, edition: str) -> EditionWords:
    words = EDITIONS[edition].words
    nouns = (*PALACES[words.palace], *SCHOLARS[words.scholar], *AREAS[words.area])
    return EditionWords(*(declined(noun) for noun in nouns))


def edition_name(edition: str) -> str:
    """The name of the edition with this id."""
    return str(EDITION_NAMES[edition])


class People(NamedTuple):
    """The table, the players' names by seat, and the scholars who compete at the moment.

    A scholar whose twin competes too is called by its number. Sentences give instants on the clock
    of `zone`. Those that are said to the player of the seat `reader` call that player "you", and
    their scholars "your clerk". Where the game has no deadlines, they give no instants for them.
    """

    table: Table
    names: list[str]
    among: tuple[Scholar, ...] = ()
    zone: str = "UTC"
    reader: int | None = None
    has_deadlines: bool = True

    @property
    def words(self) -> EditionWords:
        return edition_words(self.table.edition)

    def name(self, seat: int) -> str:
        return self.names[seat]

    def then(self, names: list[str]) -> "People":
        """The same table when its players were called so; nobody is "you" before they sat there."""
        was_there = self.reader is not None and names[self.reader] == self.name(self.reader)
        return self._replace(names=names, reader=self.reader if was_there else None)

    def colour(self, seat: int) -> str:
        """The colour as records and style sheets name it."""
        return self.table.players[seat]

    def colour_text(self, seat: int) -> Phrase:
        """The colour in the reader's language."""
        return colour_text(self.table.players[seat])

    def scholar(self, scholar: Scholar) -> Phrase:
        """A scholar as one speaks of it: "the blue clerk", or "your clerk" to its owner."""
        if scholar.owner == self.reader:
            return self.your_scholar(scholar)
        name = _the_scholar(get_language(), *_colour_and_occupation(self.table, scholar))
        return _numbered(name, scholar, self.among)

    def scholars(self, scholars: Iterable[Scholar], last: str = "and") -> Phrase:
        """Scholars as a list: "the blue clerk and the red priest"."""
        return listed((self.scholar(scholar) for scholar in scholars), last)

    def whose_scholars(self, scholars: Iterable[Scholar]) -> Phrase:
        """Scholars as a list that says whose they are: "your clerk and Ben's red priest"."""
        return listed(self.whose_scholar(scholar) for scholar in scholars)

    def whose_scholar(self, scholar: Scholar) -> Phrase:
        """A scholar with the name of its owner: "Ben's red clerk", or "your clerk".

        A seat without a person is called by its colour anyway: "the red clerk".
        """
        name = self.name(scholar.owner)
        if scholar.owner == self.reader or isinstance(name, StandIn):
            return self.scholar(scholar)
        colour, _occupation = _colour_and_occupation(self.table, scholar)
        return composed(
            pgettext("forms", "{name}'s {colour} {occupation}"),
            name=Phrase(name),
            colour=declined(COLOURS[colour].with_the),
            occupation=_numbered(self.occupation(scholar), scholar, self.among),
        )

    def your_scholar(self, scholar: Scholar) -> Phrase:
        """A scholar as one speaks of it to its owner: "your clerk"."""
        pattern = pgettext("forms", "your {occupation}")
        name = composed(pattern, occupation=self.occupation(scholar))
        return _numbered(name, scholar, self.among)

    def the_occupation(self, scholar: Scholar) -> Phrase:
        """A scholar where all know whose it is: "the clerk", or "your clerk" to its owner."""
        if scholar.owner == self.reader:
            return self._replace(among=()).your_scholar(scholar)
        _colour, occupation = _colour_and_occupation(self.table, scholar)
        return _the_occupation(get_language(), occupation)

    def occupation(self, scholar: Scholar) -> Phrase:
        return occupation_text(self.table.edition.occupations[scholar.occupation])


def colour_text(colour: str) -> Phrase:
    """The colour of a seat: "blue"."""
    return declined(COLOURS[colour].seat)


def occupation_text(occupation: str) -> Phrase:
    """An occupation alone: "clerk"."""
    return declined(OCCUPATIONS[occupation])


def scholar_name(table: Table, scholar: Scholar, among: Collection[Scholar] = ()) -> Phrase:
    """A scholar as a label: "blue clerk".

    With its number where its twin is among the ones spoken of: "blue clerk 2".
    """
    name = _scholar_label(get_language(), *_colour_and_occupation(table, scholar))
    return _numbered(name, scholar, among)


def _colour_and_occupation(table: Table, scholar: Scholar) -> tuple[str, str]:
    """Both as records and style sheets name them."""
    return table.players[scholar.owner], table.edition.occupations[scholar.occupation]


@cache  # saves 0.6 ms of a game's page
def _scholar_label(_language: str | None, colour: str, occupation: str) -> Phrase:
    pattern = pgettext("forms", "{colour} {occupation}")
    colour_text = declined(COLOURS[colour].plain)
    return composed(pattern, colour=colour_text, occupation=occupation_text(occupation))


@cache  # saves 0.2 ms of a game's page, 0.9 ms of its history
def _the_scholar(_language: str | None, colour: str, occupation: str) -> Phrase:
    pattern = pgettext("forms", "the {colour} {occupation}")
    colour_text = declined(COLOURS[colour].with_the)
    return composed(pattern, colour=colour_text, occupation=occupation_text(occupation))


@cache  # saves 0.3 ms of the history of a game
def _the_occupation(_language: str | None, occupation: str) -> Phrase:
    return composed(pgettext("forms", "the {occupation}"), occupation=occupation_text(occupation))


def _numbered(name: Phrase, scholar: Scholar, among: Collection[Scholar]) -> Phrase:
    if not among or scholar._replace(number=3 - scholar.number) not in among:
        return name
    return Phrase(*(f"{form} {scholar.number}" for form in name.forms or (name,)))


def empty_seat(colour: str) -> StandIn:
    """The name of an empty seat at the table."""
    # Translators: in place of a name, also in the middle of a sentence: "Red (free seat)".
    return StandIn(_("{colour} (free seat)").format(colour=capital(str(colour_text(colour)))))


def seat_in_colour(colour: str) -> StandIn:
    """What a player is called whose name isn't given: "Red"."""
    return StandIn(capital(str(colour_text(colour))))


def capital(words: str) -> str:
    """The words with a capital at their beginning."""
    return words[:1].upper() + words[1:]


def money(amount: int) -> str:
    """An amount without its currency: 8,000."""
    return _money(get_language(), amount)


@lru_cache(maxsize=10_000)  # saves 0.2 ms of a game's page
def _money(_language: str | None, amount: int) -> str:
    return number_format(amount, use_l10n=True, force_grouping=True)


def with_currency(table: Table, amount: int) -> str:
    """An amount in the edition's currency: 8,000 ducats, $8,000."""
    if table.edition.words.currency == "$":
        return _("${amount}").format(amount=money(amount))
    # Translators: the currency of the game; {amount} is a whole number.
    text = ngettext("{amount} ducat", "{amount} ducats", amount)
    return text.format(amount=money(amount))


def to_the_minute(at: datetime) -> datetime:
    """An instant without its seconds.

    Nothing that leaves the server says more precisely when something happened in a game: two moves
    at the very same instant would reveal that the second was played by a standing order.
    """
    return at.replace(second=0, microsecond=0)


EARLIEST: Final = datetime(2, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(9998, 12, 31, tzinfo=UTC)


def on_clock(at: datetime, zone: str) -> datetime:
    """An instant on the clock of a zone; one at the ends of the calendar as near as can be shown.

    Forms refuse such instants; logs of games and of moderators may have some from before.
    """
    return min(max(at, EARLIEST), LATEST).astimezone(zone_of(zone))


def moment(at: datetime, zone: str) -> str:
    """An instant on the reader's clock, zone named: "Thu 26 Nov, 20:00 (Europe/Vienna)"."""
    return f"{day_and_hour(at, zone)} ({zone_of(zone).key})"


def day_and_hour(at: datetime, zone: str) -> str:
    """An instant on a clock that the reader knows: "Thu 26 Nov, 20:00"."""
    # Translators: day and hour, as Django's template filter "date" spells them.
    pattern = pgettext("day and hour", "D j M, H:i")
    return date_text(at, zone, pattern)


def dated(at: datetime, zone: str) -> str:
    """An instant of any year on a clock that the reader knows: "Thu 26 Nov 2026, 20:00"."""
    # Translators: day, year and hour, as Django's template filter "date" spells them.
    pattern = pgettext("day, year and hour", "D j M Y, H:i")
    return date_text(at, zone, pattern)


def day(at: datetime, zone: str) -> str:
    """The day of an instant on a clock: "26 November 2026"."""
    # Translators: day and year, as Django's template filter "date" spells them.
    return date_text(at, zone, pgettext("day and year", "j F Y"))


def calendar_day(one: date) -> str:
    """A day: "26 November 2026"."""
    return day(datetime.combine(one, time(12), tzinfo=UTC), "UTC")


def date_text(at: datetime, zone: str, pattern: str) -> str:
    """An instant on a clock, to the minute, as Django's template filter "date" spells it."""
    return _date_text(get_language(), to_the_minute(at), zone, pattern)


@lru_cache(maxsize=10_000)  # saves 1 ms of a game's page
def _date_text(_language: str | None, at: datetime, zone: str, pattern: str) -> str:
    return str(date_format(on_clock(at, zone), pattern))
