"""Table events: each is stored whole, and changes names where the list of them says so."""

import json
from typing import get_args

import pytest

from games.engine.characters import role_of
from games.models import Game
from games.presentation.text.characters import character_name
from games.services.people.display_names import names_after
from games.table_events import (
    NAME_CHANGES,
    HousePlayerSat,
    SeatGivenBack,
    SeatReopened,
    SubstituteSat,
    TableEvent,
    decode_table_event,
    encode_table_event,
    is_table_event,
)
from tests.support.table_events import EVERY_TABLE_EVENT


def test_every_table_event_is_tested():
    assert {type(event) for event in EVERY_TABLE_EVENT} == set(get_args(TableEvent))


@pytest.mark.parametrize("event", EVERY_TABLE_EVENT, ids=lambda event: type(event).__name__)
def test_an_event_is_read_as_it_was_stored(event):
    stored = encode_table_event(event)
    assert is_table_event(stored["kind"])
    assert decode_table_event(json.loads(json.dumps(stored))) == event


def test_a_substitute_a_computer_player_and_an_empty_seat_change_the_name():
    assert NAME_CHANGES == (
        "SubstituteSat",
        "HousePlayerSat",
        "SeatReopened",
        "SeatGivenBack",
    )
    game = Game(seed=1)
    rocco = character_name(role_of(1, 1))
    names = [["Anna", "Dora"], ["Boris"], ["Clara", "Emil"]]
    changes = []
    for change, expected in (
        (SeatReopened(0), ["Red (free seat)", "Boris", "Clara"]),
        (SubstituteSat(0), ["Dora", "Boris", "Clara"]),
        (HousePlayerSat(1), ["Dora", rocco, "Clara"]),
        (SeatGivenBack(1), ["Dora", "Boris", "Clara"]),
        (HousePlayerSat(1), ["Dora", rocco, "Clara"]),
        (SubstituteSat(2), ["Dora", rocco, "Emil"]),
        (SubstituteSat(2), ["Dora", rocco, "Emil"]),
    ):
        changes.append(change)
        assert names_after(game, names, changes) == expected
