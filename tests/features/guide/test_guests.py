"""Guests: a first game without an account, which can be kept (days 32)."""

import re
from datetime import timedelta
from random import Random

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from games.features.live import readers
from games.models import Game, OutboxEmail, SiteState, User, Visit
from games.services.accounts import guests
from games.services.accounts.queries.profile import results_of
from games.services.lobby import tables
from games.services.operations import health
from games.services.operations.trim import trim
from tests.accounts.test_second_factor import shown_by_app
from tests.support import passkeys
from tests.support.client import (
    at_random,
    browser,
    forms_of,
    move_form,
    person,
    text_of,
    verified,
)
from tests.support.guests import arrive, decline, keep
from tests.support.tables import finished, open_table

pytestmark = pytest.mark.django_db

BEYOND = (
    "/tables/new/", "/people/", "/accounts/profile/", "/accounts/email/",
    "/accounts/2fa/", "/accounts/sessions/", "/accounts/delete/", "/accounts/export/", "/reports/",
)  # fmt: skip


def guest() -> User:
    return User.objects.get(is_guest=True)


def test_two_clicks_from_the_front_page_to_the_first_decision():
    client = Client()
    front = client.get("/")
    assert "/first-game/" in forms_of(front.content.decode())
    page = client.get(arrive(client))
    assert move_form(page.content.decode()) is not None
    game = Game.objects.get()
    assert (game.host, game.guided, game.has_deadlines) == (guest(), True, False)
    assert set(game.seats.values_list("computer_player", flat=True)) == {"", "teacher"}
    state = game.decoded()
    assert state.table.first == game.seats.get(user=guest()).number


def test_a_get_lets_nobody_in():
    Client().get("/first-game/")
    assert not User.objects.exists()


def test_there_is_neither_address_nor_password_nor_name_nor_email():
    client = Client()
    arrive(client)
    one = guest()
    assert one.email.endswith(f"@{guests.NO_ADDRESS}")
    assert (one.name, one.name_key, one.has_usable_password()) == ("Guest", None, False)
    assert not OutboxEmail.objects.exists()
    assert not EmailAddress.objects.exists()


def test_time_votes_chat_days_off_and_orders_are_not_there():
    client = Client()
    page = client.get(arrive(client)).content.decode()
    for absent in ('id="chat"', 'id="votes"', "standing-orders", "Days off", 'class="until"'):
        assert absent not in page, absent
    assert "No deadlines: the game waits for you." in page


@pytest.mark.full
@pytest.mark.parametrize("path", BEYOND)
def test_whatever_else_leads_to_an_account(path):
    client = Client()
    arrive(client)
    assert client.get(path)["Location"] == "/keep/"
    assert client.post(path)["Location"] == "/keep/"


def test_a_guest_can_do_nothing_at_other_tables():
    client = Client()
    url = arrive(client)
    for action in ("talk/", "votes/", "step-aside/", "orders/", "days-off/", "notes/"):
        assert client.post(f"{url}{action}")["Location"] == "/keep/", action


def test_nobody_meets_a_guest():
    client = Client()
    arrive(client)
    anna = browser(person("Anna"))
    assert "Guest" not in anna.get("/people/").content.decode()
    assert "Guest" not in anna.get("/tables/").content.decode()
    assert anna.get(f"/people/{guest().pk}/").status_code == 404
    assert health.health(timezone.now()).running == 0


def test_one_game_at_a_time_and_home_leads_to_it():
    client = Client()
    url = arrive(client)
    assert arrive(client) == url
    assert client.get("/")["Location"] == url
    assert (User.objects.count(), Game.objects.count()) == (1, 1)


def play_to_the_end(client: Client, url: str) -> None:
    chance = Random(3)
    for _ in range(60):
        page = client.get(url).content.decode()
        form = move_form(page)
        if form is None and decline(client, page):
            continue
        if form is None:
            break
        client.post(f"{url}move/", at_random(form, chance) | {"reviewed": "yes"})
    assert Game.objects.get(token=url.split("/")[2]).status == Game.Status.FINISHED


