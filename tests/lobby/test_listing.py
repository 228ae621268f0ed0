"""Who can find a table: asked first when it is opened, and changed by its host while it waits."""

import pytest
from django.utils import timezone

from games.models import Game
from tests.support.client import as_shown, browser, forms_of, opening_form, person, text_of
from tests.support.tables import open_table, seat_of

pytestmark = pytest.mark.django_db


def test_it_is_the_first_thing_that_is_asked_and_not_folded_away():
    page = browser(person("Anna")).get("/tables/new/").content.decode()
    form = page[page.index('<form method="post" class="card') :]
    assert form.index("Who can find this table?") < form.index('name="name"')
    assert form.index("Only people with the link") < form.index("<details")
    assert "Anyone (listed under Open tables)" in form


@pytest.mark.full
def test_a_table_opened_by_one_click_is_found_by_others():
    anna, zoe = browser(person("Anna")), browser(person("Zoe"))
    anna.post("/tables/new/", opening_form(anna) | {"name": "Rialto"})
    assert "Rialto" in text_of(zoe.get("/tables/"))
    anna.post("/tables/new/", opening_form(anna) | {"name": "Murano", "listed": "invited"})
    assert "Murano" not in text_of(zoe.get("/tables/"))


@pytest.mark.full
def test_the_host_lists_a_table_and_takes_it_off_the_list():
    game = open_table("Anna", size=4, name="Rialto", now=timezone.now())
    anna, zoe = browser(game.host), browser(person("Zoe"))
    url, address = game.get_absolute_url(), f"{game.get_absolute_url()}listed/"
    for words, button, value, found in (
        ("Only people with the link can find this table.", "List under Open tables", "yes", True),
        ("Anyone can find this table under Open tables.", "Remove from Open tables", "no", False),
    ):
        page = anna.get(url)
        assert words in text_of(page)
        assert button in text_of(page)
        assert "listed" not in as_shown(forms_of(page.content.decode())[address])
        assert anna.post(address, {"listed": value})["Location"] == url
        assert ("Rialto" in text_of(zoe.get("/tables/"))) == found


@pytest.mark.full
def test_only_the_host_and_only_while_it_waits():
    game = open_table("Anna", "Boris", size=3, now=timezone.now())
    boris, address = browser(seat_of(game, "Boris").user), f"{game.get_absolute_url()}listed/"
    assert address not in forms_of(boris.get(game.get_absolute_url()).content.decode())
    page = boris.post(address, {"listed": "yes"}, follow=True)
    assert "Only the host can change whether the table is listed." in text_of(page)
    browser(person("Clara")).post(f"{game.get_absolute_url()}join/")
    page = browser(game.host).post(address, {"listed": "yes"}, follow=True)
    assert "The game has already started." in text_of(page)
    game.refresh_from_db()
    assert not game.listed


def test_the_same_again_is_for_those_who_played():
    old = open_table("Anna", "Boris", "Clara", listed=True, now=timezone.now())
    Game.objects.filter(pk=old.pk).update(status="finished", deadline_at=None)
    browser(old.host).post(f"{old.get_absolute_url()}again/")
    assert not Game.objects.get(rematch_of=old).listed
