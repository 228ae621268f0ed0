"""The commands in an email, line by line: each is one such as "bribe clerk 4000", or none.

What they refer to is the matter of the forms of the game: here, only the words are understood.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from games.features.inbound.commands.words import Vocabulary, plain
from games.presentation.text.amounts import FRACTION, without_separators

LONGEST_LINE: Final = 300

QUOTES: Final = " *_`'\"\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u2018\u2019\u201a"
BEFORE: Final = f"{QUOTES}-\u2013\u2014\u2022\u00b7"
BEHIND: Final = f"{QUOTES}.!\u2026"
"""What makes no difference around a command."""

WORD: Final = re.compile(r"[^\W_]+")
TOKEN: Final = re.compile(r"#?\d+|[^\W\d_]+(?:-[^\W\d_]+)*|[,;+&]|\S")

PUNCTUATION: Final = {
    **dict.fromkeys((",", ";", "+", "&"), ","),
    **dict.fromkeys((".", ":", "!", "$", "-", "\N{EN DASH}", "\N{RIGHTWARDS ARROW}"), ""),
}
"""What stands between two parts of a command, and what makes no difference."""


class Part(NamedTuple):
    """What a command is about: a scholar, a colour, which of two alike, and an amount."""

    occupation: str = ""
    colour: str = ""
    number: int = 0
    amount: int | None = None


class Terms(NamedTuple):
    """What is offered: `deed` is "place", "hire", "win" or "pay", for a bribe or for nothing."""

    deed: str
    about: Part
    at_least: bool = False
    bribe: int | None = None
    bribed: Part = Part()


class Command(NamedTuple):
    """A line that was understood: `word` is a key of `COMMANDS`."""

    word: str
    parts: tuple[Part, ...] = ()
    terms: Terms | None = None


def bare(line: str) -> str:
    """A line without what can't be seen, and without quotes, stars and full stops around it.

    Keyboards and mail programs put them there.
    """
    seen = "".join(one for one in line if unicodedata.category(one) != "Cf")
    return seen.strip().lstrip(BEFORE).rstrip(BEHIND)


def word_of(line: str, words: Vocabulary) -> tuple[str, str] | None:
    """The command that a line begins with, and the rest of the line."""
    text = plain(line)
    for word in sorted(words.commands, key=len, reverse=True):
        if text.startswith(word) and not text[len(word) : len(word) + 1].isalnum():
            return words.commands[word], text[len(word) :]
    return None


class _Token(NamedTuple):
    """A word: `kind` says what it is, `value` which one."""

    kind: str
    value: str


def names_in(names: Iterable[tuple[str, str]], words: Vocabulary) -> list[tuple[str, str]]:
    """The names none of whose words means anything else or is a number, the longest first."""
    known = {
        *words.commands, *words.say, *words.particles, *words.occupations, *words.colours
    }  # fmt: skip
    taken = {word for one in known for word in WORD.findall(one)}
    usable = [
        (plain(name), colour)
        for name, colour in names
        if (own := WORD.findall(plain(name)))
        and not any(one in taken or one.isnumeric() for one in own)
    ]
    return sorted(usable, key=lambda one: -len(one[0]))


def command_in(line: str, words: Vocabulary, called: Sequence[tuple[str, str]]) -> Command | None:
    """The command that a line is; None if it is none, or has a word that means nothing."""
    found = word_of(line, words)
    if found is None or len(line) > LONGEST_LINE:
        return None
    word, rest = found
    if word == "offer":
        return _offer(_tokens(rest, words, called))
    tokens = _tokens(rest, words, called)
    if tokens is None or any(token.kind == "particle" for token in tokens):
        return None
    parts = [_part(word, part) for part in _split(tokens)]
    if None in parts:
        return None
    return _checked(Command(word, tuple(part for part in parts if part is not None)))


def _tokens(text: str, words: Vocabulary, called: Sequence[tuple[str, str]]) -> list[_Token] | None:
    """What the words of a text mean; None if one means nothing."""
    for name, colour in called:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f" {colour} ", text)
    text = without_separators(text)
    if FRACTION.search(text):
        return None
    tokens = [_token(one, words) for one in TOKEN.findall(text)]
    return None if None in tokens else [one for one in tokens if one is not None and one.kind]


def _token(text: str, words: Vocabulary) -> _Token | None:
    """What a word means, of no `kind` if it makes no difference; None if it isn't known."""
    if text.lstrip("#").isdecimal():
        return _Token("number", text)
    if text in PUNCTUATION:
        return _Token(PUNCTUATION[text], "")
    for kind, known in (("occupation", words.occupations), ("colour", words.colours)):
        if text in known:
            return _Token(kind, known[text])
    particle = words.particles.get(text)
    if particle in {None, "", ","}:
        return None if particle is None else _Token(particle, "")
    return _Token("particle", particle)


