"""A game's page in the admin: how it stands in plain words, with the acts that fit."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game, Seat, User
from games.services import seats
from tests.moderators import marta_acts, moderator
from tests.tables import open_table, seat_of
from tests.web import browser

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return open_table("Anna", "Boris", "Clara", now=timezone.now())


def words_of(game: Game) -> str:
    """The text of the game's page, as a moderator who has no part in it reads it."""
    client = browser(User.objects.filter(name="Nora").first() or moderator("Nora"))
    client.get("/admin/")
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/admin/games/game/{game.pk}/change/")
    assert page.status_code == 200
    assert len(queries) <= 15
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


def test_how_the_game_stands_who_is_asked_and_who_is_absent(game):
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Clara").user, now=timezone.now())
    Seat.objects.filter(pk=seat_of(game, "Boris").pk).update(missed=[True, False, True])
    words = words_of(game)
    assert "The game is running, phase" in words
    assert re.search(r"(Anna|Boris) \(\w+\) is asked, until", words)
    assert re.search(r"Clara \(\w+\) is absent since", words)
    assert re.search(r"Boris \(\w+\) missed 2 of the last 3 questions\.", words)
    marta_acts(game, "pause")
    assert "The game is running and paused, phase" in words_of(game)


def test_times_and_answers_are_words(game):
    Game.objects.filter(pk=game.pk).update(answer_seconds=86400)
    words = words_of(game)
    assert "24 hours" in words
    assert "86400" not in words
    Game.objects.filter(pk=game.pk).update(closed_to_newcomers=True)
    assert "yes" in words_of(game).split()
