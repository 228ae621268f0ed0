"""Link previews: a finished game shows itself, anything else the card of the site."""

import re
import struct

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils.html import escape

from games.features.pictures.picture import as_png, table_picture
from games.features.pictures.views import breaches
from games.services.game.queries.ending import read_ending
from games.services.game.queries.game_view import read_game
from tests.game.test_promise_counts import play_to_the_end
from tests.pages.test_betrayal import in_private, in_public
from tests.support.client import browser
from tests.support.promising import (
    TEN,
    bribed,
    bribing_table,
    in_order,
    moves,
    place_for,
    placed,
    sitter,
)
from tests.support.tables import finished, open_table, seat_of

pytestmark = pytest.mark.django_db


def picture(address):
    response = Client().get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    return response.content


def size_of(png):
    return struct.unpack(">II", png[16:24])


def preview(address, client=None):
    page = (client or Client()).get(address, follow=True).content.decode()
    return dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page))


@pytest.mark.full
def test_a_finished_game_is_shown_with_its_name_result_and_board():
    game = finished()
    shown = preview(game.get_absolute_url())
    assert shown["title"] == "The Venice table"
    assert shown["description"].endswith("has won.")
    assert shown["image"] == f"http://localhost:8000{game.get_absolute_url()}picture.png"
    png = picture(f"{game.get_absolute_url()}picture.png")
    assert size_of(png) == (1200, 630)


@pytest.mark.full
def test_the_same_table_under_another_name_is_another_picture_also_in_cyrillic():
    game = finished()
    pictures = set()
    for name in ("The Venice table", "Стол Венеции", "Стол Генуи", "<b>&amp;"):
        game.name = name
        game.save()
        pictures.add(picture(f"{game.get_absolute_url()}picture.png"))
    assert len(pictures) == 4


@pytest.mark.full
@pytest.mark.parametrize("how", [in_public, in_private, None])
def test_who_broke_a_promise_in_public_is_named_beside_a_broken_seal(how):
    game = bribing_table(press="private")
    other, owner, _third = in_order(game)
    if how is not None:
        how(game, owner, other, place_for(game, TEN))
    moves(game, bribed(game), placed(game, 3000, TEN))
    play_to_the_end(game)
    position = read_game(game, None)
    told = breaches(read_ending(position, position.read.last_event))
    is_public = how is in_public
    assert told == (f"Broken promises: {sitter(game, owner).name} 1" if is_public else "")
    drawn = table_picture("Venice", "Anna has won.", position.board, told)
    assert ('<use href="#seal-broken"/>' in drawn) is is_public
    assert escape(told) in drawn
    assert size_of(as_png(drawn)) == (1200, 630)


@pytest.mark.parametrize("state", ["waiting", "running"])
def test_a_table_that_strangers_may_not_see_shows_the_card_of_the_site(state):
    people = ("Anna", "Boris", "Clara") if state == "running" else ("Anna", "Boris")
    game = open_table(*people, size=3, listed=state == "running")
    assert game.status == state
    shown = preview(game.get_absolute_url())
    titles = {"waiting": "You&#39;re invited to a game of Intrigue", "running": "Intrigue"}
    assert shown["title"] == titles[state]
    assert shown["image"] == "http://localhost:8000/card.png"
    for reader in (Client(), browser(seat_of(game, "Anna").user)):
        assert reader.get(f"{game.get_absolute_url()}picture.png").status_code == 404
    assert size_of(picture("/card.png")) == (1200, 630)


@pytest.mark.full
def test_signed_in_people_get_no_tags():
    game = finished()
    assert preview(game.get_absolute_url(), browser(seat_of(game, "Anna").user)) == {}


@pytest.mark.full
def test_what_players_hid_is_not_drawn():
    """The picture is that of a spectator: it is the same for everybody."""
    game = finished()
    address = f"{game.get_absolute_url()}picture.png"
    readers = [Client(), *(browser(seat.user) for seat in game.seats.all())]
    pictures = set()
    for reader in readers:
        caches["process"].clear()
        pictures.add(reader.get(address).content)
    assert len(pictures) == 1


@pytest.mark.full
def test_each_picture_of_a_table_has_the_limit_of_its_pages_and_is_not_for_search_engines(settings):
    settings.WATCHED_A_MINUTE = 2
    over = finished()
    waiting = open_table("Dora", size=3, listed=True, strangers="everyone")
    addresses = (
        f"{over.get_absolute_url()}picture.png", f"{waiting.get_absolute_url()}invitation.png",
    )  # fmt: skip
    stranger = Client(REMOTE_ADDR="2001:db8:a::1")
    answers = [stranger.get(address) for address in addresses * 2]
    assert [one.status_code for one in answers] == [200, 200, 429, 429]
    assert {one["X-Robots-Tag"] for one in answers} == {"noindex, nofollow"}
