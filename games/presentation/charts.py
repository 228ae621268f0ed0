"""A finished game in charts: numbers, shapes in percent, and what each chart says in words.

Everything comes from the game's events, each with the state after it.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.engine import Stage, View
from games.engine.events import GameEnded, LastIncome, TurnBegan
from games.presentation.board import LETTERS
from games.presentation.tallies import (
    Told,
    bribes_between,
    ends_of_rounds,
    places_held,
    salaries_earned,
    taken_in_bribes,
)
from games.presentation.words import People, listed, money

LABEL_HEIGHT: Final = 7.5
"""How much of the chart's height a letter at the end of a line needs, in percent."""


class Player(NamedTuple):
    """Who a line, bar or column of a chart stands for."""

    name: str
    colour: str
    letter: str


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
    told: str


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


class Bar(NamedTuple):
    """An amount and its part of the largest one of the chart, in percent."""

    told: str
    amount: str
    percent: str


class PlayerBars(NamedTuple):
    player: Player
    bars: list[Bar]


class IncomeChart(NamedTuple):
    """What each player earned in salaries, took in bribes, and paid in bribes."""

    summary: str
    rows: list[PlayerBars]


class Cell(NamedTuple):
    """What one player paid another: the side of a square in percent, the edge left beside it."""

    amount: str
    side: str
    edge: str
    own: bool


class MatrixRow(NamedTuple):
    player: Player
    cells: list[Cell]


class MatrixChart(NamedTuple):
    """Who bribed whom: a row for each who paid, a column for each who took."""

    summary: str
    players: list[Player]
    rows: list[MatrixRow]


class Piece(NamedTuple):
    """A player's part of a bar: where it begins, how wide it is, its middle, in percent."""

    player: Player
    held: int
    x: str
    width: str
    middle: str


class RoundRow(NamedTuple):
    round: int
    pieces: list[Piece]
    counts: list[int]


class PlacesChart(NamedTuple):
    """How many places each player's scholars held at the end of each round."""

    summary: str
    players: list[Player]
    rows: list[RoundRow]


class Charts(NamedTuple):
    money: MoneyChart
    income: IncomeChart
    matrix: MatrixChart
    places: PlacesChart


def charts(people: People, told: Told) -> Charts:
    """The charts of a finished game; `told` are all its events, each with the state after it."""
    players = _players(people)
    return Charts(
        money=_money_chart(people, players, told),
        income=_income_chart(players, told),
        matrix=_matrix_chart(players, told),
        places=_places_chart(people, players, told),
    )


def _players(people: People) -> list[Player]:
    return [
        Player(name, people.colour(seat), str(LETTERS[people.colour(seat)]))
        for seat, name in enumerate(people.names)
    ]


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


