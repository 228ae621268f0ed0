"""Moves by email: understood, confirmed, played, or refused with what would be right."""

import pytest

from tests.support import promising
from tests.support.replying import confirmed, lines, reply

pytestmark = pytest.mark.django_db


def everyone_confirmed(game, **more):
    for seat in game.seats.select_related("user"):
        confirmed(seat.user, **more)


@pytest.fixture
def game():
    """Anna or whoever begins has sent a doctor and a clerk to the second and is to bribe."""
    game = promising.bribing_table()
    everyone_confirmed(game)
    return game


def bribing(game):
    return promising.sitter(game, promising.in_order(game)[0]).name


def test_a_move_is_understood_confirmed_and_played(game):
    name, phase = bribing(game), game.phase_no
    row = reply(game, name, "bribe clerk 4,000; doctor 1000")
    assert row.answer["title"] == "confirm", lines(row)
    assert "4,000" in lines(row)
    assert game.phase_no == phase
    done = reply(game, name, "confirm")
    assert done.answer["title"] == "done", lines(done)
    assert game.phase_no > phase
    assert game.moves.latest("pk").token == row.token
