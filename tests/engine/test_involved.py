"""Whom the bribes of a turn concern."""

import pytest

from games.engine import EDITIONS, view
from games.engine.view import involved
from tests.engine.negotiating import ATTACK, negotiated_at

DOOR = {"applicants": {"red": ["yellow-0-1", "green-0-1", "blue-1-1"]}}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(
    ("position", "players"),
    [
        (DOOR, "red yellow green blue"),  # rivals, and one who bribes alone
        (ATTACK, "red yellow green"),  # a resident and its attacker
        (
            {"palaces": {"red": {1: "yellow-0-1"}}, "applicants": {"red": ["green-1-1"]}},
            "red green",
        ),
        ({}, "red"),
    ],
)
def test_owners_of_the_palace_its_applicants_and_whom_they_attack(edition, position, players):
    game = negotiated_at(edition, **position)
    found = {game.state.table.players[seat] for seat in involved(game.state)}
    assert found == set(players.split())
    assert involved(view(game.state, 0)) == involved(game.state)
