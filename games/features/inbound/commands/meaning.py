"""What the text of an email means: commands, a message to others, or nothing clear."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from games.features.inbound.commands.lines import (
    TOKEN,
    WORD,
    Command,
    bare,
    command_in,
    names_in,
    word_of,
)
from games.features.inbound.commands.words import Vocabulary, plain

MOST_LINES: Final = 12
"""How many lines of commands a message may have; one with more is something else."""

TYPO: Final = 0.75
"""How much a word is like a command for being taken for a mistyped one."""

WHOLE: Final = frozenset({"accept", "decline", "default", "confirm"})
"""The commands that need no other word, so that one of another form may be meant for them."""

WRAPPED: Final = 50
"""How long a line at least is that a mail program has broken: the next one goes on with it."""


class Message(NamedTuple):
    """A message to others, without commands."""

    text: str


class Followed(NamedTuple):
    """Commands, and below an empty line a `rest` that is none.

    `is_alike` says that one of its lines begins with a command's word all the same.
    """

    commands: list[Command]
    rest: str
    is_alike: bool


class Unclear(NamedTuple):
    """Neither: `line` is what wasn't understood, "" if nothing was written at all."""

    line: str


type Meaning = list[Command] | Followed | Message | Unclear


def meaning(text: str, words: Vocabulary, names: Iterable[tuple[str, str]] = ()) -> Meaning:
    """What a text means. All of its lines are commands, or none is.

    Only below an empty line, something else may follow commands. `names` are those of the players,
    with their colours: either may be used.
    """
    if (message := said(text, words)) is not None:
        return Message(message) if message else Unclear("")
    paragraphs = [one for one in text.split("\n\n") if _lines(one)]
    if not paragraphs:
        return Unclear("")
    called = names_in(names, words)
    joined = [_joined(_lines(one), words) for one in paragraphs]
    understood: list[Command] = []
    for number, lines in enumerate(joined):
        commands = [command_in(line, words, called) for line in lines[:MOST_LINES]]
        found = [command for command in commands if command is not None]
        if len(found) < len(lines) or len(understood) + len(found) > MOST_LINES:
            if not number:
                break
            rest = "\n\n".join(paragraphs[number:])
            return Followed(understood, rest, _is_alike(rest, words))
        understood += found
    else:
        return understood
    return _no_commands(text, [line for lines in joined for line in lines], words, called)


def said(text: str, words: Vocabulary) -> str | None:
    """What stands behind the "say:" with which a text begins; None without that."""
    first, colon, rest = text.partition(":")
    return rest.strip() if colon and plain(bare(first)) in words.say else None


def confirms(line: str, words: Vocabulary) -> bool:
    """Whether a line is the command "confirm"."""
    command = command_in(line, words, ())
    return command is not None and command.word == "confirm"


def first_line(text: str) -> tuple[str, str]:
    """The first line in which there is something to see, and all below it."""
    line, _end, rest = text.strip().partition("\n")
    return bare(line), rest.strip()


def assents(line: str, words: Vocabulary) -> bool:
    """Whether a line says yes in other words than the command "confirm": "ok", "Yes, please"."""
    rest = " ".join(WORD.findall(plain(line)))
    if "?" in line or not rest:
        return "\N{THUMBS UP SIGN}" in line
    for phrase in sorted(words.assent, key=len, reverse=True):
        rest = re.sub(rf"\b{re.escape(phrase)}\b", "", rest)
    confirming = [word for word, command in words.commands.items() if command == "confirm"]
    return all(get_close_matches(one, confirming, n=1, cutoff=TYPO) for one in rest.split())


def _lines(paragraph: str) -> list[str]:
    return [line for one in paragraph.split("\n") if (line := bare(one))]


def _is_alike(text: str, words: Vocabulary) -> bool:
    """Whether a line begins with the word of a command, or with that of a message."""
    says = (plain(bare(line.partition(":")[0])) in words.say for line in text.split("\n"))
    return any(says) or any(word_of(line, words) for line in _lines(text))


def _no_commands(
    text: str, joined: list[str], words: Vocabulary, called: Sequence[tuple[str, str]]
) -> Message | Unclear:
    """A message to others, unless some of its lines are commands, or were meant to be some."""
    commands = [command_in(line, words, called) for line in joined[:MOST_LINES]]
    known = {line for line, one in zip(joined, commands, strict=False) if one is not None}
    missed = [line for line in joined if line not in known]
    unclear = [line for line in missed if _begins_like_one(line, words)]
    if known:
        unclear += missed or joined[-1:]
    else:
        unclear += [line for line in _begun(text) if _lacks_only_a_word(line, words, called)]
    return Unclear(unclear[0]) if unclear else Message(text.strip())


def _joined(lines: list[str], words: Vocabulary) -> list[str]:
    """The lines, with what mail programs have broken put together again."""
    joined: list[str] = []
    for line in lines:
        if joined and word_of(joined[-1], words) and not word_of(line, words):
            joined[-1] = f"{joined[-1]} {line}"
        else:
            joined.append(line)
    return joined


def _begins_like_one(line: str, words: Vocabulary) -> bool:
    """Whether a line begins with a command, or with a typo of one and then as one goes on."""
    if word_of(line, words):
        return True
    first, *others = WORD.findall(plain(line)) or [""]
    nouns = {*words.occupations, *words.colours}
    goes_on = any(one in nouns or one.isdecimal() for one in others)
    return goes_on and bool(get_close_matches(first, words.commands, n=1, cutoff=TYPO))


def _begun(text: str) -> list[str]:
    """The lines of a text, without those that only go on with one that a program has broken."""
    lines = [bare(line) for line in text.split("\n")]
    return [line for above, line in zip(["", *lines], lines, strict=False) if len(above) < WRAPPED]


def _lacks_only_a_word(line: str, words: Vocabulary, called: Sequence[tuple[str, str]]) -> bool:
    """Whether a line reads like a command without its word: "clerk 4000".

    Or with another form of one that needs no more: "ok confirm", "accepted". Such a line may be
    sealed, so nobody gets it as a message. One word that means nothing may come first.
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
