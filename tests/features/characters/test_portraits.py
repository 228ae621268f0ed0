"""Every character has a portrait of its own, drawn from parts."""

from xml.etree import ElementTree

import pytest
from django.test import Client

from games.engine.characters import Role, role_of
from games.features.characters.portraits import PORTRAITS, drawn
from tests.support.client import browser
from tests.support.tables import alone


def test_every_character_has_one_that_looks_like_no_other():
    pictures = {role: drawn(PORTRAITS[role]) for role in Role}
    assert len(set(pictures.values())) == len(Role)
    for svg in pictures.values():
        ElementTree.fromstring(svg)
        assert "{" not in svg


@pytest.mark.django_db
def test_everybody_may_see_it_and_there_is_none_of_others():
    picture = Client().get("/characters/duke.svg")
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/svg+xml")
    assert Client().get("/characters/anna.svg").status_code == 404


@pytest.mark.django_db
def test_the_list_of_seats_shows_who_plays():
    game = alone("Anna", "courtier")
    page = browser(game.host).get(game.get_absolute_url()).content.decode()
    for seat in game.seats.exclude(computer_player=""):
        assert f'src="/characters/{role_of(game.seed, seat.number)}.svg"' in page
    assert page.count(", plays well") == 2
