"""Where two scholars are alike, a decision explains their numbers; elsewhere it has none."""

import pytest

from games.engine import Send
from tests.support.client import browser
from tests.support.promising import both_to, in_order, moves, sitter
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db

ALIKE = "Two of a kind are interchangeable: the numbers 1 and 2 are only there to tell them apart."
TWO = "“(2)” means that you have two of these."


@pytest.fixture
def game():
    return open_table("Anna", "Boris", "Clara")


def page_of(game, seat):
    return browser(sitter(game, seat)).get(game.get_absolute_url()).content.decode()


def test_a_sending_says_what_two_of_a_kind_are(game):
    page = page_of(game, in_order(game)[0])
    assert page.count(f'<p class="help">{TWO}</p>') == 1
    assert page.count(f'title="{TWO}"') == 2
    assert ALIKE not in page.replace(TWO, "")


def test_bribes_for_two_of_a_kind_say_what_their_numbers_mean(game):
    first, second, _third = in_order(game)
    state = game.decoded()
    clerks = [one for one in state.unsent[first] if one.occupation == state.unsent[first][0][1]]
    moves(game, Send(tuple((one, second) for one in clerks[:2])))
    page = page_of(game, first)
    assert page.count(f'<p class="help">{ALIKE}</p>') == 1
    assert page.count(f'title="{ALIKE}"') == 2


def test_nobody_explains_numbers_where_there_are_none(game):
    first, second, _third = in_order(game)
    moves(game, both_to(game, first, second))
    assert "Two of a kind" not in page_of(game, first)
