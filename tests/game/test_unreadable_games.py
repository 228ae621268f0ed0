"""A game that cannot be read rests: it breaks no page but its own, and that one says so."""

import logging
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, Message
from tests.support.client import browser, person, text_of
from tests.support.moderators import moderator
from tests.support.stuck import altering_tables
from tests.support.tables import open_table, seat_of

pytestmark = pytest.mark.django_db

RESTS = "This game is on hold"


@pytest.fixture(autouse=True)
def failures_are_expected(caplog):
    caplog.set_level(logging.CRITICAL)


@pytest.fixture(params=["parked", "running", "finished", "cancelled"])
def broken(request):
    """A game that rests or will, or that is over."""
    now = timezone.now()
    game = open_table("Anna", "Boris", "Clara", now=now, name="The broken table")
    changes = {
        "parked": {"parked_at": now, "deadline_at": None, "error": "x.py:1\nValueError"},
        "running": {},
        "finished": {"status": "finished", "deadline_at": None, "finished_at": now},
        "cancelled": {"status": "cancelled", "deadline_at": None, "finished_at": now},
    }[request.param]
    state = {**game.state, "stage": "no such stage"}
    Game.objects.filter(pk=game.pk).update(state=state, **changes)
    game.refresh_from_db()
    return game


@pytest.fixture
def anna(broken):
    return browser(seat_of(broken, "Anna").user)


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("path", ["", "history/", "history/1/", "deadlines/", "charts/", "record/"])
def test_its_own_pages_say_so(broken, anna, path):
    page = anna.get(f"{broken.get_absolute_url()}{path}", follow=True)
    assert page.status_code == 200
    assert RESTS in text_of(page)
    assert "no such stage" not in page.content.decode()


@pytest.mark.full
def test_no_other_page_breaks(broken, anna):
    sound = open_table("Dora", "Emil", "Fanny", now=timezone.now(), name="The sound table")
    sound.seats.filter(user__name="Dora").update(user=seat_of(broken, "Anna").user)
    page = anna.get("/")
    assert page.status_code == 200
    text = text_of(page)
    if broken.status != Game.Status.CANCELLED:
        assert "The broken table Stopped by an error; the moderators know about it" in text
    assert "The sound table" in text
    boris = seat_of(broken, "Boris").user
    for path in ("/tables/", "/people/", f"/people/{boris.pk}/", "/kept/", "/accounts/profile/"):
        assert anna.get(path, follow=True).status_code == 200, path
    assert RESTS not in text_of(anna.get(sound.get_absolute_url()))


@pytest.mark.full
def test_the_desk_goes_on(broken):
    marta = browser(moderator())
    for path in ("", "games/game/", f"games/game/{broken.pk}/change/", "games/event/"):
        assert marta.get(f"/admin/{path}").status_code == 200, path


@pytest.mark.sample(1)
def test_people_can_still_talk_there_and_nothing_typed_is_lost(broken, anna):
    url = broken.get_absolute_url()
    said = {"talk-text": "What now?", "talk-token": str(uuid4())}
    assert anna.post(f"{url}talk/", said).status_code == 302
    assert Message.objects.get().text == "What now?"
    seat = broken.seats.get(user__name="Anna")
    scholar = f"{seat.colour}-clerk-1"
    answer = {"phase_no": str(broken.phase_no), "token": str(uuid4()), scholar: "3000"}
    page = anna.post(f"{url}review/", answer)
    assert page.status_code == 409
    assert RESTS in text_of(page)
    assert "Bribe 3000" in text_of(page)


def test_a_log_that_cannot_be_read_rests_too():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    with altering_tables() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_event DISABLE TRIGGER USER")
        cursor.execute("UPDATE games_event SET payload = '{}' WHERE game_id = %s", [game.pk])
        cursor.execute("ALTER TABLE games_event ENABLE TRIGGER USER")
    anna = browser(seat_of(game, "Anna").user)
    assert anna.get("/").status_code == 200
    for path in ("", "history/"):
        page = anna.get(f"{game.get_absolute_url()}{path}")
        assert (page.status_code, RESTS in text_of(page)) == (200, True)


def test_a_mistake_of_ours_at_a_sound_game_is_not_hidden(monkeypatch):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    names = []
    monkeypatch.setattr("games.views.game_page.read_page", lambda *_given: names[0])
    with pytest.raises(IndexError):
        browser(person("Emil")).get(game.get_absolute_url())


def test_strangers_read_no_hidden_name_on_its_page():
    now = timezone.now()
    game = open_table("Anna", "Boris", "Clara", now=now, name="Anna's table")
    state = {**game.state, "stage": "no such stage"}
    Game.objects.update(state=state, status="finished", deadline_at=None, finished_at=now)
    page = Client().get(game.get_absolute_url())
    assert RESTS in text_of(page)
    assert "Anna" not in page.content.decode()
    page = browser(seat_of(game, "Boris").user).get(game.get_absolute_url())
    assert "Anna's table" in text_of(page)