@pytest.mark.full
def test_a_guest_plays_again_in_one_tap_and_keeps_both_games():
    client = Client()
    first = arrive(client)
    play_to_the_end(client, first)
    page = client.get(first).content.decode()
    assert "Play again" in page
    assert "/first-game/" in forms_of(page)
    second = arrive(client)
    assert second != first
    assert (User.objects.count(), Game.objects.count()) == (1, 2)
    assert client.get("/")["Location"] == second
    assert client.get(first).status_code == 200
    anew = Game.objects.latest("pk")
    assert (anew.host, anew.guided, anew.ledger) == (guest(), True, [])
    assert "Play again" not in text_of(client.get(second))
    play_to_the_end(client, second)
    assert keep(client) == second
    nina = User.objects.get()
    assert set(Game.objects.filter(seats__user=nina, host=nina)) == set(Game.objects.all())
    for url in (first, second):
        assert "Open tables" in text_of(client.get(url))
    assert results_of(nina) == []


@pytest.mark.full
def test_a_guest_begins_no_more_games_in_a_day_than_anybody_else():
    client = Client()
    for _ in range(tables.MOST_FIRST_GAMES_A_DAY):
        arrive(client)
        Game.objects.update(status=Game.Status.FINISHED, deadline_at=None)
    refused = client.post("/first-game/")
    assert refused.status_code == 422
    assert "opened a lot of tables in the last 24 hours" in text_of(refused)
    assert Game.objects.count() == tables.MOST_FIRST_GAMES_A_DAY


@pytest.mark.full
def test_a_finished_game_is_kept_by_the_same_person():
    client = Client()
    url = arrive(client)
    before = guest()
    play_to_the_end(client, url)
    assert "/keep/" in client.get(url).content.decode()
    assert keep(client) == url
    after = User.objects.get()
    assert (after.pk, after.is_guest, after.name, after.time_zone) == (
        before.pk, False, "Nina", "Europe/Vienna",
    )  # fmt: skip
    assert (after.email, after.name_key is not None) == ("nina@example.org", True)
    assert [one.email for one in EmailAddress.objects.all()] == ["nina@example.org"]
    assert client.get("/tables/").status_code == 200
    assert Game.objects.get().seats.get(user=after).user == after


@pytest.mark.full
def test_a_guest_who_closes_the_guide_finds_the_game_again_and_keeps_it():
    client = Client()
    url = arrive(client)
    client.post(f"{url}no-guide/")
    assert 'id="guide"' not in client.get(url).content.decode()
    assert client.get("/")["Location"] == url
    assert arrive(client) == url
    play_to_the_end(client, url)
    assert "play against people" in text_of(client.get(url))
    assert keep(client) == url
    nina = User.objects.get()
    assert results_of(nina) == []
    assert "Games finished: 0." in text_of(client.get(f"/people/{nina.pk}/"))


def test_where_nobody_plays_now_nobody_becomes_a_guest_for_nothing():
    SiteState.objects.update_or_create(defaults={"no_new_games_since": timezone.now()})
    refused = Client().post("/first-game/")
    assert refused.status_code == 422
    assert not User.objects.exists()


def test_a_name_or_address_that_cannot_be_had_is_refused_and_nothing_typed_is_lost():
    person("Nina")
    client = Client()
    arrive(client)
    given = {"email": "new@example.org", "name": "Nina", "time_zone": "Europe/Vienna"}
    page = client.post("/keep/", given)
    assert page.status_code == 422
    assert "already taken" in page.content.decode()
    assert 'value="new@example.org"' in page.content.decode()
    assert guest().is_guest


