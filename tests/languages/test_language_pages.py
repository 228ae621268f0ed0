"""Every kind of page in Russian: what stands in Latin letters there was forgotten."""

from uuid import uuid4

import pytest
from django.test import Client

from games.engine import EDITIONS
from games.models import Game
from games.services.chat import messages
from games.services.lobby import tables
from games.services.operations import sample_games
from tests.support.client import as_shown, browser, move_form, verified
from tests.support.tables import MONDAY, open_table, seats_to_move, submit_move
from tests.support.untranslated import LATIN, NAMES, Words

pytestmark = pytest.mark.django_db

STRANGERS = [
    "/", "/rules/", *(f"/rules/{edition}/" for edition in EDITIONS), "/status/", "/first-game/",
    "/accounts/login/", "/accounts/signup/", "/accounts/login/code/", "/accounts/password/reset/",
    "/accounts/inactive/", "/no/such/page/", "/invitations/none/",
]  # fmt: skip
PEOPLE = [
    "/", "/tables/", "/tables/new/", "/accounts/profile/", "/accounts/email/", "/accounts/export/",
    "/accounts/delete/",
    "/accounts/password/change/", "/accounts/2fa/", "/accounts/2fa/totp/activate/",
    "/accounts/logout/",
]  # fmt: skip


def latin(client, address):
    """What of a page is not in Russian."""
    page = client.get(address).content.decode()
    assert '<html lang="ru">' in page, address
    return [(address, words) for words in Words(page).words if LATIN.search(NAMES.sub("", words))]


def russian(name):
    """The browser of somebody who reads Russian and has just given their password."""
    client = browser(verified(name, language="ru", time_zone="Europe/Vienna"))
    client.post("/accounts/reauthenticate/", {"password": "not so secret"})
    return client


@pytest.mark.parametrize("address", STRANGERS)
def test_a_page_for_strangers_is_all_russian(address):
    assert latin(Client(headers={"Accept-Language": "ru"}), address) == []


@pytest.mark.parametrize("address", PEOPLE)
def test_a_page_for_people_is_all_russian(address):
    assert latin(russian("Анна"), address) == []


def test_a_table_that_waits_is_all_russian():
    game = open_table("Борис", name="Венеция", size=4, description="Без спешки.")
    host, anna = browser(game.host), russian("Анна")
    game.host.language = "ru"
    game.host.save()
    address = game.get_absolute_url()
    assert latin(anna, address) + latin(host, address) + latin(anna, f"{address}rules/") == []


@pytest.mark.long(after=2)
@pytest.mark.full
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_pages_of_a_game_are_all_russian(edition):
    game = open_table("Борис", name="Венеция", size=4, edition=edition, listed=True)
    game.host.language = "ru"
    game.host.save()
    talk_at(game)
    tables.start_with_computer_players(
        game_id=game.pk, user=game.host, computer_player="courtier", now=MONDAY
    )
    boris, anna = browser(game.host), russian("Анна")
    address = game.get_absolute_url()
    found = []
    for _ in range(12):
        sample_games.decline_offers(game, MONDAY)
        if game.status != Game.Status.RUNNING:
            break
        found += latin(boris, address)
        found += review_of(boris, address)
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        sample_games.decline_offers(game, MONDAY)
    for page in ("", "orders/", "history/", "history/30/", "rules/"):
        found += latin(boris, f"{address}{page}")
    found += latin(anna, address)
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        sample_games.decline_offers(game, MONDAY)
    for page in ("", "history/", "charts/"):
        found += latin(boris, f"{address}{page}")
    assert found == []


def talk_at(game):
    messages.say(game_id=game.pk, user=game.host, text="Привет!", token=uuid4(), now=MONDAY)


def review_of(client, address):
    """The page that shows an answer before it is handed in."""
    form = move_form(client.get(address).content.decode())
    page = client.post(f"{address}review/", as_shown(form)).content.decode()
    return [("review", words) for words in Words(page).words if LATIN.search(NAMES.sub("", words))]
