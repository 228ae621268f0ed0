"""Sets names apart from our own words: many are read from right to left, and none is translated."""

import re
from typing import Final

_LEFTWARDS: Final = re.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def is_leftwards(name: str) -> bool:
    """Whether a name has letters that are read from right to left."""
    return _LEFTWARDS.search(name) is not None


class StandIn(str):
    """Our own words where a name would stand, such as "Nobody": they may well be translated."""

    __slots__ = ()


class ComputerName(StandIn):
    """What a computer player is called."""

    __slots__ = ()


def isolated(name: str) -> str:
    """A name between the signs that keep its direction; only one that is leftwards needs them."""
    if not is_leftwards(name):
        return name
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
