"""The home page and the list of tables: what is needed, what is unread, where help is wanted."""

from uuid import uuid4

import pytest

from games.models import Game
from games.services import seats, talk
from tests.tables import MONDAY, awaited_seats, open_table, seat_of
from tests.web import browser, person

pytestmark = pytest.mark.django_db


def test_the_deadline_is_told_on_the_readers_own_clock():
    game = open_table("Anna", "Boris", "Clara")
    asked = awaited_seats(game)[0].user
    asked.time_zone = "Asia/Tokyo"
    asked.save()
    page = browser(asked).get("/").content.decode()
    assert "until Tue 3 Mar, 18:00 (Asia/Tokyo)" in page
    assert "<title>(1) My games</title>" in page


def test_what_was_said_and_not_read_is_counted_until_the_table_is_visited():
    game = open_table("Anna", "Boris", "Clara")
    anna, boris = seat_of(game, "Anna").user, browser(seat_of(game, "Boris").user)
    for text in ("Good morning.", "Who begins?"):
        talk.say(game_id=game.pk, user=anna, text=text, token=uuid4(), now=MONDAY)
    assert "2 unread in the talk" in boris.get("/").content.decode()
    boris.get(game.get_absolute_url())
    assert "unread" not in boris.get("/").content.decode()


def test_a_parked_game_waits_for_nobody():
    game = open_table("Anna", "Boris", "Clara")
    asked = awaited_seats(game)[0].user
    Game.objects.filter(pk=game.pk).update(parked_at=MONDAY, deadline_at=None)
    assert "You are awaited" not in browser(asked).get("/").content.decode()


def test_a_listed_game_with_an_absent_seat_asks_strangers_for_help():
    game = open_table("Anna", "Boris", "Clara", listed=True)
    private = open_table("Dora", "Emil", "Fanny", name="The Rialto table")
    for table, name in ((game, "Clara"), (private, "Fanny")):
        seats.step_aside(game_id=table.pk, user=seat_of(table, name).user, now=MONDAY)
    page = browser(person("Zoe")).get("/tables/").content.decode()
    assert "Substitutes wanted" in page
    assert game.get_absolute_url() in page
    assert private.get_absolute_url() not in page
    leaver = browser(seat_of(game, "Clara").user).get("/tables/").content.decode()
    assert "Substitutes wanted" not in leaver


def test_pages_answer_to_head():
    assert browser(person("Anna")).head("/").status_code == 200
