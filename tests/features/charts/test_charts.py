"""The charts of a finished game: exact numbers of a recorded one, and sums that hold in all."""

from itertools import pairwise

import pytest

from games.engine import apply, view_event
from games.engine.careers import careers
from games.engine.events import GameEnded
from games.features.charts.charts import charts
from games.features.charts.tallies import salaries_earned, taken_in_bribes
from games.presentation.bribes import bribes_between
from games.presentation.log.story import event_text
from games.presentation.text.words import People
from tests.support.client import browser
from tests.support.recorded import NAMES, RECORDS, SMALL, events_and_states
from tests.support.tables import open_table


def drawn(record):
    text = events_and_states(record)
    table = text[0][1].table
    return charts(People(table, NAMES[: len(table.players)]), text)


def test_the_small_game_is_the_one_whose_numbers_stand_here():
    text = events_and_states(SMALL)
    people = People(text[0][1].table, NAMES[:4])
    log = [event_text(people, view_event(event, None)) for event, _state in text]
    assert "Clara pays 32,000 for the violet clerk and 1,000 for the violet scientist." in log
    assert "Clara pays 8,000 for the violet scientist." in log
    assert log[-1] == (
        "Anna wins. Final totals: Anna 76,000, Boris 31,000, Clara 6,000 and Dora 53,000."
    )


def test_cash_over_time_has_a_point_for_every_turn_and_the_end():
    chart = drawn(SMALL).money
    assert chart.summary == "Most at the end: Anna, 76,000. Least: 6,000."
    assert [row.when for row in chart.rows[:2]] == [
        "Round 1, before Clara's turn",
        "Round 1, before Dora's turn",
    ]
    assert [row.when for row in chart.rows[-2:]] == ["Before the final income", "At the end"]
    assert chart.rows[3].amounts == ["67,000", "32,000", "-1,000", "30,000"]
    assert chart.rows[-1].amounts == ["76,000", "31,000", "6,000", "53,000"]
    assert [mark.text for mark in chart.rounds] == ["1", "2"]
    assert [line.amount for line in chart.grid] == ["0", "20,000", "40,000", "60,000", "80,000"]
    assert (chart.grid[0].y, chart.grid[-1].y) == ("98.8", "0")
    assert chart.lines[2].points.split()[3] == "33.3,100"
    assert [line.player.letter for line in chart.lines] == ["R", "Y", "V", "B"]


def test_letters_at_the_ends_of_lines_never_lie_upon_each_other():
    for record in RECORDS:
        labels = sorted(float(line.label) for line in drawn(record).money.lines)
        assert labels[-1] <= 100
        assert all(below - above >= 7 for above, below in pairwise(labels)), labels


def test_salaries_stand_against_bribes_taken_and_paid():
    chart = drawn(SMALL).income
    assert [[bar.amount for bar in row.bars] for row in chart.rows] == [
        ["2,000", "44,000", "2,000"],
        ["6,000", "1,000", "8,000"],
        ["8,000", "7,000", "41,000"],
        ["22,000", "2,000", "3,000"],
    ]
    assert [bar.percent for bar in chart.rows[0].bars] == ["4.5", "100", "4.5"]
    assert chart.summary == (
        "Most earned in salaries: Dora, 22,000. Most taken in bribes: Anna, 44,000. Most paid "
        "in bribes: Clara, 41,000."
    )


def test_the_matrix_shows_who_bribed_whom():
    chart = drawn(SMALL).matrix
    assert [[cell.amount for cell in row.cells] for row in chart.rows] == [
        ["0", "0", "0", "2,000"],
        ["1,000", "0", "7,000", "0"],
        ["41,000", "0", "0", "0"],
        ["2,000", "1,000", "0", "0"],
    ]
    assert [cell.own for cell in chart.rows[1].cells] == [False, True, False, False]
    assert (chart.rows[2].cells[0].side, chart.rows[2].cells[0].edge) == ("100", "0")
    assert chart.summary == "Largest total: 41,000 (Clara to Anna)."


def test_places_are_counted_at_the_end_of_each_round():
    chart = drawn(SMALL).places
    assert [(row.round, row.counts) for row in chart.rows] == [(1, [0, 0, 2, 2]), (2, [1, 1, 2, 2])]
    assert [(piece.player.name, piece.x, piece.width) for piece in chart.rows[1].pieces] == [
        ("Anna", "0", "6.2"),
        ("Boris", "6.2", "6.2"),
        ("Clara", "12.5", "12.5"),
        ("Dora", "25", "12.5"),
    ]
    assert chart.summary == "After the last round: Anna 1, Boris 1, Clara 2 and Dora 2."


@pytest.mark.parametrize("record", RECORDS)
def test_what_came_in_and_went_out_is_the_money_at_the_end(record):
    """Also with refunds, with debts, and where the bank pays a bribe."""
    text = events_and_states(record)
    last = text[-1][1]
    seats = len(last.cash)
    paid = [sum(row) for row in bribes_between(text, seats)]
    earned, taken = salaries_earned(text, seats), taken_in_bribes(text, seats)
    start = last.table.edition.starting_cash
    assert [start + earned[seat] + taken[seat] - paid[seat] for seat in range(seats)] == list(
        last.cash
    )


@pytest.mark.parametrize("record", RECORDS)
def test_the_scholars_of_a_player_cost_and_earned_what_the_charts_say(record):
    text = events_and_states(record)
    seats = range(len(text[-1][1].cash))
    found = careers(event for event, _state in text)
    own = [[one for one in found if one.scholar.owner == seat] for seat in seats]
    paid = [sum(row) for row in bribes_between(text, len(seats))]
    assert [sum(one.bribes for one in ones) for ones in own] == paid
    earned = salaries_earned(text, len(seats))
    assert [sum(one.earned for one in ones) for ones in own] == earned
    taken = [sum(one.bribes + one.by_bank for one in found if one.palace == at) for at in seats]
    assert taken == taken_in_bribes(text, len(seats))


def test_a_game_in_which_nobody_was_bribed_has_charts_too():
    text = events_and_states(SMALL)[:2]
    state = text[-1][1]
    end = GameEnded((0, 1, 2, 3), state.cash)
    chart = charts(People(state.table, NAMES[:4]), [*text, (end, apply(state, end))])
    assert chart.matrix.summary == "Nobody paid a bribe."
    assert chart.money.summary == (
        "Most at the end: Anna, Boris, Clara and Dora, 32,000. Least: 32,000."
    )
    assert [row.counts for row in chart.places.rows] == [[0, 0, 0, 0]]


@pytest.mark.django_db
def test_charts_are_kept_until_the_game_is_over():
    game = open_table("Anna", "Boris", "Clara")
    shown = browser(game.host).get(f"{game.get_absolute_url()}charts/", follow=True)
    assert "The charts will be available once the game is over." in shown.content.decode()
