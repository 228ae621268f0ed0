"""What a writer saves of a game and its seats, and what it leaves as others wrote it meanwhile."""

import pytest

from games.models import Game, Seat
from games.services.game.writer import GAME_COLUMNS, SEAT_COLUMNS, Writer
from tests.support.tables import MONDAY, open_table, seats_to_move

pytestmark = pytest.mark.django_db

NEVER_CHANGED = {"id", "game", "number", "joined_at", "agreed_settings"}
"""By a writer: what was agreed on is settled before the game starts."""

NOT_BY_A_WRITER = {
    "id", "token", "name", "host", "edition", "options", "size", "description",
    "computer_players_allowed", "absent_player", "time_zone", "no_play_days", "fixed_hour",
    "days_off", "talk_seconds", "press", "language", "threads_shown", "threads_published",
    "promises_count", "least_in_time", "newcomers_welcome", "strangers", "rematch_of", "guided",
    "guide_closed", "opening_token", "settings_version", "seed", "created_at",
}  # fmt: skip
"""Settled before the game starts, or changed by a statement of its own."""


def test_a_writer_saves_all_of_a_seat_but_who_sat_down_where_and_when():
    assert {field.name for field in Seat._meta.concrete_fields} == {*SEAT_COLUMNS, *NEVER_CHANGED}


def test_a_writer_saves_all_of_a_game_but_what_is_settled_before():
    columns = {field.name for field in Game._meta.concrete_fields}
    assert columns == {*GAME_COLUMNS, *NOT_BY_A_WRITER}
    assert not {*GAME_COLUMNS} & NOT_BY_A_WRITER


def test_all_changed_seats_and_the_game_are_saved():
    game = open_table("Anna", "Boris", "Clara")
    writer = Writer(Game.objects.lock(game.pk), MONDAY)
    for seat in writer.seats.values():
        seat.days_off_left, seat.missed = seat.drawn_number, [True] * seat.drawn_number
    writer.game.move_seconds, writer.game.name = 77, "Other"
    writer.commit()
    saved = list(game.seats.values_list("days_off_left", "missed"))
    assert saved == [(0, []), (1, [True]), (2, [True, True])]
    assert [one.pk for one in seats_to_move(game)] == [one.pk for one in writer.waiting()]
    game.refresh_from_db()
    assert (game.move_seconds, game.name) == (77, "The Venice table")
