"""Public names: what they may be made of, and the key by which two of them look alike.

What it takes to tell names apart is Unicode's (UTS 39), by the tables of `confusable_homoglyphs`.
"""

import re
import unicodedata
from functools import cache
from typing import Final

from games.unseen import JOINERS, UNSEEN, is_needed_joiner

MARK: Final = "\N{SCALES}"
"""Stands beside what the referee and moderators write; no name has it."""

LONGEST: Final = 40
MOST_ACCENTS: Final = 2
"""How many marks may stand on one letter."""

_ALPHABETS: Final = frozenset(
    {"ARMENIAN", "CHEROKEE", "COPTIC", "CYRILLIC", "GEORGIAN", "GREEK", "LATIN", "LISU"}
)
"""Scripts with letters that look like those of another one."""

_ALIKE: Final = {"i": "l", "1": "l", "|": "l", "0": "o", "`": "'"}
_ALIKE_IN_PAIRS: Final = (("rn", "m"), ("vv", "w"))


def tidy_name(name: str) -> str:
    """The name as it is kept: letters and their accents in one piece, single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def refused_sign(name: str) -> str:
    """The first sign that breaks a line, hides, or looks like an address or our mark; "" for none.

    Also a mark too many on one letter. Joiners may stand between letters that need them.
    """
    accents = 0
    name = unicodedata.normalize("NFC", name)
    for place, sign in enumerate(name):
        if JOINERS.match(sign):
            if not is_needed_joiner(name, place):
                return sign
        elif not sign.isprintable() or UNSEEN.match(sign) or sign in {"@", MARK}:
            return sign
        accents = accents + 1 if unicodedata.category(sign).startswith("M") else 0
        if accents > MOST_ACCENTS or unicodedata.category(sign) == "Me":
            return sign
    return ""


def says_something(name: str) -> bool:
    """Whether there is a letter or a digit to be read."""
    return any(unicodedata.category(sign)[0] in "LN" for sign in UNSEEN.sub("", name))


def mixes_alphabets(name: str) -> bool:
    """Whether letters of several alphabets stand in it that can be taken for one another."""
    letters = [sign for sign in unicodedata.normalize("NFKC", name) if sign.isalpha()]
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
    return len(scripts & _ALPHABETS) > 1


def key_of(name: str) -> str:
    """What two names have in common that readers take for one another.

    Without letter case, accents, what nobody sees, and repeated spaces; a letter stands for all
    that look like it, in any script.
    """
    plain = unicodedata.normalize("NFKC", JOINERS.sub("", UNSEEN.sub("", name))).casefold()
    signs = [sign for sign in unicodedata.normalize("NFKD", plain) if not _is_accent(sign)]
    key = " ".join("".join(_shape(sign) for sign in signs).split())
    for pair, letter in _ALIKE_IN_PAIRS:
        key = key.replace(pair, letter)
    return key


def words_of(key: str) -> list[str]:
    """The words of a key, without what stands between them."""
    return re.findall(r"[^\W_]+", key)


def _is_accent(sign: str) -> bool:
    """Whether it stands over, under or through a letter; vowels of other scripts do not count."""
    return unicodedata.combining(sign) == 1 or unicodedata.combining(sign) >= 200


def _shape(sign: str) -> str:
    """What a small letter, a digit or another sign looks like, in either case."""
    if sign.isdecimal():
        sign = str(unicodedata.decimal(sign))
    for form in (sign.upper(), sign):
        if looks := _looks_latin().get(form):
            return looks
    return sign


@cache
def _looks_latin() -> dict[str, str]:
    """What looks like a Latin letter, a digit or a sign of ASCII, and like which one."""
    # Large tables, which only those processes read in which a name is chosen.
    from confusable_homoglyphs.confusables import confusables_data

    shapes = {}
    for sign, found in confusables_data.items():
        alike = [one["c"].lower() for one in found if len(one["c"]) == 1 and one["c"].isascii()]
        if len(sign) == 1 and not sign.isascii() and alike:
            letter = max(alike, key=str.isalnum)
            shapes[sign] = _ALIKE.get(letter, letter)
    plain = {chr(code) for code in range(128)}
    return shapes | {sign: _ALIKE.get(sign.lower(), sign.lower()) for sign in plain}
