"""Everybody's money at the end of a game, and what its drawing shares with charts."""

from typing import NamedTuple

from games.engine import Stage, View
from games.presentation.board.board import LETTERS
from games.presentation.text.words import People, money


class Player(NamedTuple):
    """A player for whom a line, bar or column of a drawing stands."""

    name: str
    colour: str
    letter: str


class Place(NamedTuple):
    """A line of the result: money, its part of the most in percent, and whether it won."""

    player: Player
    amount: str
    percent: str
    won: bool


def ranking(people: People, view: View) -> list[Place]:
    """Everybody's money at the end, the richest first; nothing while the game is going on."""
    if view.stage is not Stage.OVER:
        return []
    cash = [amount or 0 for amount in view.cash]
    players, most = players_of(people), max(1, *cash)
    return [
        Place(
            players[seat],
            money(cash[seat]),
            percent(max(cash[seat], 0), most),
            seat in view.winners,
        )
        for seat in sorted(range(len(cash)), key=lambda seat: -cash[seat])
    ]


def players_of(people: People) -> list[Player]:
    """Everybody at the table, in order of their seats."""
    return [
        Player(name, people.colour(seat), str(LETTERS[people.colour(seat)]))
        for seat, name in enumerate(people.names)
    ]


def percent(part: int, whole: int) -> str:
    """The part of the whole in percent, as SVG writes it."""
    return short(100 * part / whole)


def short(number: float) -> str:
    """A number as SVG writes it: with a point, and no more digits than are seen."""
    return f"{number:.1f}".removesuffix(".0")
