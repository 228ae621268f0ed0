"""The words of which commands in an email are made, in English and in the reader's language.

A message lists them with commas between; the first of a command is the one that is shown to people.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from django.utils.translation import get_language, override, pgettext_lazy

from games.presentation.text.nouns import COLOURS, OCCUPATIONS, Forms

COMMANDS: Final[Mapping[str, Forms]] = {
    "bribe": pgettext_lazy("command", "bribe"),
    "place": pgettext_lazy("command", "place, hire"),
    "judge": pgettext_lazy("command", "judge"),
    "send": pgettext_lazy("command", "send"),
    "offer": pgettext_lazy("command", "offer"),
    "accept": pgettext_lazy("command", "accept"),
    "decline": pgettext_lazy("command", "decline"),
    "default": pgettext_lazy("command", "default"),
    "status": pgettext_lazy("command", "status"),
    "help": pgettext_lazy("command", "help"),
    "confirm": pgettext_lazy("command", "confirm"),
}
"""What a line begins with."""

SAY: Final[Forms] = pgettext_lazy("command", "say")
"""With a colon, what makes all that follows a message, whatever it begins with."""

ASSENT: Final[Forms] = pgettext_lazy(
    "words of assent",
    "ok, okay, yes, yep, yeah, yup, sure, right, correct, fine, agreed, great, perfect, confirmed, "
    "please, please do, go ahead, do it, I confirm",
)
"""Of which "Yes, please" is made. Translators: all words with which people say yes."""

PARTICLES: Final[Mapping[str, Forms]] = {
    "": pgettext_lazy(
        "words without meaning in a command",
        "to, for, the, my, your, with, a, an, of, from, at, in, salary, ducat, ducats, dollars",
    ),
    ",": pgettext_lazy("words of a command", "and"),
    "if": pgettext_lazy("words of a command", "if"),
    "I": pgettext_lazy("words of a command", "I"),
    "you": pgettext_lazy("words of a command", "you"),
    "pay": pgettext_lazy("words of a command", "bribe, pay, give"),
    "place": pgettext_lazy("words of a command", "place, put"),
    "hire": pgettext_lazy("words of a command", "hire"),
    "win": pgettext_lazy("words of a command", "win"),
    "let": pgettext_lazy("words of a command", "let"),
    "least": pgettext_lazy("words of a command", "least"),
}
"""What else may stand in a line. Translators: every form of a word that may be used there."""


class Vocabulary(NamedTuple):
    """What the words of a line mean: each in small letters, as `plain` writes it."""

    commands: Mapping[str, str]
    say: frozenset[str]
    assent: frozenset[str]
    particles: Mapping[str, str]
    occupations: Mapping[str, str]
    colours: Mapping[str, str]


def vocabulary(occupations: tuple[str, ...]) -> Vocabulary:
    """The words for an edition with these occupations, in English and the reader's language."""
    return _vocabulary(get_language() or "en", occupations)


def shown(command: str) -> str:
    """The word for a command, or for "say", that people are shown, in their language."""
    message = SAY if command == "say" else COMMANDS[command]
    return str(message).partition(", ")[0]


def plain(text: str) -> str:
    """The text as words are compared: no capitals, and one letter for what is written as two."""
    return (
        unicodedata.normalize("NFC", text)
        .casefold()
        .replace("\N{CYRILLIC SMALL LETTER IO}", "\N{CYRILLIC SMALL LETTER IE}")
    )


@cache
def _vocabulary(language: str, occupations: tuple[str, ...]) -> Vocabulary:
    languages = ("en", language)
    return Vocabulary(
        commands=_meanings(languages, COMMANDS),
        say=frozenset(_meanings(languages, {"say": SAY})),
        assent=frozenset(_meanings(languages, {"": ASSENT})),
        particles=_meanings(languages, PARTICLES),
        occupations=_meanings(languages, {key: OCCUPATIONS[key] for key in occupations}),
        colours={
            word: colour
            for colour, forms in COLOURS.items()
            for form in forms
            for word in _meanings(languages, {colour: form})
        },
    )


def _meanings(languages: tuple[str, ...], table: Mapping[str, Forms]) -> dict[str, str]:
    return {
        plain(word): meaning for language in languages for word, meaning in _words(language, table)
    }


def _words(language: str, table: Mapping[str, Forms]) -> Iterator[tuple[str, str]]:
    with override(language):
        for meaning, message in table.items():
            for word in str(message).replace("|", ", ").split(", "):
                yield word, meaning
