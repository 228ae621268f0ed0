"""Every kind of page in Russian: what stands in Latin letters there was forgotten."""

import re
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.test import Client

from games.engine import EDITIONS
from games.models import Game
from games.services import lobby, talk
from tests.tables import MONDAY, answer, awaited_seats, open_table
from tests.web import as_shown, browser, move_form, verified

pytestmark = pytest.mark.django_db

LATIN = re.compile(r"[A-Za-z]{2,}")
# Names of the site, of editions, of languages, of zones and of formats.
NAMES = re.compile(
    r"Intrigue|Mayfair|F\.X\. Schmid|English|Deutsch|UTC|Europe/Vienna|QR|HTML|JSON"
    r"|E-mail|cookie|Home|End|https?://\S+|\S+@\S+"
)
TOLD = ("aria-label", "title", "placeholder", "alt", "data-told", "summary")
STRANGERS = [
    "/", "/rules/", *(f"/rules/{edition}/" for edition in EDITIONS), "/status/", "/first-game/",
    "/accounts/login/", "/accounts/signup/", "/accounts/login/code/", "/accounts/password/reset/",
    "/accounts/inactive/", "/no/such/page/", "/invitations/none/",
]  # fmt: skip
PEOPLE = [
    "/", "/tables/", "/tables/new/", "/accounts/profile/", "/accounts/email/", "/accounts/delete/",
    "/accounts/password/change/", "/accounts/2fa/", "/accounts/2fa/totp/activate/",
    "/accounts/logout/",
]  # fmt: skip


class Words(HTMLParser):
    """Everything of a page that is read or read out; time zones have their own names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.silent = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in {"script", "style"} or (tag, given.get("name")) == ("select", "time_zone"):
            self.silent = tag
        self.words += [given[name] for name in TOLD if given.get(name)]

    def handle_endtag(self, tag):
        self.silent = "" if tag == self.silent else self.silent

    def handle_data(self, data):
        if not self.silent and data.strip():
            self.words.append(data)


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
    game = open_table("Борис", name="Венеция", size=4, note="Без спешки.")
    host, anna = browser(game.host), russian("Анна")
    game.host.language = "ru"
    game.host.save()
    address = game.get_absolute_url()
    assert latin(anna, address) + latin(host, address) + latin(anna, f"{address}rules/") == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_pages_of_a_game_are_all_russian(edition):
    game = open_table("Борис", name="Венеция", size=4, edition=edition, listed=True)
    game.host.language = "ru"
    game.host.save()
    talk_at(game)
    lobby.start_with_house_players(
        game_id=game.pk, user=game.host, house_player="courtier", now=MONDAY
    )
    boris, anna = browser(game.host), russian("Анна")
    address = game.get_absolute_url()
    found = []
    for _ in range(12):
        game.refresh_from_db()
        if game.status != Game.Status.RUNNING:
            break
        found += latin(boris, address)
        found += review_of(boris, address)
        answer(game, awaited_seats(game)[0].user, MONDAY)
    for page in ("", "orders/", "talk/", "history/", "history/30/", "rules/"):
        found += latin(boris, f"{address}{page}")
    found += latin(anna, address)
    while game.status == Game.Status.RUNNING:
        answer(game, awaited_seats(game)[0].user, MONDAY)
        game.refresh_from_db()
    for page in ("", "history/", "charts/", "talk/"):
        found += latin(boris, f"{address}{page}")
    assert found == []


def talk_at(game):
    talk.say(game_id=game.pk, user=game.host, text="Привет!", token=uuid4(), now=MONDAY)


def review_of(client, address):
    """The page that shows an answer before it is handed in."""
    form = move_form(client.get(address).content.decode())
    page = client.post(f"{address}review/", as_shown(form)).content.decode()
    return [("review", words) for words in Words(page).words if LATIN.search(NAMES.sub("", words))]
