"""The part of one's notifications that is about replies."""

import pytest

from games.features.inbound.addresses import address_of, conversation_at
from games.models import User
from tests.support.client import browser, person
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db

PAGE = "/accounts/notifications/"


def test_people_choose_whether_they_have_to_confirm():
    anna = person("Anna")
    client = browser(anna)
    page = client.get(PAGE).content.decode()
    assert "You're asked to confirm what you send before it takes effect." in page
    response = client.post("/accounts/replies/", {"turn": "at_once"}, follow=True)
    assert "What you send takes effect at once." in response.content.decode()
    anna.refresh_from_db()
    assert anna.replies_at_once
    client.post("/accounts/replies/", {"turn": "ask"})
    anna.refresh_from_db()
    assert not anna.replies_at_once


def test_people_get_new_addresses():
    game = open_table("Anna", "Boris", "Clara")
    anna = User.objects.get(name="Anna")
    before = address_of(anna, game.pk)
    response = browser(anna).post("/accounts/replies/", {"turn": "renew"}, follow=True)
    assert "You have new reply addresses" in response.content.decode()
    assert conversation_at(before) is None
    anna.refresh_from_db()
    assert address_of(anna, game.pk) != before


def test_replies_are_not_mentioned_where_the_site_takes_none(settings):
    settings.MAIL_REPLIES_DOMAIN = ""
    client = browser(person("Anna"))
    assert "Playing by email" not in client.get(PAGE).content.decode()
    assert client.post("/accounts/replies/", {"turn": "renew"}).status_code == 404


def test_a_get_changes_nothing():
    assert browser(person("Anna")).get("/accounts/replies/").status_code == 405
