"""A finished game in charts: numbers, shapes in percent, and what each chart says in words.

Everything comes from the game's events, each with the state after it.
"""

from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.features.charts.money import MoneyChart, money_chart
from games.features.charts.tallies import (
    Played,
    best,
    ends_of_rounds,
    places_held,
    salaries_earned,
    taken_in_bribes,
)
from games.presentation.bribes import bribes_between
from games.presentation.ranking import Player, percent, players_of, short
from games.presentation.text.words import People, listed, money


class Bar(NamedTuple):
    """An amount and its part of the largest one of the chart, in percent."""

    text: str
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


def charts(people: People, text: Played) -> Charts:
    """The charts of a finished game; `text` has all its events, each with the state after it."""
    players = players_of(people)
    return Charts(
        money=money_chart(people, players, text),
        income=_income_chart(players, text),
        matrix=_matrix_chart(players, text),
        places=_places_chart(people, players, text),
    )


def _income_chart(players: list[Player], text: Played) -> IncomeChart:
    earned = salaries_earned(text, len(players))
    taken = taken_in_bribes(text, len(players))
    paid = [sum(row) for row in bribes_between(text, len(players))]
    largest = max(1, *earned, *taken, *paid)

    def bars(seat: int) -> list[Bar]:
        kinds = (
            (_("Salaries earned"), earned[seat]),
            (_("Bribes taken"), taken[seat]),
            (_("Bribes paid"), paid[seat]),
        )
        return [
            Bar(kind, money(amount), percent(max(amount, 0), largest)) for kind, amount in kinds
        ]

    summary = _(
        "Most earned in salaries: {earner}, {earned}. Most taken in bribes: {taker}, {taken}. "
        "Most paid in bribes: {payer}, {paid}."
    ).format(
        earner=best(players, earned),
        earned=money(max(earned)),
        taker=best(players, taken),
        taken=money(max(taken)),
        payer=best(players, paid),
        paid=money(max(paid)),
    )
    rows = [PlayerBars(player, bars(seat)) for seat, player in enumerate(players)]
    return IncomeChart(summary, rows)


def _matrix_chart(players: list[Player], text: Played) -> MatrixChart:
    paid = bribes_between(text, len(players))
    largest = max(max(row) for row in paid)

    def cell(payer: int, owner: int) -> Cell:
        amount = paid[payer][owner]
        side = 100 * (max(amount, 0) / max(largest, 1)) ** 0.5
        return Cell(
            amount=money(amount),
            side=short(side),
            edge=short((100 - side) / 2),
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
        summary = _("Largest total: {amount} ({pairs}).").format(
            pairs=listed(pairs), amount=money(largest)
        )
    return MatrixChart(summary, players, rows)


def _places_chart(people: People, players: list[Player], text: Played) -> PlacesChart:
    most = len(people.table.edition.areas) * len(players)
    rows = []
    for number, state in ends_of_rounds(text).items():
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
                    x=percent(before, most),
                    width=percent(count, most),
                    middle=percent(2 * before + count, 2 * most),
                )
            )
        before += count
    return pieces