def test_the_address_of_somebody_else_is_never_taken():
    person("Anna")
    client = Client()
    arrive(client)
    given = {"email": "anna@example.org", "name": "Nina", "time_zone": "UTC"}
    assert client.post("/keep/", given)["Location"] == "/accounts/confirm-email/"
    assert mail.outbox[-1].subject == "You already have an account"
    assert guest().is_guest
    assert guest().email.endswith(guests.NO_ADDRESS)
    assert not EmailAddress.objects.filter(user=guest(), verified=True).exists()
    assert User.objects.get(name="Anna").email == "anna@example.org"


def test_keeping_is_for_guests_only():
    assert Client().get("/keep/")["Location"] == "/"
    assert browser(person("Anna")).get("/keep/")["Location"] == "/"


def test_where_people_are_invited_nobody_comes_in_without_an_account(settings):
    settings.SIGN_UP = "invited"
    assert arrive(Client()).startswith("/accounts/signup/")
    assert not User.objects.exists()


@pytest.mark.full
def test_there_is_a_limit_for_an_address(settings):
    settings.ACCOUNT_RATE_LIMITS = {"guest": "60/d/ip"}  # as in production
    for _ in range(60):
        assert arrive(Client()).startswith("/tables/")
    refused = Client().post("/first-game/")
    assert refused.status_code == 422
    assert "from your network today" in refused.content.decode()
    assert User.objects.count() == 60


@pytest.mark.full
def test_there_is_a_limit_for_the_site():
    now = timezone.now()
    User.objects.bulk_create(
        User(email=f"{number}@x.invalid", is_guest=True, date_joined=now, last_login=now)
        for number in range(guests.MOST_IN_A_DAY)
    )
    refused = Client().post("/first-game/")
    assert refused.status_code == 422
    assert User.objects.count() == guests.MOST_IN_A_DAY


@pytest.mark.full
def test_guests_and_their_games_are_removed_two_days_after_their_last_visit():
    client = Client()
    client.get(arrive(client))
    person("Anna")
    begun = timezone.now()
    trim(now=begun + guests.KEPT_FOR - timedelta(minutes=1))
    assert Game.objects.count() == 1
    assert trim(now=begun + guests.KEPT_FOR + timedelta(minutes=1)).guests == 1
    assert (Game.objects.count(), [user.name for user in User.objects.all()]) == (0, ["Anna"])


@pytest.mark.full
def test_a_guest_who_plays_again_still_has_their_first_game():
    client = Client()
    client.get(arrive(client))
    Game.objects.update(status=Game.Status.FINISHED, deadline_at=None)
    long_ago = timezone.now() - 2 * guests.KEPT_FOR
    Game.objects.update(created_at=long_ago)
    Visit.objects.update(at=long_ago)
    client.get(arrive(client))
    assert trim(now=timezone.now()).guests == 0
    assert Game.objects.count() == 2
    trim(now=timezone.now() + guests.KEPT_FOR + timedelta(minutes=1))
    assert (Game.objects.count(), User.objects.count()) == (0, 0)


@pytest.mark.full
def test_a_copied_cookie_of_a_guest_lets_nobody_into_the_account():
    client, thief = Client(), Client()
    url = arrive(client)
    thief.cookies[settings.SESSION_COOKIE_NAME] = client.session.session_key
    assert "No deadlines" in text_of(thief.get(url))
    assert keep(client) == url
    assert "Open tables" in text_of(client.get(url))
    assert client.get("/accounts/profile/").status_code == 200
    assert thief.get("/accounts/profile/")["Location"].startswith("/accounts/login/")


@pytest.mark.full
def test_a_kept_game_is_never_removed():
    client = Client()
    arrive(client)
    keep(client)
    trim(now=timezone.now() + timedelta(days=30))
    assert Game.objects.count() == 1


