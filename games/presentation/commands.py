"""What somebody wants who writes an email: commands, a message to others, or nothing clear.

Commands are lines such as "bribe clerk 4000". What they refer to is the matter of the forms of the
game: here, only the words are understood.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from games.presentation.text.command_words import Vocabulary, plain

MOST_LINES: Final = 12
"""How many lines of commands a message may have; one with more is something else."""

LONGEST_LINE: Final = 300

GROUPED: Final = re.compile(
    r"(?<![\d.,])\d{1,3}(?:([.,'\u2019\u00a0\u202f ])\d{3})(?:\1\d{3})*(?!\d)"
)
"""A number with a separator for its thousands: 4,000, 4.000 or 4 000."""

TOKEN: Final = re.compile(r"#?\d+|[^\W\d_]+(?:-[^\W\d_]+)*|[,;+&]|\S")
WORD: Final = re.compile(r"[^\W_]+")
PUNCTUATION: Final = {
    **dict.fromkeys((",", ";", "+", "&"), ","),
    **dict.fromkeys((".", ":", "!", "$", "-", "\N{EN DASH}", "\N{RIGHTWARDS ARROW}"), ""),
}
"""What stands between two parts of a command, and what makes no difference."""

TYPO: Final = 0.75
"""How much a word is like a command for being taken for a mistyped one."""

WHOLE: Final = frozenset({"accept", "decline", "default", "confirm"})
"""The commands that need no other word, so that one of another form may be meant for them."""

WRAPPED: Final = 50
"""How long a line at least is that a mail program has broken: the next one goes on with it."""


class Part(NamedTuple):
    """What a command is about: who, of which colour, which of two alike, and an amount."""

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


class Said(NamedTuple):
    """A message to others, without commands."""

    text: str


class Unclear(NamedTuple):
    """Neither: `line` is what wasn't understood, "" if nothing was written at all."""

    line: str


type Meaning = list[Command] | Said | Unclear


def meaning(text: str, words: Vocabulary, names: Iterable[tuple[str, str]] = ()) -> Meaning:
    """What a text means. All of its lines are commands, or none is.

    `names` are those of the players, with their colours: either may be used.
    """
    first, colon, rest = text.partition(":")
    if colon and plain(first.strip()) in words.say:
        return Said(rest.strip()) if rest.strip() else Unclear("")
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines:
        return Unclear("")
    called = _called(names, words)
    joined = _joined(lines, words)
    commands = [_command(line, words, called) for line in joined[:MOST_LINES]]
    understood = [command for command in commands if command is not None]
    if len(understood) == len(joined):
        return understood
    known = {line for line, one in zip(joined, commands, strict=False) if one is not None}
    missed = [line for line in joined if line not in known]
    unclear = [line for line in missed if _begins_like_one(line, words)]
    if known:
        unclear += missed or joined[-1:]
    else:
        unclear += [line for line in _begun(text) if _lacks_only_a_word(line, words, called)]
    return Unclear(unclear[0]) if unclear else Said(text.strip())


def _joined(lines: list[str], words: Vocabulary) -> list[str]:
    """The lines, with what mail programs have broken put together again."""
    joined: list[str] = []
    for line in lines:
        if joined and _word_of(joined[-1], words) and not _word_of(line, words):
            joined[-1] = f"{joined[-1]} {line}"
        else:
            joined.append(line)
    return joined


def _word_of(line: str, words: Vocabulary) -> tuple[str, str] | None:
    """The command that a line begins with, and the rest of the line."""
    text = plain(line)
    for word in sorted(words.commands, key=len, reverse=True):
        if text.startswith(word) and not text[len(word) : len(word) + 1].isalnum():
            return words.commands[word], text[len(word) :]
    return None


def _begins_like_one(line: str, words: Vocabulary) -> bool:
    """Whether a line begins with a command, or with a typo of one and then as one goes on."""
    if _word_of(line, words):
        return True
    first, *others = WORD.findall(plain(line)) or [""]
    nouns = {*words.occupations, *words.colours}
    goes_on = any(one in nouns or one.isdecimal() for one in others)
    return goes_on and bool(get_close_matches(first, words.commands, n=1, cutoff=TYPO))


def _begun(text: str) -> list[str]:
    """The lines of a text, without those that only go on with one that a program has broken."""
    lines = [line.strip() for line in text.split("\n")]
    return [line for above, line in zip(["", *lines], lines, strict=False) if len(above) < WRAPPED]


def _lacks_only_a_word(line: str, words: Vocabulary, called: Sequence[tuple[str, str]]) -> bool:
    """Whether a line says what commands say, but not with the word of one: "clerk 4000".

    Or with another form of one that needs no more: "ok confirm", "accepted". Such a line may be
    sealed, and is told to nobody. One word that means nothing may come first.
    """
    text = plain(line)
    for name, _colour in called:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
    kinds = [_kind(one, words) for one in TOKEN.findall(text) if one[-1].isalnum()]
    known = kinds[1:] if kinds and not kinds[0] else kinds
    return all(known) and not {"noun", "whole"}.isdisjoint(known)


def _kind(word: str, words: Vocabulary) -> str:
    """What a word is where no command was understood; "" if it means nothing there."""
    if word in words.occupations or word in words.colours:
        return "noun"
    if word in words.particles or word.lstrip("#").isdecimal():
        return "particle"
    whole = [one for one, command in words.commands.items() if command in WHOLE]
    return "whole" if get_close_matches(word, whole, n=1, cutoff=TYPO) else ""


class _Token(NamedTuple):
    """A word: `kind` says what it is, `value` which one."""

    kind: str
    value: str


def _called(names: Iterable[tuple[str, str]], words: Vocabulary) -> list[tuple[str, str]]:
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


def _command(line: str, words: Vocabulary, called: Sequence[tuple[str, str]]) -> Command | None:
    """The command that a line is; None if it is none, or has a word that means nothing."""
    found = _word_of(line, words)
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
    text = GROUPED.sub(lambda number: re.sub(r"\D", "", number[0]), text)
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
    """What is done, "" if it isn't clear. Who is hired at a salary is placed there."""
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