def _split(tokens: list[_Token]) -> list[list[_Token]]:
    """The tokens between commas."""
    parts: list[list[_Token]] = [[]]
    for token in tokens:
        if token.kind == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


def _part(word: str, tokens: list[_Token]) -> Part | None:
    """What stands between two commas; None if something is there twice."""
    occupations = [one.value for one in tokens if one.kind == "occupation"]
    colours = [one.value for one in tokens if one.kind == "colour"]
    numbers = [one.value for one in tokens if one.kind == "number"]
    if len(occupations) > 1 or len(colours) > 1 or len(numbers) > 2:
        return None
    number, amount = _number_and_amount(numbers, has_amount=word in {"bribe", "place", "offer"})
    if number not in {"", "1", "2"} and word not in {"accept", "decline"}:
        return None
    return Part(
        occupation="".join(occupations),
        colour="".join(colours),
        number=int(number or 0),
        amount=int(amount) if amount else None,
    )


def _number_and_amount(numbers: list[str], *, has_amount: bool) -> tuple[str, str]:
    """Which of two alike is meant, and the amount: "clerk 2 4000", "clerk #2"."""
    plain_numbers = [one.lstrip("#") for one in numbers]
    if len(numbers) == 2:
        return plain_numbers[0], plain_numbers[1]
    if not numbers:
        return "", ""
    if has_amount and not numbers[0].startswith("#"):
        return "", plain_numbers[0]
    return plain_numbers[0], ""


def _checked(command: Command) -> Command | None:
    """The command, if it says all that one of its kind says and nothing else."""
    word, parts = command.word, command.parts
    if word in {"bribe", "place"}:
        fits = bool(parts) and all(one.occupation and one.amount is not None for one in parts)
    elif word == "send":
        fits = bool(parts) and all(one.occupation and one.colour for one in parts)
    elif word == "judge":
        fits = len(parts) == 1 and bool(parts[0].colour or parts[0].occupation)
    elif word in {"accept", "decline"}:
        fits = len(parts) <= 1 and not any(one.occupation for one in parts)
    else:
        fits = not parts
    return command if fits else None


def _offer(tokens: list[_Token] | None) -> Command | None:
    """An offer: to whom, then what is done, and for which bribe."""
    if not tokens or tokens[0].kind != "colour":
        return None
    condition, deed = _clauses(tokens[1:])
    about, does = _part("offer", _nouns(deed)), _particles(deed)
    if about is None or does.count("I") > 1 or "you" in does:
        return None
    kinds = [one for one in does if one in {"place", "hire", "win", "pay"}]
    kind = _deed(kinds, about)
    bribed = _part("offer", _nouns(condition))
    if not kind or bribed is None or bool(condition) == (bribed.amount is None):
        return None
    terms = Terms(kind, about, "least" in does, bribed.amount, bribed)
    return Command("offer", (Part(colour=tokens[0].value),), terms)


def _deed(kinds: list[str], about: Part) -> str:
    """What is done, "" if it isn't clear. To hire a scholar at a salary is to place it there."""
    if len(kinds) != 1:
        return ""
    [kind] = kinds
    if kind in {"hire", "place"}:
        kind = "hire" if about.amount is None else "place"
    needs_amount = kind in {"place", "pay"}
    if needs_amount != (about.amount is not None) or not (about.occupation or kind == "pay"):
        return ""
    return kind


def _clauses(tokens: list[_Token]) -> tuple[list[_Token], list[_Token]]:
    """The condition, which begins with "if" and ends at a comma or "I"; and all else."""
    condition: list[_Token] = []
    deed: list[_Token] = []
    inside = False
    for token in tokens:
        if token == _Token("particle", "if"):
            inside = True
        elif inside and (token.kind == "," or token.value == "I"):
            inside = False
        (condition if inside else deed).append(token)
    return condition, [token for token in deed if token.kind != ","]


def _nouns(tokens: list[_Token]) -> list[_Token]:
    return [token for token in tokens if token.kind != "particle"]


def _particles(tokens: list[_Token]) -> list[str]:
    return [token.value for token in tokens if token.kind == "particle"]
