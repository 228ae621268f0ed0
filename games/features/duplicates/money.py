"""How bribes and favours flow between two people, from what everybody saw of their games."""

from collections.abc import Mapping
from itertools import groupby, islice
from typing import Final

from games.engine.events import ScholarHired
from games.features.duplicates.hints import Flow, Money
from games.models import Event, Sitting, User
from games.presentation.bribes import bribes_between
from games.services.game.replay import events_with_states

MOST_GAMES: Final = 10
"""So many games are gone through for one page, the latest ones."""

type Seats = Mapping[int, tuple[int, int]]
"""The seats of the two people, by the key of each game."""


def read_money(shared: Mapping[int, Seats], moderator: User) -> dict[int, Money]:
    """What flowed between a person and others, by the key of the other one; two queries.

    Not of games at which the moderator sits or sat.
    """
    every = sorted({game for games in shared.values() for game in games}, reverse=True)
    played = _games(every, moderator)
    found = {}
    for other, games in shared.items():
        both = [(played[game], seats) for game, seats in games.items() if game in played]
        if both:
            found[other] = _flows(both)
    return found


class _Game:
    """The bribes each seat paid each, and how many scholars each hired of each."""

    def __init__(self, rows: list[Event]) -> None:
        played = list(events_with_states(rows))
        seats = len(played[0][1].palaces)
        self.paid = bribes_between(played, seats)
        self.hired = [[0] * seats for _seat in range(seats)]
        for event, _state in played:
            if isinstance(event, ScholarHired):
                self.hired[event.palace][event.scholar.owner] += 1


def _games(keys: list[int], moderator: User) -> dict[int, _Game]:
    own = set(Sitting.objects.filter(user=moderator).values_list("seat__game", flat=True))
    wanted = list(islice((key for key in keys if key not in own), MOST_GAMES))
    rows = Event.objects.filter(game__in=wanted).order_by("game", "seq")
    return {key: _Game(list(group)) for key, group in groupby(rows, lambda row: row.game_id)}


def _flows(games: list[tuple[_Game, tuple[int, int]]]) -> Money:
    there = Flow(0, 0, 0)
    back = Flow(0, 0, 0)
    for game, (own, other) in games:
        there = _add(there, game, own, other)
        back = _add(back, game, other, own)
    return Money(len(games), there, back)


def _add(flow: Flow, game: _Game, payer: int, taker: int) -> Flow:
    others = [paid for seat, paid in enumerate(game.paid[payer]) if seat not in {payer, taker}]
    return Flow(
        flow.paid + game.paid[payer][taker],
        flow.usual + sum(others) // len(others),
        flow.hired + game.hired[taker][payer],
    )
