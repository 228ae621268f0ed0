"""A shared game leads strangers to a first game and an account; nobody else."""

import pytest
from django.test import Client

from games.models import Game
from tests.lobby.test_strangers import watched
from tests.support.client import browser, forms_of, person, text_of
from tests.support.guests import arrive
from tests.support.tables import finished

pytestmark = pytest.mark.django_db

WHAT_IT_IS = "This is Intrigue, a game of bribes and of promises that nobody has to keep."


@pytest.mark.full
def test_below_the_result_a_stranger_finds_the_ways_in():
    page = Client().get(finished().get_absolute_url())
    html = page.content.decode()
    assert WHAT_IT_IS in text_of(page)
    assert forms_of(html) == {"/first-game/": {}}
    assert not page.cookies
    assert html.count("ways-in") == 1
    result = html.partition('<ol class="ranking">')[2]
    ways = result.index("ways-in")
    assert ways < result.index("/record/")
    assert "/accounts/signup/" in result[ways:].partition("</div></div>")[0]


def test_so_does_whoever_watches_a_running_game():
    page = Client().get(watched("Anna", "Boris", "Clara").get_absolute_url())
    html = page.content.decode()
    assert WHAT_IT_IS in text_of(page)
    assert (forms_of(html), html.count("ways-in")) == ({"/first-game/": {}}, 1)
    assert (page["Cache-Control"], len(page.cookies)) == ("public, max-age=15", 0)


@pytest.mark.full
def test_one_tap_begins_it():
    stranger = Client(enforce_csrf_checks=True, headers={"Origin": "http://testserver"})
    stranger.get(finished().get_absolute_url())
    assert stranger.post("/first-game/")["Location"].startswith("/tables/")


@pytest.mark.full
def test_a_guest_sees_what_a_stranger_sees():
    game, guest = finished(), Client()
    arrive(guest)
    assert WHAT_IT_IS in text_of(guest.get(game.get_absolute_url()))


@pytest.mark.full
def test_nobody_with_an_account_sees_them():
    game = finished()
    for reader in (game.seats.first().user, person("Zoe")):
        page = browser(reader).get(game.get_absolute_url())
        assert page.status_code == 200
        assert "ways-in" not in page.content.decode()


def test_nor_does_who_plays_a_first_game():
    guest = Client()
    page = guest.get(arrive(guest))
    assert Game.objects.get().guided
    assert "ways-in" not in page.content.decode()
