"""The record of a game: refused until there is one."""

import pytest

from games.models import Game
from games.services.game.records import game_record
from games.services.lobby import tables
from games.services.refused import Refused
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db


def test_a_table_that_was_closed_before_its_game_has_no_record():
    game = open_table("Anna", size=3)
    tables.cancel(game_id=game.pk, user=game.host, now=MONDAY)
    game.refresh_from_db()
    assert game.status == Game.Status.CANCELLED
    with pytest.raises(
        Refused, match=r"^No game was played at this table, so there is no record\.$"
    ):
        game_record(game)


def test_a_table_that_waits_for_players_has_no_record_yet():
    with pytest.raises(Refused, match=r"^The record will be available once the game is over\.$"):
        game_record(open_table("Anna", size=3))
