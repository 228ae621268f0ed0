"""What the engine refuses, and with which words."""

from typing import Final, Literal

type Code = Literal[
    "over", "type", "turn", "contenders", "scholars", "amount", "cash", "area", "palace"
]


LONGEST_QUOTE: Final = 40


def quoted(name: str) -> str:
    """A name that is not known, for a message: in quotes, and never long."""
    return f'"{name[:LONGEST_QUOTE]}{"…" * (len(name) > LONGEST_QUOTE)}"'


class BadSetup(ValueError):
    """An edition, option, set of players or position that cannot be played, in one sentence."""


class BadRecord(ValueError):
    """A game record that is bad itself, in one sentence."""


class IllegalMove(ValueError):
    """A move that the rules do not allow now.

    `code` is one of the codes of the game record (docs/record-format.md), the first that applies;
    the message tells a person what is wrong and what would be legal.
    """

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message


class BadOrder(ValueError):
    """A standing order that cannot be left, in one sentence that says what would be right."""
