"""Soft hyphens for narrow columns: browsers without a Russian dictionary break words anywhere."""

import re
from typing import Final

LONG: Final = 10
"""From so many letters on a word may be wider than an area of the board."""

_WORD: Final = re.compile(rf"[а-яё]{{{LONG},}}", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"(?<=[аеёиоуыэюя])(?=[бвгджзклмнпрстфхцчшщ][аеёиоуыэюя])")


def hyphenated(text: str) -> str:
    """The text with soft hyphens between the syllables of its long Russian words."""
    return _WORD.sub(lambda word: _BETWEEN.sub("\N{SOFT HYPHEN}", word[0]), text)
