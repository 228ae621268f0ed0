"""The second factor: for who wants one, and for every moderator before the admin."""

import hmac
import re
import time
from base64 import b32decode

import pytest
import time_machine
from django.test import Client

from games.models import User
from tests.support.client import as_shown, browser, forms_of, person, verified

pytestmark = pytest.mark.django_db(transaction=True)


def shown_by_app(secret: str, steps: int = 0) -> str:
    """What an authenticator app shows now, or some steps of 30 seconds from now (RFC 6238)."""
    moment = (int(time.time()) // 30 + steps).to_bytes(8)
    digest = hmac.digest(b32decode(secret), moment, "sha1")
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4]) & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def sign_in(name: str, wanted: str = "") -> tuple[Client, str]:
    """Somebody's browser after address and password, and where it is sent."""
    client = Client()
    form = {"login": f"{name.lower()}@example.org", "password": "not so secret", "next": wanted}
    return client, client.post("/accounts/login/", form)["Location"]


def set_up(client: Client) -> tuple[str, list[str]]:
    """Set up an app in a browser that is signed in; the secret of the app and recovery codes."""
    page = "/accounts/2fa/totp/activate/"
    answer = client.get(page)
    if answer.status_code == 302:
        client.post(answer["Location"], {"password": "not so secret"})
    html = client.get(page).content.decode()
    assert 'src="data:image/svg+xml;base64,' in html
    secret = re.search(r'value="([A-Z2-7]{32})"', html)[1]
    filled = as_shown(forms_of(html)[page]) | {"code": shown_by_app(secret)}
    answer = client.post(page, filled, follow=True)
    codes = re.search(r"<textarea[^>]*>([\d\s]+)</textarea>", answer.content.decode())[1]
    return secret, codes.split()


@pytest.mark.full
def test_rosa_sets_up_a_second_factor_and_comes_to_the_page_she_wanted(smtp):
    verified("Rosa")
    client, _ = sign_in("Rosa")
    secret, recovery_codes = set_up(client)
    assert len(recovery_codes) == 10
    client, location = sign_in("Rosa", "/accounts/profile/")
    assert location == "/accounts/2fa/authenticate/"
    assert "_auth_user_id" not in client.session
    refused = client.post(location, {"code": "000000"})
    assert "Incorrect code." in refused.content.decode()
    answer = client.post(location, {"code": shown_by_app(secret, steps=1)})
    assert answer["Location"] == "/accounts/profile/"


@pytest.mark.full
def test_a_recovery_code_opens_once(smtp):
    verified("Rosa")
    client, _ = sign_in("Rosa")
    _, [code, *_] = set_up(client)
    for opens in (True, False):
        client, location = sign_in("Rosa")
        client.post(location, {"code": code})
        assert ("_auth_user_id" in client.session) is opens


@pytest.mark.full
def test_marta_must_set_up_a_second_factor_before_any_page_of_the_admin(settings, smtp):
    settings.STAFF_NEED_SECOND_FACTOR = True
    verified("Marta", is_staff=True, is_superuser=True)
    client, location = sign_in("Marta", "/admin/games/game/")
    assert location == "/admin/games/game/"
    for page in ("/admin/", "/admin/login/", "/admin/games/game/", "/admin/nothing/"):
        assert client.get(page)["Location"] == "/accounts/2fa/"
    text = client.get("/admin/", follow=True).content.decode()
    assert "Moderators need two-factor authentication" in text
    set_up(client)
    assert client.get("/admin/games/game/").status_code == 200


def test_others_are_not_asked_for_a_second_factor(settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    gustav = browser(person("Gustav"))
    assert gustav.get("/accounts/profile/").status_code == 200
    assert gustav.get("/admin/login/").status_code == 403
    assert Client().get("/admin/")["Location"] == "/admin/login/?next=/admin/"


def with_a_factor(name: str, **more: object) -> tuple[str, list[str]]:
    """Somebody who has set up an app elsewhere; its secret and the recovery codes."""
    verified(name, **more)
    client, _ = sign_in(name)
    return set_up(client)


@pytest.mark.full
def test_to_set_up_a_second_factor_ends_all_other_sessions(settings, smtp):
    settings.STAFF_NEED_SECOND_FACTOR = True
    verified("Marta", is_staff=True, is_superuser=True)
    other, _ = sign_in("Marta")
    client, _ = sign_in("Marta")
    set_up(client)
    assert client.get("/admin/").status_code == 200
    assert other.get("/admin/")["Location"] == "/admin/login/?next=/admin/"
    assert other.get("/accounts/profile/").status_code == 302


@pytest.mark.full
@pytest.mark.parametrize("with_app", [True, False])
def test_the_admin_opens_only_to_a_session_that_has_shown_the_second_factor(
    settings, smtp, with_app
):
    settings.STAFF_NEED_SECOND_FACTOR = True
    secret, [recovery_code, *_] = with_a_factor("Marta", is_staff=True, is_superuser=True)
    marta = User.objects.get()
    client = browser(marta)  # as a session of before, or one that came in by another door
    led = client.get("/admin/games/game/")["Location"]
    assert led == "/accounts/2fa/reauthenticate/?next=%2Fadmin%2Fgames%2Fgame%2F"
    assert client.post(led, {"code": "000000"}).status_code == 200
    assert client.get("/admin/").status_code == 302
    code = shown_by_app(secret, steps=1) if with_app else recovery_code
    assert client.post(led, {"code": code})["Location"] == "/admin/games/game/"
    assert client.get("/admin/games/game/").status_code == 200


@pytest.mark.full
def test_a_password_shown_again_is_no_second_factor(settings, smtp):
    settings.STAFF_NEED_SECOND_FACTOR = True
    with_a_factor("Marta", is_staff=True, is_superuser=True)
    client = browser(User.objects.get())
    client.post("/accounts/reauthenticate/", {"password": "not so secret"})
    assert client.get("/admin/").status_code == 302


@pytest.mark.full
def test_what_was_typed_in_the_admin_is_kept_until_the_factor_is_shown(settings, smtp):
    settings.STAFF_NEED_SECOND_FACTOR = True
    secret, _codes = with_a_factor("Marta", is_staff=True, is_superuser=True)
    client = browser(User.objects.get())
    rosa = person("Rosa")
    act = f"/admin/games/user/{rosa.pk}/act/warn/"
    led = client.post(act, {"reason": "You were rude.", "seen": 0})["Location"]
    assert led == "/accounts/2fa/reauthenticate/?next=%2Fkept%2F"
    client.post(led, {"code": shown_by_app(secret, steps=1)})
    assert "You were rude." in client.get("/kept/").content.decode()


@pytest.mark.full
def test_who_has_to_use_a_second_factor_shows_it_in_each_session(smtp):
    secret, _codes = with_a_factor("Rosa", needs_second_factor=True)
    client = browser(User.objects.get())
    led = client.get("/tables/")["Location"]
    assert led == "/accounts/2fa/reauthenticate/?next=%2Ftables%2F"
    assert client.post(led, {"code": shown_by_app(secret, steps=1)})["Location"] == "/tables/"
    assert client.get("/tables/").status_code == 200


@pytest.mark.full
def test_a_code_of_the_app_is_good_once_also_where_the_clock_would_take_it_again(smtp):
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        secret, _codes = with_a_factor("Rosa")
        clock.shift(60)
        code = shown_by_app(secret, steps=1)
        client, location = sign_in("Rosa")
        assert client.post(location, {"code": code})["Location"] == "/"
        clock.shift(45)
        client, location = sign_in("Rosa")
        assert "Incorrect code." in client.post(location, {"code": code}).content.decode()
