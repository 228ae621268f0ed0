"""Every page of accounts and of the admin in its frame, and pages for what went wrong."""

from html.parser import HTMLParser

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.views.defaults import server_error

from games.models import User
from tests.support import passkeys
from tests.support.client import as_shown, browser, forms_of, person, verified
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db

NO_LABEL = {"hidden", "submit", "button"}
FOR_STRANGERS = [
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/login/code/",
    "/accounts/inactive/",
    "/accounts/password/reset/done/",
]
FOR_PEOPLE = [
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/profile/",
    "/accounts/export/",
    "/accounts/delete/",
    "/accounts/sessions/",
    "/accounts/logout/",
    "/accounts/reauthenticate/",
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/2fa/webauthn/add/",
]
WITH_SECOND_FACTOR = [
    "/accounts/2fa/",
    "/accounts/2fa/reauthenticate/",
    "/accounts/2fa/totp/deactivate/",
    "/accounts/2fa/recovery-codes/",
    "/accounts/2fa/recovery-codes/generate/",
]


class Page(HTMLParser):
    """What a reader and the Content-Security-Policy look at."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.titles = self.headings = 0
        self.inline: list[str] = []
        self.controls: set[str] = set()
        self.labelled: set[str] = set()
        self.links: list[str] = []
        self.title = ""
        self._open = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._open = tag
        self.headings += tag == "h1"
        self.inline += [f"{tag} {name}" for name in given if name == "style" or name[:2] == "on"]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)
        if tag in {"input", "select", "textarea"} and given.get("type") not in NO_LABEL:
            self.controls.add(given.get("id", f"nameless {tag} {given.get('name')}"))
        if tag == "label":
            self.labelled.add(given.get("for", ""))
        if tag == "a":
            self.links.append(given.get("href", ""))

    def handle_data(self, data: str) -> None:
        if self._open == "title":
            self.title += data.strip()
            self._open = ""


def assert_policy(response, page):
    policy = response["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-" not in policy
    assert page.inline == []


def assert_frame(response, status=200):
    assert response.status_code == status
    page = Page(response.content.decode())
    assert_policy(response, page)
    assert page.headings == 1
    assert page.title.strip("· ") not in {"", "Intrigue"}
    assert page.controls <= page.labelled
    assert '<main id="content"' in response.content.decode()


def with_second_factor(user: User) -> User:
    TOTP.activate(user, generate_totp_secret())
    RecoveryCodes.activate(user)
    return user


@pytest.mark.parametrize("address", FOR_STRANGERS)
def test_a_page_for_strangers(client, address):
    assert_frame(client.get(address))


@pytest.mark.full
@pytest.mark.parametrize("address", FOR_PEOPLE)
def test_a_page_for_who_is_signed_in(address):
    client, _ = signed_in("Rosa")
    assert_frame(client.get(address))


def signed_in(name, **more):
    """A browser that has just given the password, so that no page asks for it again."""
    user = verified(name, **more)
    client = browser(user)
    client.post("/accounts/reauthenticate/", {"password": "not so secret"})
    return client, user


@pytest.mark.sample(1)
@pytest.mark.parametrize("address", WITH_SECOND_FACTOR)
def test_a_page_for_who_has_a_second_factor(address):
    client, rosa = signed_in("Rosa")
    with_second_factor(rosa)
    assert_frame(client.get(address))


@pytest.mark.full
def test_the_pages_of_who_has_a_passkey():
    client, rosa = signed_in("Rosa")
    passkeys.add(client, passkeys.Device())
    key = f"keys/{Authenticator.objects.get(type='webauthn').pk}/"
    for rest in ("", "webauthn/reauthenticate/", f"webauthn/{key}edit/", f"webauthn/{key}remove/"):
        assert_frame(client.get(f"/accounts/2fa/{rest}"))
    form = {"login": rosa.email, "password": "not so secret"}
    assert_frame(Client().post("/accounts/login/", form, follow=True))


@pytest.mark.full
def test_the_pages_that_ask_for_a_code(client, smtp):
    verified("Gustav")
    address = {"email": "gustav@example.org"}
    assert_frame(client.post("/accounts/login/code/", address, follow=True))
    assert_frame(Client().post("/accounts/password/reset/", address, follow=True))
    form = {"email": "f@example.org", "password1": "a red scholar", "name": "F", "time_zone": "UTC"}
    assert_frame(Client().post("/accounts/signup/", form, follow=True))
    with_second_factor(verified("Rosa"))
    form = {"login": "rosa@example.org", "password": "not so secret"}
    assert_frame(Client().post("/accounts/login/", form, follow=True))
    assert Authenticator.objects.exists()


def test_refused_forms_keep_the_frame(client):
    assert_frame(client.post("/accounts/signup/", {"name": "a@b"}))
    assert_frame(client.post("/accounts/login/", {}))
    assert_frame(client.post("/accounts/password/reset/", {"email": "nobody"}))


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_every_page_that_a_moderator_can_click_to_keeps_the_policy():
    open_table("Anna", "Boris", "Clara")
    client = browser(person("Marta", is_staff=True, is_superuser=True))
    waiting, seen = ["/admin/", "/"], set()
    while waiting and len(seen) < 80:
        address = waiting.pop(0)
        response = client.get(address, follow=True)
        assert response.status_code in {200, 403}, address
        seen.add(address)
        if response["Content-Type"].startswith("text/html"):
            page = Page(response.content.decode())
            assert_policy(response, page)
            found = [link.partition("#")[0] for link in page.links if link.startswith("/")]
            waiting += [link for link in dict.fromkeys(found) if link not in {*seen, *waiting}]
    assert "/admin/games/game/" in seen
    assert len(seen) > 15


def test_an_address_that_does_not_exist(client):
    assert_frame(client.get("/nothing/here/"), 404)


def test_a_page_that_is_not_for_gustav():
    assert_frame(browser(person("Gustav")).get("/admin/login/"), 403)


def test_a_page_that_was_asked_for_too_often(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    client.post("/accounts/login/", {})
    assert_frame(client.post("/accounts/login/", {}), 429)


def test_the_page_for_a_fault_stands_alone(rf):
    html = server_error(rf.get("/")).content.decode()
    page = Page(html)
    assert (page.inline, page.headings) == ([], 1)
    assert page.title == "Something went wrong · Intrigue"
    assert "/" in page.links


def test_a_form_with_an_old_token_is_sent_again_with_all_that_was_typed(smtp):
    client = Client(enforce_csrf_checks=True, headers={"Origin": "http://testserver"})
    typed = {
        "email": "flora@example.org",
        "password1": "a red scholar in Venice",
        "name": "Flora <b>",
        "time_zone": "Europe/Vienna",
    }
    answer = client.post("/accounts/signup/", typed | {"csrfmiddlewaretoken": "x" * 64})
    assert_frame(answer, 403)
    html = answer.content.decode()
    assert "red scholar" not in html
    assert not User.objects.exists()
    assert "Flora &lt;b&gt;" in html
    again = {name: typed[name] for name in typed if f'name="{name}"' in html}
    assert again == typed
    token = as_shown(forms_of(html)["/accounts/signup/"])["csrfmiddlewaretoken"]
    answer = client.post("/accounts/signup/", again | {"csrfmiddlewaretoken": token})
    assert answer["Location"] == "/accounts/confirm-email/"
    assert User.objects.get().name == "Flora <b>"


@pytest.mark.parametrize("origin", ["https://strange.example", "null", None])
def test_what_a_strange_site_filled_in_is_not_offered_to_be_sent(origin):
    headers = {} if origin is None else {"Origin": origin}
    client = Client(enforce_csrf_checks=True, headers=headers)
    answer = client.post("/accounts/password/reset/", {"email": "eve@example.org"})
    assert_frame(answer, 403)
    html = answer.content.decode()
    assert "/accounts/password/reset/" not in forms_of(html)
    assert "eve@example.org" in html
