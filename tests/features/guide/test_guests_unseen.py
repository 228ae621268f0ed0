"""A guest writes no word that anyone else can read, and is in no list and no count (days 32)."""

import re

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game, Message, SharedBrowser, SignIn, User
from games.services.accounts import sign_ins
from games.services.moderation import search
from games.services.moderation.actions.site import running_games
from games.services.operations import health
from games.services.operations.doctor import games
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.guests import keep
from tests.support.moderators import moderator
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db

SPAM = "Buy watches at example.com"


def arrive(client: Client) -> Game:
    client.post("/first-game/")
    return Game.objects.get(guided=True)


def guest() -> User:
    return User.objects.get(is_guest=True)


@pytest.mark.parametrize("has_account", [False, True])
def test_an_offer_in_a_first_game_has_no_words(has_account):
    client = browser(person("Anna")) if has_account else Client()
    game = arrive(client)
    own = game.seats.get(user__isnull=False)
    other = next(one for one in game.seats.all() if one != own)
    address = f"{game.get_absolute_url()}offers/?to={other.colour}&who=me&what=send-nobody"
    page = client.get(address).content.decode()
    assert 'name="text"' not in page
    token = re.search(r'name="token" value="([^"]+)"', page)[1]
    filled = {"token": token, "until": "2", "occupation": "", "text": SPAM}
    assert client.post(address, filled).status_code == 302
    game.refresh_from_db()
    assert len(game.ledger) >= 1
    assert not Message.objects.exists()
    assert SPAM not in str(list(game.events.values_list("payload", flat=True)))


@pytest.mark.full
def test_the_wanted_name_is_read_by_nobody_until_the_address_is_confirmed():
    client = Client()
    game = arrive(client)
    shown = as_shown(forms_of(client.get("/keep/").content.decode())[""])
    given = shown | {"email": "nina@example.org", "name": "Watches", "time_zone": "Europe/Vienna"}
    client.post("/keep/", given)
    assert "Watches" not in mail.outbox[-1].body
    assert guest().name == "Guest"
    reader = browser(person("Anna"))
    assert "Watches" not in reader.get(game.get_absolute_url()).content.decode()
    code = re.search(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b", mail.outbox[-1].body)[0]
    client.post("/accounts/confirm-email/", {"code": code})
    kept = User.objects.get(email="nina@example.org")
    assert (kept.name, kept.time_zone, kept.is_guest) == ("Watches", "Europe/Vienna", False)
    assert "Watches" in reader.get(game.get_absolute_url()).content.decode()


@pytest.mark.full
def test_a_guest_makes_no_pair_of_accounts_until_they_keep_the_game():
    client = Client()
    arrive(client)
    client.get("/")
    assert not SignIn.objects.exists()
    dora = person("Dora")
    first = browser(dora)
    first.get("/")
    client.cookies[settings.DEVICE_COOKIE_NAME] = first.cookies[settings.DEVICE_COOKIE_NAME].value
    shown = as_shown(forms_of(client.get("/keep/").content.decode())[""])
    given = shown | {"email": "nina@example.org", "name": "Nina", "time_zone": "UTC"}
    client.post("/keep/", given)
    assert not SharedBrowser.objects.exists()
    code = re.search(r"\b[A-Z0-9]{4}-[A-Z0-9]{4}\b", mail.outbox[-1].body)[0]
    client.post("/accounts/confirm-email/", {"code": code})
    client.get("/")
    pair = SharedBrowser.objects.get()
    assert {pair.first.name, pair.second.name} == {"Dora", "Nina"}


@pytest.mark.full
def test_a_guest_who_has_watched_a_table_makes_a_pair_once_they_keep_the_game():
    client = Client()
    arrive(client)
    watched = open_table("Anna", "Boris", "Clara", listed=True, strangers="everyone")
    for page in ("", "history/", "charts/"):
        client.get(f"{watched.get_absolute_url()}{page}")
    assert sign_ins.NOTED_ON not in client.session
    first = browser(User.objects.get(name="Anna"))
    first.get("/")
    client.cookies[settings.DEVICE_COOKIE_NAME] = first.cookies[settings.DEVICE_COOKIE_NAME].value
    keep(client)
    client.get("/")
    pair = SharedBrowser.objects.get()
    assert {pair.first.name, pair.second.name} == {"Anna", "Nina"}


@pytest.mark.full
def test_the_games_of_guests_are_in_no_count():
    game = arrive(Client())
    now = timezone.now()
    stands = {"parked_at": now, "dormant_since": now, "error": "Broken", "deadline_at": None}
    Game.objects.filter(pk=game.pk).update(**stands)
    assert running_games() == 0
    lines = " ".join(one.text for one in games.games(now))
    assert "Running: 0; none overdue or parked." in lines
    figures = health.health(now)
    assert (figures.running, figures.parked, figures.resting) == (0, 0, 0)
    marta = moderator()
    assert list(search.people("Guest", marta)) == []
    assert game.name not in text_of(browser(marta).get(reverse("admin:index")))
