"""Positions and moves in the words of the game record, so that a case reads like the rule book.

game = at("mayfair-2005", "red yellow green", active="red", applicants={"red": [...]})
game.bribe({"green-clerk-1": 2000})
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from games.engine import Event, IllegalMove, State, Step, default_move, encode_move, view
from games.engine.record import FORMAT, play_move, read_record, record_state
from games.engine.rules import start


class Game:
    """A game that a test plays. Money is shown as it is, or as the change since the beginning."""

    def __init__(self, beginning: Step) -> None:
        self.state: State = beginning.state
        self.events: list[Event] = list(beginning.events)
        self.at_first = self.text["cash"]

    @property
    def text(self) -> dict[str, Any]:
        return record_state(self.state)

    @property
    def stage(self) -> str:
        return self.state.stage.value

    @property
    def waiting(self) -> list[str]:
        return self.text["waiting"]

    @property
    def cash(self) -> dict[str, int]:
        return self.text["cash"]

    @property
    def change(self) -> dict[str, int]:
        """How much each player has more than at the beginning; those with the same are left out."""
        changes = {player: money - self.at_first[player] for player, money in self.cash.items()}
        return {player: change for player, change in changes.items() if change}

    @property
    def island(self) -> list[str]:
        return self.text["island"]

    def palace(self, owner: str) -> dict[int, str]:
        """The residents by area; open areas are left out."""
        row = self.text["palaces"][owner]
        return {int(area): scholar for area, scholar in row.items() if scholar}

    def contenders(self) -> list[str]:
        return [self.state.table.names[scholar] for scholar in self.state.contenders]

    def seat(self, player: str) -> int:
        return self.state.table.players.index(player)

    def default(self, player: str) -> dict[str, Any]:
        """The default move of this player, as a record writes it; shown in the view as well."""
        seat = self.seat(player)
        move = default_move(self.state, seat)
        assert view(self.state, seat).default == move
        return encode_move(self.state.table, seat, move)

    def play(self, move: dict[str, Any]) -> None:
        step = play_move(self.state, move)
        self.state = step.state
        self.events += step.events

    def bribe(self, bribes: dict[str, int]) -> None:
        """Bribes in the order given, by the owner of the first scholar."""
        player = next(iter(bribes)).split("-")[0]
        pairs = [[scholar, amount] for scholar, amount in bribes.items()]
        self.play({"player": player, "type": "bribe", "bribes": pairs})

    def place(self, placements: dict[str, int]) -> None:
        pairs = [[scholar, area] for scholar, area in placements.items()]
        self.play({"player": self.text["active"], "type": "place", "placements": pairs})

    def judge(self, winner: str) -> None:
        self.play({"player": self.text["active"], "type": "judge", "winner": winner})

    def send(self, scholars: dict[str, str]) -> None:
        pairs = [[scholar, palace] for scholar, palace in scholars.items()]
        self.play({"player": self.text["active"], "type": "send", "scholars": pairs})

    def let_pass(self, player: str) -> None:
        """This player does nothing, and the default is played."""
        self.play({"player": player, "type": "default"})

    @contextmanager
    def refuses(self, code: str, message: str) -> Iterator[None]:
        before = self.state
        with pytest.raises(IllegalMove) as refusal:
            yield
        assert (refusal.value.code, refusal.value.message) == (code, message)
        assert self.state == before


def at(edition: str, players: str, /, options: dict[str, Any] | None = None, **more: Any) -> Game:
    """A game at a position: `players` clockwise, in one text; `more` are the position's keys.

    `kind` may be a class like `Game`.
    """
    colours = players.split()
    kind = more.pop("kind", Game)
    palaces = {
        owner: {str(area): scholar for area, scholar in row.items()}
        for owner, row in more.pop("palaces", {}).items()
    }
    record = {
        "format": FORMAT,
        "edition": edition,
        "options": options or {},
        "players": colours,
        "first": more.pop("first", colours[0]),
        "position": {"palaces": palaces, **more},
        "moves": [],
    }
    table, position, *_ = read_record(record)
    return kind(start(table, position))