def _money_chart(people: People, players: list[Player], told: Told) -> MoneyChart:
    times = _times(people, told)
    amounts = [amount for time in times for amount in time.cash]
    scale = _Scale(min(0, *amounts), _round_up(max(1, *amounts)))
    quarters = [scale.highest * part // 4 for part in range(5)]
    return MoneyChart(
        summary=_money_told(players, times[-1].cash),
        players=players,
        lines=_lines(players, times, scale),
        grid=[Grid(_short(scale.down(amount)), money(amount)) for amount in quarters],
        rounds=[
            Mark(_percent(place, len(times) - 1), time.begins)
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
                f"{_percent(place, len(times) - 1)},{_short(scale.down(time.cash[seat]))}"
                for place, time in enumerate(times)
            ),
            label=_short(labels[seat]),
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


def _times(people: People, told: Told) -> list[_Time]:
    """Everybody's money before each turn, before the last income, and at the end."""
    times, last_round = [], 0
    before = told[0][1]
    for event, state in told:
        if isinstance(event, TurnBegan):
            when = _("Round {round}, before {name}'s turn").format(
                round=event.round, name=people.name(event.seat)
            )
            begins = str(event.round) if event.round != last_round else ""
            times.append(_Time(when, begins, before.cash))
            last_round = event.round
        elif isinstance(event, LastIncome):
            times.append(_Time(_("Before the last income"), "", before.cash))
        elif isinstance(event, GameEnded):
            times.append(_Time(_("At the end"), "", state.cash))
        before = state
    return times


def _money_told(players: list[Player], cash: Sequence[int]) -> str:
    names = listed(
        player.name for player, own in zip(players, cash, strict=True) if own == max(cash)
    )
    return _("Most in the end: {names}, {amount}. The least anybody has is {least}.").format(
        names=names, amount=money(max(cash)), least=money(min(cash))
    )


def _income_chart(players: list[Player], told: Told) -> IncomeChart:
    earned = salaries_earned(told, len(players))
    taken = taken_in_bribes(told, len(players))
    paid = [sum(row) for row in bribes_between(told, len(players))]
    largest = max(1, *earned, *taken, *paid)

    def bars(seat: int) -> list[Bar]:
        kinds = (
            (_("Salaries earned"), earned[seat]),
            (_("Bribes taken"), taken[seat]),
            (_("Bribes paid"), paid[seat]),
        )
        return [
            Bar(kind, money(amount), _percent(max(amount, 0), largest)) for kind, amount in kinds
        ]

    summary = _(
        "Most salaries: {earner}, {earned}. Most bribes taken: {taker}, {taken}. "
        "Most bribes paid: {payer}, {paid}."
    ).format(
        earner=_best(players, earned),
        earned=money(max(earned)),
        taker=_best(players, taken),
        taken=money(max(taken)),
        payer=_best(players, paid),
        paid=money(max(paid)),
    )
    rows = [PlayerBars(player, bars(seat)) for seat, player in enumerate(players)]
    return IncomeChart(summary, rows)


def _matrix_chart(players: list[Player], told: Told) -> MatrixChart:
    paid = bribes_between(told, len(players))
    largest = max(max(row) for row in paid)

    def cell(payer: int, owner: int) -> Cell:
        amount = paid[payer][owner]
        side = 100 * (max(amount, 0) / max(largest, 1)) ** 0.5
        return Cell(
            amount=money(amount),
            side=_short(side),
            edge=_short((100 - side) / 2),
            own=payer == owner,
        )

    rows = [
        MatrixRow(player, [cell(payer, owner) for owner in range(len(players))])
        for payer, player in enumerate(players)
    ]
    summary = _("Nobody paid a bribe.")
    if largest > 0:
        pairs = [
            _("{payer} to {owner}").format(payer=one.name, owner=other.name)
            for one, row in zip(players, paid, strict=True)
            for other, amount in zip(players, row, strict=True)
            if amount == largest
        ]
        summary = _("The largest sum: {pairs}, {amount}.").format(
            pairs=listed(pairs), amount=money(largest)
        )
    return MatrixChart(summary, players, rows)


def _places_chart(people: People, players: list[Player], told: Told) -> PlacesChart:
    most = len(people.table.edition.areas) * len(players)
    rows = []
    for number, state in ends_of_rounds(told).items():
        counts = places_held(state)
        rows.append(RoundRow(number, _pieces(players, counts, most), counts))
    held = listed(
        pgettext("places of a player", "{name} {count}").format(name=player.name, count=count)
        for player, count in zip(players, rows[-1].counts, strict=True)
    )
    return PlacesChart(_("After the last round: {held}.").format(held=held), players, rows)


def _pieces(players: list[Player], counts: list[int], most: int) -> list[Piece]:
    pieces, before = [], 0
    for player, count in zip(players, counts, strict=True):
        if count:
            pieces.append(
                Piece(
                    player=player,
                    held=count,
                    x=_percent(before, most),
                    width=_percent(count, most),
                    middle=_percent(2 * before + count, 2 * most),
                )
            )
        before += count
    return pieces


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
    players, most = _players(people), max(1, *cash)
    return [
        Place(
            players[seat],
            money(cash[seat]),
            _percent(max(cash[seat], 0), most),
            seat in view.winners,
        )
        for seat in sorted(range(len(cash)), key=lambda seat: -cash[seat])
    ]


def _best(players: list[Player], amounts: Sequence[int]) -> str:
    """Those who have the largest of the amounts."""
    best = max(amounts)
    return listed(
        player.name for player, amount in zip(players, amounts, strict=True) if amount == best
    )


def _percent(part: int, whole: int) -> str:
    return _short(100 * part / whole)


def _short(number: float) -> str:
    """A number as SVG writes it: with a point, and no more digits than are seen."""
    return f"{number:.1f}".removesuffix(".0")


def _round_up(amount: int) -> int:
    """The next larger amount whose quarters are easy to read."""
    step, factor = 4000, 5
    while amount > 10 * step:
        step, factor = step * factor, 10 // factor
    return -(-amount // step) * step
