"""Everybody's money on the page of a finished game, and who won."""

import pytest

from games.engine import view
from games.presentation.board.turn_summary import result_text
from games.presentation.ranking import ranking
from games.presentation.text.words import People
from tests.support.recorded import NAMES, SMALL, events_and_states


def test_the_ranking_begins_with_the_richest():
    state = events_and_states(SMALL)[-1][1]
    people = People(state.table, NAMES[:4])
    seen = view(state, None)._replace(cash=(-1000, 31_000, 62_000, 31_000), winners=(2,))
    assert [
        (place.player.name, place.amount, place.percent, place.won)
        for place in ranking(people, seen)
    ] == [
        ("Clara", "62,000", "100", True),
        ("Boris", "31,000", "50", False),
        ("Dora", "31,000", "50", False),
        ("Anna", "-1,000", "0", False),
    ]
    assert ranking(people, view(events_and_states(SMALL)[9][1], None)) == []


@pytest.mark.parametrize(
    ("winners", "reader", "text"),
    [
        ((), 2, ""),
        ((2,), None, "Clara has won."),
        ((2,), 0, "Clara has won."),
        ((2,), 2, "You won!"),
        ((0, 2), None, "Anna and Clara have won."),
        ((0, 2), 1, "Anna and Clara have won."),
        ((0, 2), 2, "You share the victory with Anna."),
        ((0, 1, 2), 2, "You share the victory with Anna and Boris."),
    ],
)
def test_who_won_is_said_to_its_reader(winners, reader, text):
    state = events_and_states(SMALL)[-1][1]
    people = People(state.table, NAMES[:4], reader=reader)
    assert result_text(people, view(state, None)._replace(winners=winners)) == text
