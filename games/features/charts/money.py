"""The chart of the money in a finished game: a line for each player, from turn to turn."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.engine.events import GameEnded, LastIncome, TurnBegan
from games.features.charts.tallies import Played, best
from games.presentation.ranking import Player, percent, short
from games.presentation.text.words import People, money

LABEL_HEIGHT: Final = 7.5
"""How much of the chart's height a letter at the end of a line needs, in percent."""


class MoneyRow(NamedTuple):
    """A row of the table behind the chart of the money: when, and everybody's money then."""

    when: str
    amounts: list[str]


class Grid(NamedTuple):
    """A line across a chart: how far down in percent, and the amount that it stands for."""

    y: str
    amount: str


class Mark(NamedTuple):
    """A place along the bottom of a chart, in percent, and what begins there."""

    x: str
    text: str


class Line(NamedTuple):
    """A player's money: points for a drawing of 100 by 100, and how far down its letter stands."""

    player: Player
    points: str
    label: str


class MoneyChart(NamedTuple):
    """Everybody's money from turn to turn."""

    summary: str
    players: list[Player]
    lines: list[Line]
    grid: list[Grid]
    rounds: list[Mark]
    rows: list[MoneyRow]


class _Time(NamedTuple):
    """Everybody's money at one moment; `begins` is the round that begins then, "" for none."""

    when: str
    begins: str
    cash: tuple[int, ...]


class _Scale(NamedTuple):
    """From which amount at the bottom to which at the top the chart of the money goes."""

    lowest: int
    highest: int

    def down(self, amount: int) -> float:
        """How far from the top an amount stands, in percent."""
        return 100 * (self.highest - amount) / (self.highest - self.lowest)


def money_chart(people: People, players: list[Player], text: Played) -> MoneyChart:
    times = _times(people, text)
    amounts = [amount for time in times for amount in time.cash]
    scale = _Scale(min(0, *amounts), _round_up(max(1, *amounts)))
    quarters = [scale.highest * part // 4 for part in range(5)]
    at_the_end = times[-1].cash
    return MoneyChart(
        summary=_("Most at the end: {names}, {amount}. Least: {least}.").format(
            names=best(players, at_the_end),
            amount=money(max(at_the_end)),
            least=money(min(at_the_end)),
        ),
        players=players,
        lines=_lines(players, times, scale),
        grid=[Grid(short(scale.down(amount)), money(amount)) for amount in quarters],
        rounds=[
            Mark(percent(place, len(times) - 1), time.begins)
            for place, time in enumerate(times)
            if time.begins
        ],
        rows=[MoneyRow(time.when, [money(amount) for amount in time.cash]) for time in times],
    )


def _lines(players: list[Player], times: list[_Time], scale: _Scale) -> list[Line]:
    labels = _apart([scale.down(amount) for amount in times[-1].cash])
    return [
        Line(
            player=player,
            points=" ".join(
                f"{percent(place, len(times) - 1)},{short(scale.down(time.cash[seat]))}"
                for place, time in enumerate(times)
            ),
            label=short(labels[seat]),
        )
        for seat, player in enumerate(players)
    ]


def _apart(labels: Sequence[float]) -> list[float]:
    """The labels, in percent from above, moved down or up as little as keeps them readable."""
    placed = list(labels)
    order = sorted(range(len(labels)), key=lambda place: labels[place])
    for above, below in pairwise(order):
        placed[below] = max(placed[below], placed[above] + LABEL_HEIGHT)
    lowest = 100.0
    for place in reversed(order):
        placed[place] = min(placed[place], lowest)
        lowest = placed[place] - LABEL_HEIGHT
    return placed


def _times(people: People, text: Played) -> list[_Time]:
    """Everybody's money before each turn, before the last income, and at the end."""
    times, last_round = [], 0
    before = text[0][1]
    for event, state in text:
        if isinstance(event, TurnBegan):
            when = _("Round {round}, before {name}'s turn").format(
                round=event.round, name=people.name(event.seat)
            )
            begins = str(event.round) if event.round != last_round else ""
            times.append(_Time(when, begins, before.cash))
            last_round = event.round
        elif isinstance(event, LastIncome):
            times.append(_Time(_("Before the final income"), "", before.cash))
        elif isinstance(event, GameEnded):
            times.append(_Time(_("At the end"), "", state.cash))
        before = state
    return times


def _round_up(amount: int) -> int:
    """The next larger amount whose quarters are easy to read."""
    step, factor = 4000, 5
    while amount > 10 * step:
        step, factor = step * factor, 10 // factor
    return -(-amount // step) * step