class TestWithAnAccount:
    """They sign in to it, in whatever way; until then they stay the guest."""

    def test_by_password_and_second_factor(self):
        secret = generate_totp_secret()
        TOTP.activate(verified("Nina"), secret)
        client = Client()
        url = arrive(client)
        assert client.get("/accounts/login/").status_code == 200
        form = {"login": "nina@example.org", "password": "not so secret"}
        reauthentication = client.post("/accounts/login/", form)["Location"]
        assert reauthentication == "/accounts/2fa/authenticate/"
        assert client.get(url).status_code == 200
        assert client.post(reauthentication, {"code": shown_by_app(secret)})["Location"] == "/"
        assert signed_in_as(client) == "Nina"

    def test_by_an_emailed_code(self):
        verified("Nina")
        client = Client()
        arrive(client)
        client.post("/accounts/login/code/", {"email": "nina@example.org"})
        code = re.search(r"^([0-9A-Z-]{6,})$", mail.outbox[-1].body, re.MULTILINE)[1]
        client.post("/accounts/login/code/confirm/", {"action": "verify", "code": code})
        assert signed_in_as(client) == "Nina"

    @pytest.mark.full
    def test_by_a_passkey(self):
        verified("Nina")
        device, own = passkeys.Device(), Client()
        own.post("/accounts/login/", {"login": "nina@example.org", "password": "not so secret"})
        own.post("/accounts/reauthenticate/", {"password": "not so secret"})
        passkeys.add(own, device)
        client = Client()
        arrive(client)
        passkeys.sign_in(client, device)
        assert signed_in_as(client) == "Nina"


def signed_in_as(client: Client) -> str:
    return User.objects.get(pk=client.session["_auth_user_id"]).name


@pytest.mark.full
@pytest.mark.parametrize(
    "below", ["", "history/", "history/1/", "board/", "offers/", "rules/", "charts/", "promises/"]
)
def test_of_running_games_a_guest_sees_only_their_own(below):
    """Of others only what strangers see: none that is running."""
    other = open_table("Anna", "Boris", "Clara")
    client = Client()
    own = arrive(client)
    assert client.get(f"{own}board/").status_code == 200
    response = client.get(f"{other.get_absolute_url()}{below}")
    assert response["Location"] == "/keep/"
    assert "a word" not in client.get(response["Location"]).content.decode()


@pytest.mark.full
def test_a_finished_game_is_shown_to_a_guest_as_to_a_stranger():
    game = finished()
    client = Client()
    arrive(client)
    for below in ("", "history/", "charts/"):
        address = f"{game.get_absolute_url()}{below}"
        as_a_guest, as_a_stranger = client.get(address), Client().get(address)
        assert as_a_guest.status_code == as_a_stranger.status_code == 200
        assert text_of(as_a_guest) == text_of(as_a_stranger)


@pytest.mark.django_db(transaction=True)
def test_a_live_stream_of_a_guest_hears_of_no_other_table():
    other = open_table("Anna", "Boris", "Clara")
    client = Client()
    arrive(client)
    own = Game.objects.exclude(pk=other.pk).get()
    key = client.cookies["sessionid"].value
    [reader] = readers.read([readers.OpenPage(key, other.token)])
    assert set(reader.topics.values()) == {"person", own.token}
    anna = browser(User.objects.get(name="Anna")).cookies["sessionid"].value
    [reader] = readers.read([readers.OpenPage(anna, own.token)])
    assert set(reader.topics.values()) == {"person", other.token, own.token}


@pytest.mark.full
def test_a_household_has_one_limit_however_many_networks_it_has(settings):
    from intrigue_site import settings as production

    settings.ACCOUNT_RATE_LIMITS = production.ACCOUNT_RATE_LIMITS
    cache.clear()
    begun = [
        Client(REMOTE_ADDR=f"2001:db8:1:{number:x}::1").post("/first-game/").status_code
        for number in range(61)
    ]
    assert begun == [302] * 60 + [422]
    assert Client(REMOTE_ADDR="2001:db8:1:100::1").post("/first-game/").status_code == 302
    cache.clear()
