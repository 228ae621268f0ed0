"""The settings change while somebody without an account confirms their address."""

from dataclasses import replace

import pytest
from django.core import mail
from django.test import Client

from games.models import User
from games.services.lobby import changed_settings, tables
from games.services.lobby.settings import settings_of
from tests.support.client import as_shown, forms_of, person, text_of
from tests.support.guests import code_of
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db


def change(game, **more):
    game.refresh_from_db()
    settings = replace(settings_of(game), **more)
    changed_settings.change(game_id=game.pk, user=game.host, settings=settings, now=MONDAY)
    game.refresh_from_db()


def ask_for_seat(client, game):
    """Fill in the form of the page of somebody without an account."""
    address = f"{game.get_absolute_url()}seat/"
    form = as_shown(forms_of(client.get(game.get_absolute_url()).content.decode())[address])
    given = {"name": "Nina", "email": "nina@example.org", "time_zone": "Europe/Vienna"}
    client.post(address, form | given, HTTP_ORIGIN="http://testserver")


def enter_code(client):
    code = code_of(mail.outbox[-1].body)
    return client.post("/accounts/confirm-email/", {"code": code}, follow=True)


@pytest.mark.full
def test_what_they_have_not_seen_they_are_shown_and_nobody_is_seated():
    game = open_table("Anna", size=3, listed=True)
    client = Client()
    ask_for_seat(client, game)
    change(game, days_off=1)
    page = enter_code(client)
    assert "you didn't get a seat: The host has just changed the settings." in text_of(page)
    assert "1 day off for each player." in text_of(page)
    assert game.seats.count() == 1
    join = f"{game.get_absolute_url()}join/"
    client.post(join, as_shown(forms_of(page.content.decode())[join]))
    seat = game.seats.get(user=User.objects.get(name="Nina"))
    assert seat.agreed_settings is None


@pytest.mark.full
def test_who_has_seen_them_sits_down():
    game = open_table("Anna", size=3, listed=True)
    change(game, days_off=1)
    client = Client()
    ask_for_seat(client, game)
    enter_code(client)
    assert game.seats.count() == 2


def test_a_full_table_that_waits_for_an_answer_offers_no_seat():
    game = open_table("Anna", "Boris", size=4, listed=True)
    change(game, size=3)
    tables.join(game_id=game.pk, user=person("Clara"), now=MONDAY)
    page = Client().get(game.get_absolute_url())
    assert "There are no free seats left." in text_of(page)
    assert f"{game.get_absolute_url()}seat/" not in page.content.decode()
