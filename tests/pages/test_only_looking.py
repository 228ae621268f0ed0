"""A request whose response nobody reads changes nothing: HEAD, and what browsers fetch ahead."""

from uuid import uuid4

import pytest
from django.apps import apps
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse

from games.models import ThreadMember, Visit
from games.services.chat import messages
from tests.support.client import browser, text_of
from tests.support.promising import bribing_table, in_order, sitter
from tests.support.tables import MONDAY
from tests.support.whispering import page_of, whisper

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]


def everything() -> dict[str, list[dict[str, object]]]:
    """All rows of all tables."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
    }


def addresses(names: list[str], *arguments: str) -> list[str]:
    """The addresses of these names that take these arguments and no others."""
    found = []
    for name in names:
        try:
            found.append(reverse(name, args=arguments))
        except (NoReverseMatch, AttributeError):  # the latter where a number is wanted
            continue
    return found


def every_address(game, thread) -> list[str]:
    """All pages of the site and the admin that need nothing more, and all of this table."""
    site = get_resolver()
    own = [f"games:{name}" for name in site.namespace_dict["games"][1].reverse_dict if name]
    admin = [f"admin:{name}" for name in site.namespace_dict["admin"][1].reverse_dict if name]
    names = [name for name in site.reverse_dict if isinstance(name, str)]
    own, admin = ([one for one in some if isinstance(one, str)] for some in (own, admin))
    tables = [name for name in own if reverse_is_of_a_table(name, game)]
    return [
        *addresses([*names, *own, *admin]),
        *addresses(tables, game.token),
        *addresses(["games:thread"], game.token, thread.token),
        *addresses(["games:step"], game.token, "2"),
    ]


def reverse_is_of_a_table(name, game) -> bool:
    return all(one.startswith("/tables/") for one in addresses([name], game.token))


@pytest.fixture
def game():
    """Boris has written to all, and to Anna alone."""
    game = bribing_table(press="private")
    first, second, _third = in_order(game)
    for _ in range(2):
        messages.say(
            game_id=game.pk, user=sitter(game, second), text="Psst", token=uuid4(), now=MONDAY
        )
    whisper(game, second, first)
    return game


def test_a_head_request_of_somebody_signed_in_changes_nothing(game):
    first = in_order(game)[0]
    client = browser(sitter(game, first))
    client.post("/accounts/calendar/", {"turn": "on"})  # a message waits to be shown
    before, thread = everything(), game.threads.get()
    for address in every_address(game, thread):
        response = client.head(address)
        assert response.status_code != 500, address
        assert not response.cookies, address
    assert everything() == before
    shown = text_of(client.get(game.get_absolute_url()))
    assert "Your calendar has a new address." in shown
    assert Visit.objects.get(game=game, user=sitter(game, first)).last_message
    client.get(page_of(thread))
    assert ThreadMember.objects.get(thread=thread, seat_number=first).last_read == 1


@pytest.mark.parametrize(
    "header",
    [
        {"sec-purpose": "prefetch"},
        {"sec-purpose": "prefetch;prerender"},
        {"purpose": "prefetch"},
        {"x-moz": "prefetch"},
    ],
)
def test_what_a_browser_fetches_ahead_for_somebody_signed_in_is_refused(game, header):
    client, thread = browser(sitter(game, in_order(game)[0])), game.threads.get()
    before = everything()
    for address in ("/", game.get_absolute_url(), page_of(thread)):
        response = client.get(address, headers=header)
        assert response.status_code == 403
        assert "no-store" in response["Cache-Control"]
    assert everything() == before
    assert Client().get("/rules/", headers=header).status_code == 200


def test_a_head_request_has_the_headers_of_the_page(game):
    client = browser(sitter(game, in_order(game)[0]))
    for address in ("/", game.get_absolute_url(), page_of(game.threads.get())):
        looked, read = client.head(address), client.get(address)
        assert looked.status_code == read.status_code == 200
        assert looked["Content-Type"] == read["Content-Type"]
        assert looked["Cache-Control"] == read["Cache-Control"]
        assert looked.content == b""
