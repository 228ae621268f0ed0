"""Amounts as people type them, on pages and in email."""

import re
from typing import Final

_BETWEEN: Final = r".,'_\u2019\u00a0\u202f\u2009\u066c\uff0c\uff0e "

GROUPED: Final = re.compile(rf"(?<![\d.,])\d{{1,3}}(?:([{_BETWEEN}])\d{{3}})(?:\1\d{{3}})*(?!\d)")
"""A number with a separator for its thousands: 4,000, 4.000 or 4 000, in any digits."""

FRACTION: Final = re.compile(r"\d[.,'_\u2019\u066b\u066c\uff0c\uff0e]\d")
"""What is left of an amount that isn't a whole number, once `GROUPED` ones are written plainly."""

_PLAIN: Final = re.compile(r"[+\u2212-]?\d{1,15}")


def without_separators(text: str) -> str:
    """The text, with its numbers written plainly."""
    return GROUPED.sub(lambda number: re.sub(r"\D", "", number[0]), text)


def read_amount(text: str) -> int | None:
    """The whole number that somebody has typed; None if it is none, such as 4.5 or 4,5."""
    written = without_separators(text.strip().strip("$").strip())
    found = _PLAIN.fullmatch(written)
    return int(found[0].replace("\u2212", "-")) if found else None
