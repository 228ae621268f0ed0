"""From the link of a table to a seat at it, for somebody without an account."""

import re

import pytest
from django.core import mail
from django.test import Client

from games.models import User
from tests.support.client import as_shown, forms_of, text_of
from tests.support.guests import code_of
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db

CODE = "/accounts/confirm-email/"
NINA = {"name": "Nina", "email": "nina@example.org", "time_zone": "Europe/Vienna"}
OURS = {"HTTP_ORIGIN": "http://testserver"}


def seat_form(page):
    return as_shown(forms_of(page.content.decode())[seat_address(page)])


def seat_address(page):
    return re.search(r'action="([^"]+/seat/)"', page.content.decode())[1]


def ask(client, url, **given):
    """Fill in the form of the page; the answer."""
    page = client.get(url)
    return client.post(seat_address(page), seat_form(page) | NINA | given, **OURS)


def enter_code(client):
    code = code_of(mail.outbox[-1].body)
    return client.post(CODE, {"code": code}, follow=True)


def test_from_the_link_to_the_seat_in_three_screens():
    game = open_table("Anna", size=4, listed=True)
    client = Client()
    page = client.get(game.get_absolute_url())
    assert "Take a seat" in text_of(page)
    assert ask(client, game.get_absolute_url())["Location"] == CODE
    assert mail.outbox[-1].to == ["nina@example.org"]
    table = enter_code(client)
    assert table.redirect_chain[-1][0] == game.get_absolute_url()
    assert "You have a seat at “The Venice table”. The game starts once 2 more" in text_of(table)
    nina = User.objects.get(name="Nina")
    assert (nina.email, nina.is_guest, nina.time_zone) == (
        "nina@example.org", False, "Europe/Vienna",
    )  # fmt: skip
    assert not nina.has_usable_password()
    assert list(game.seats.order_by("pk").values_list("user__name", flat=True)) == ["Anna", "Nina"]
    assert User.objects.count() == 2
