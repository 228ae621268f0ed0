"""What the engine refuses, and with which words."""

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from games.engine.state import Scholar

type Code = Literal[
    "over", "type", "turn", "contenders", "scholars", "amount", "cash", "area", "palace",
    "promise",
]  # fmt: skip
type PromiseCode = Literal[
    "player", "over", "form", "bribe", "only", "area", "scholar", "late", "amount", "until",
    "closed", "binding", "many", "elsewhere", "no-area",
]  # fmt: skip
type OrderCode = Literal[
    "format", "decision", "sending", "scholars", "palace", "scholar", "pass", "sealed", "first",
    "amount", "more", "limit",
]  # fmt: skip


LONGEST_QUOTE: Final = 40


def quoted(name: str) -> str:
    """A name that is not known, for a message: in quotes, and never long."""
    return f'"{name[:LONGEST_QUOTE]}{"…" * (len(name) > LONGEST_QUOTE)}"'


class BadSetup(ValueError):
    """An edition, option, set of players or position that cannot be played, in one sentence.

    `option` is the one that is not right, if it is an option.
    """

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


class BadRecord(ValueError):
    """A game record that is bad itself, in one sentence."""


class IllegalMove(ValueError):
    """A move that the rules do not allow now.

    `code` is one of the codes of the game record (docs/record-format.md), the first that applies;
    the message tells a person what is wrong and what would be legal. Of a bribe that is refused it
    says whose it is (`scholar`) and how much is left to pay it from (`cash`).
    """

    def __init__(
        self, code: Code, message: str, scholar: "Scholar | None" = None, cash: int = 0
    ) -> None:
        super().__init__(message)
        self.code: Code = code
        self.message = message
        self.scholar = scholar
        self.cash = cash


class BadOrder(ValueError):
    """A standing order that cannot be set, in one sentence that says what would be right.

    `code` says which rule refuses it, for code that words it differently. An amount would be right
    that is a multiple of `unit`, `least` or more.
    """

    def __init__(self, code: OrderCode, message: str, unit: int = 0, least: int = 0) -> None:
        super().__init__(message)
        self.code: OrderCode = code
        self.unit = unit
        self.least = least


class BadPromise(ValueError):
    """An offer or reply that makes no sense now, in one sentence that says why.

    `code` says which rule refuses it, for code that words it differently.
    """

    def __init__(self, message: str, code: PromiseCode = "form") -> None:
        super().__init__(message)
        self.code: PromiseCode = code
