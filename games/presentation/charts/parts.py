"""What the charts of a game share: who is drawn, and numbers as a drawing writes them."""

from collections.abc import Sequence
from typing import NamedTuple

from games.presentation.board.board import LETTERS
from games.presentation.text.words import People, listed


class Player(NamedTuple):
    """Who a line, bar or column of a chart stands for."""

    name: str
    colour: str
    letter: str


def players_of(people: People) -> list[Player]:
    """Everybody at the table, in order of their seats."""
    return [
        Player(name, people.colour(seat), str(LETTERS[people.colour(seat)]))
        for seat, name in enumerate(people.names)
    ]


def best(players: list[Player], amounts: Sequence[int]) -> str:
    """Those who have the largest of the amounts."""
    most = max(amounts)
    return listed(
        player.name for player, amount in zip(players, amounts, strict=True) if amount == most
    )


def percent(part: int, whole: int) -> str:
    """The part of the whole in percent, as SVG writes it."""
    return short(100 * part / whole)


def short(number: float) -> str:
    """A number as SVG writes it: with a point, and no more digits than are seen."""
    return f"{number:.1f}".removesuffix(".0")
