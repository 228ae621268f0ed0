"""Signs that nobody sees: what leaves no ink, and the joiners between letters that need them."""

import re
import unicodedata
from typing import Final

UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
"""What Python takes for printable, and nobody sees."""

JOINERS: Final = re.compile("[\u200c\u200d]")
"""Zero width non-joiner and joiner: how letters beside them look depends on them."""

_WITHOUT_INK: Final = ("C", "M", "Z")
"""The categories of controls, formats, accents and spaces: by themselves, nothing of them shows."""


def shows_something(text: str) -> bool:
    """Whether there is anything to be seen: a letter, a digit, a picture, any sign with ink."""
    return any(
        unicodedata.category(sign)[0] not in _WITHOUT_INK and not UNSEEN.match(sign)
        for sign in text
    )


def is_needed_joiner(text: str, place: int) -> bool:
    """Whether a joiner stands there between two letters whose script needs it.

    As in names of hosts (RFC 5892, CONTEXTJ): Persian and Indic names are written with them. Not in
    joined emoji.
    """
    # Tables of every letter's joining, which only those processes read in which a name has one.
    from idna.core import valid_contextj

    after = text[place + 1 : place + 2]
    if not after.isalpha():
        return False
    try:
        return bool(valid_contextj(text, place))
    except ValueError:  # beside a sign without a name
        return False


def sign_name(sign: str) -> str:
    """What a sign is called that can't be shown: "U+200D (zero width joiner)"; else itself."""
    if sign.isprintable() and shows_something(sign):
        return f"“{sign}”"
    name = unicodedata.name(sign, "").lower()
    return f"U+{ord(sign):04X} ({name})" if name else f"U+{ord(sign):04X}"
