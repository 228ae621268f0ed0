"""Crests: everybody has one, and may choose another."""

from uuid import uuid4
from xml.etree import ElementTree

import pytest
from django.test import Client

from games.engine.characters import Role
from games.features.crests.heraldry import CHARGES, DIVISIONS, METALS, TINCTURES, Crest, drawn
from games.presentation.text.characters import CRESTS
from games.services.chat import messages
from tests.support.client import browser, person
from tests.support.tables import MONDAY, open_table, seat_of

CHOSEN = {"charge": "tower", "division": "bend", "first": "vert", "second": "or"}


def test_every_account_has_one_by_the_rule_of_tincture_and_always_the_same():
    crests = [Crest.of_account(number) for number in range(1, 1001)]
    assert crests == [Crest.of_account(number) for number in range(1, 1001)]
    assert {crest.division for crest in crests} == set(DIVISIONS)
    assert {crest.charge for crest in crests} == set(CHARGES)
    for crest in crests:
        assert len({crest.first, crest.second} & set(METALS)) == 1
    assert len(set(crests)) > 700


def test_a_crest_is_read_from_its_text_and_nothing_else_is():
    crest = Crest("pale", "gules", "or", "star")
    assert str(crest) == "pale-gules-or-star"
    assert Crest.read("pale-gules-or-star") == crest
    for text in (
        "",
        "pale-gules-or",
        "pale-gules-or-cat",
        "star-gules-or-pale",
        "pale-gules-or-star-",
    ):
        with pytest.raises(ValueError, match="No crest"):
            Crest.read(text)


def test_computer_players_have_crests_by_the_rule_of_tincture():
    crests = [Crest.read(text) for text in CRESTS.values()]
    assert len(set(crests)) == len(Role)
    for crest in crests:
        assert len({crest.first, crest.second} & set(METALS)) == 1


def test_the_charge_stands_out_from_the_field():
    assert Crest("pale", "gules", "or", "star").charged_with == "argent"
    assert Crest("pale", "gules", "argent", "star").charged_with == "or"
    assert Crest("pale", "or", "argent", "star").charged_with == "sable"
    assert Crest("pale", "gules", "azure", "star").charged_with == "or"


@pytest.mark.parametrize("division", DIVISIONS)
def test_all_parts_are_drawn(division):
    for charge in CHARGES:
        svg = drawn(Crest(division, "gules", "or", charge))
        ElementTree.fromstring(svg)
        assert CHARGES[charge].drawn in svg
        assert DIVISIONS[division].drawn in svg
        assert TINCTURES["gules"].drawn in svg


@pytest.mark.django_db
def test_its_picture_is_for_everybody_and_may_be_kept():
    response = Client().get("/crests/pale-gules-or-star.svg")
    assert response["Content-Type"] == "image/svg+xml"
    assert "immutable" in response["Cache-Control"]
    assert response.content.decode() == drawn(Crest.read("pale-gules-or-star"))
    assert Client().get("/crests/pale-gules-or-cat.svg").status_code == 404


@pytest.mark.django_db
def test_that_of_an_account_is_a_picture_too():
    rosa = person("Rosa")
    response = browser(rosa).get(f"/crests/{rosa.shown_crest}.svg")
    assert response["Content-Type"] == "image/svg+xml"
    assert ElementTree.fromstring(response.content).tag.endswith("svg")


@pytest.mark.django_db
class TestChoosing:
    def test_one_chooses_ones_own_and_others_see_it(self):
        anna, boris = person("Anna"), person("Boris")
        client = browser(anna)
        before = str(Crest.of_account(anna.pk))
        assert before in client.get("/accounts/crest/").content.decode()
        client.post("/accounts/crest/", CHOSEN)
        page = browser(boris).get(f"/people/{anna.pk}/").content.decode()
        assert "/crests/bend-vert-or-tower.svg" in page
        assert before not in page
        shown = client.get("/accounts/crest/").content.decode()
        for part in CHOSEN.values():
            assert f'value="{part}" checked' in shown

    def test_unknown_parts_are_refused_and_nothing_changes(self):
        anna = person("Anna")
        client = browser(anna)
        client.post("/accounts/crest/", CHOSEN)
        response = client.post("/accounts/crest/", {**CHOSEN, "charge": "cat"})
        assert response.status_code == 422
        assert "cat is not one of the available choices" in response.content.decode()
        anna.refresh_from_db()
        assert anna.crest == "bend-vert-or-tower"

    def test_it_stands_beside_the_names_at_a_table_and_in_the_chat(self):
        game = open_table("Anna", "Boris", "Clara")
        anna = seat_of(game, "Anna").user
        client = browser(anna)
        client.post("/accounts/crest/", CHOSEN)
        messages.say(game_id=game.pk, user=anna, text="Hello!", token=uuid4(), now=MONDAY)
        page = browser(seat_of(game, "Boris").user).get(game.get_absolute_url()).content.decode()
        assert page.count("/crests/bend-vert-or-tower.svg") == 2  # her seat and her message
