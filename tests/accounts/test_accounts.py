"""Signing up, in and out, one's own profile, and the door to the admin."""

from typing import ClassVar

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import IntegrityError
from django.test import Client

from games.accounts import address_of
from games.models import SignIn, User
from games.services.lobby import tables
from tests.support.client import browser, errors_of, forms_of, person, text_of, verified
from tests.support.sent_emails import code_in, plain_text
from tests.support.tables import MONDAY, table_settings

pytestmark = pytest.mark.django_db

FLORA = {
    "email": "Flora@Example.org",
    "password1": "a red scholar in Venice",
    "name": "Flora",
    "time_zone": "Europe/Vienna",
}


@pytest.mark.full
def test_flora_signs_up_enters_the_emailed_code_and_is_at_home(client, smtp):
    response = client.post("/accounts/signup/", FLORA)
    assert response["Location"] == "/accounts/confirm-email/"
    assert "_auth_user_id" not in client.session
    response = client.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    assert response["Location"] == "/"
    flora = User.objects.get()
    assert (flora.email, flora.name, flora.time_zone) == (
        "flora@example.org",
        "Flora",
        "Europe/Vienna",
    )
    assert client.session["_auth_user_id"] == str(flora.pk)
    [mail] = smtp.messages
    assert mail["To"] == "flora@example.org"


def test_the_sign_up_page_offers_utc_first(client):
    page = client.get("/accounts/signup/").content.decode()
    assert '<option value="UTC" selected>' in page
    assert '<option value="Europe/Vienna">' in page


PLAIN = "Please use only letters, digits, spaces and simple symbols other than @."


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("flora", "This name, or one that looks like it, is already taken."),
        ("f@example.org", f"A name can't contain “@”. {PLAIN}"),
        ("Flo\u202era", f"A name can't contain U+202E (right-to-left override). {PLAIN}"),
        ("Flo\nra", f"A name can't contain U+000A. {PLAIN}"),
        ("F" * 41, "Ensure this value has at most 40 characters (it has 41)."),
        ("", "This field is required."),
    ],
)
def test_a_public_name_is_refused(client, name, refusal):
    person("Flora")
    response = client.post("/accounts/signup/", FLORA | {"email": "other@x.org", "name": name})
    assert errors_of(response) == {"name": [refusal]}
    assert User.objects.count() == 1


def test_an_address_has_one_account_and_only_its_owner_is_told(client, smtp):
    person("Flora")
    response = client.post("/accounts/signup/", FLORA | {"name": "Florence"})
    assert response["Location"] == "/accounts/confirm-email/"
    assert User.objects.count() == 1
    [mail] = smtp.messages
    assert mail["To"] == "flora@example.org"
    assert "already have an account" in plain_text(mail)
    with pytest.raises(IntegrityError, match="user_email_in_small_letters"):
        User.objects.create(email="FLORA@example.org", name="Florence")


def test_gustav_signs_in_by_address_and_returns_to_the_page_he_wanted(client):
    gustav = verified("Gustav")
    response = client.post(
        "/accounts/login/?next=/accounts/profile/",
        {"login": "GUSTAV@example.org", "password": "not so secret"},
    )
    assert response["Location"] == "/accounts/profile/"
    assert client.session["_auth_user_id"] == str(gustav.pk)
    assert client.session.get_expiry_age() > 90 * 24 * 3600


def test_a_wrong_password_lets_nobody_in(client):
    person("Gustav")
    form = {"login": "gustav@example.org", "password": "quite secret"}
    response = client.post("/accounts/login/", form)
    assert response.status_code == 200
    assert "_auth_user_id" not in client.session


def test_signing_out_needs_a_post():
    client = browser(person("Gustav"))
    client.get("/accounts/logout/")
    assert "_auth_user_id" in client.session
    assert client.post("/accounts/logout/")["Location"] == "/"
    assert "_auth_user_id" not in client.session


def test_rosa_changes_her_name_and_zone():
    rosa = person("Rosa")
    client = browser(rosa)
    form = {
        "name": "Rosalind",
        "time_zone": "Asia/Kathmandu",
    }
    page = client.post("/accounts/profile/", form, follow=True).content.decode()
    assert '<p class="message success">Saved.</p>' in page
    assert 'value="Rosalind"' in page
    rosa.refresh_from_db()
    assert (rosa.name, rosa.time_zone) == ("Rosalind", "Asia/Kathmandu")


def test_rosa_cannot_take_the_name_of_another():
    person("Yvette")
    response = browser(person("Rosa")).post(
        "/accounts/profile/", {"name": "YVETTE", "time_zone": "UTC"}
    )
    assert "This name, or one that looks like it, is already taken." in str(errors_of(response))
    assert ">Rosa</bdi></span></a>" in response.content.decode()


def test_the_profile_is_for_who_is_signed_in(client):
    assert client.get("/accounts/profile/")["Location"] == (
        "/accounts/login/?next=/accounts/profile/"
    )


def test_the_admin_has_no_door_of_its_own(client):
    assert (
        client.get("/admin/login/?next=/admin/")["Location"] == "/accounts/login/?next=%2Fadmin%2F"
    )


@pytest.mark.full
def test_the_admin_is_for_staff():
    marta = person("Marta", is_staff=True, is_superuser=True)
    assert browser(marta).get("/admin/").status_code == 200
    assert browser(person("Gustav")).get("/admin/login/").status_code == 403


def test_guessing_passwords_is_slowed_down(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/m/key"}
    person("Gustav")
    for guess in ("one", "two", "three", "four"):
        form = {"login": "gustav@example.org", "password": guess}
        response = client.post("/accounts/login/", form)
    assert "Too many failed login attempts" in text_of(response)


def test_behind_one_proxy_everybody_has_a_limit_of_their_own(client, settings):
    """What a visitor writes into X-Forwarded-For themselves stands left of what the proxy adds."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    settings.ACCOUNT_RATE_LIMITS = {"login": "2/m/ip"}
    form = {"login": "gustav@example.org", "password": "a guess"}

    def status(forwarded):
        headers = {"X-Forwarded-For": forwarded}
        return client.post("/accounts/login/", form, headers=headers).status_code

    made_up = [status(f"198.51.100.{last}, 203.0.113.7") for last in (1, 2, 3)]
    assert made_up == [200, 200, 429]
    assert status("203.0.113.8") == 200


@pytest.mark.parametrize(
    ("forwarded", "counted"),
    [
        ("203.0.113.7, 10.0.0.1", "203.0.113.7"),
        ("198.51.100.1, 203.0.113.7, 10.0.0.1", "203.0.113.7"),
        ("203.0.113.7", "203.0.113.7"),
        ("not an address", "127.0.0.1"),
        ("", "127.0.0.1"),
    ],
)
def test_who_has_passed_fewer_proxies_is_counted_as_the_nearest_one_saw(
    rf, settings, forwarded, counted
):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    request = rf.get("/", headers={"X-Forwarded-For": forwarded})
    assert address_of(request) == counted


def test_a_request_past_a_proxy_is_no_fault_of_the_site(client, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    settings.ACCOUNT_RATE_LIMITS = {"login": "2/m/ip"}
    gustav = verified("Gustav")
    form = {"login": gustav.email, "password": "not so secret"}
    answer = client.post("/accounts/login/", form, headers={"X-Forwarded-For": "203.0.113.7"})
    assert answer["Location"] == "/"
    assert client.get("/").status_code == 200
    assert SignIn.objects.get().address == "203.0.113.7"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("intrigue.test", 200),
        ("intrigue.test:443", 200),
        ("intrigue.test:1337", 400),
        ("intrigue.test:99999", 400),
        ("other.test:1337", 400),
    ],
)
def test_the_site_answers_only_at_its_own_port(client, settings, host, status):
    settings.SITE_URL = "https://intrigue.test"
    settings.ALLOWED_HOSTS = ["intrigue.test", "other.test"]
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get("/accounts/login/", headers={"Host": host}, secure=True)
    assert answer.status_code == status
    assert client.get("/health/", headers={"Host": host}).status_code in {200, 503}


@pytest.mark.full
@pytest.mark.parametrize(
    "wanted", ["//[", "https://[x/", "https://\u2100.test/", "//a" + "\u0327" * 3000, "/" * 4000]
)
def test_a_page_to_go_on_to_that_is_no_address_counts_as_none(client, wanted):
    gustav = verified("Gustav")
    for page in ("login", "signup", "password/reset", "login/code"):
        assert client.get(f"/accounts/{page}/", {"next": wanted}).status_code == 200
    form = {"login": gustav.email, "password": "not so secret", "next": wanted}
    assert client.post("/accounts/login/", form)["Location"] == "/"
    assert client.post("/accounts/logout/", {"next": wanted})["Location"] == "/"


def test_links_in_emails_lead_to_the_site_whatever_the_browser_called_it(client, settings, smtp):
    settings.SITE_URL = "https://intrigue.test"
    settings.ALLOWED_HOSTS = ["elsewhere.test"]
    verified("Gustav")
    asked = {"/accounts/signup/": "gustav@example.org", "/accounts/password/reset/": "x@x.org"}
    for page, address in asked.items():
        client.post(page, FLORA | {"email": address}, headers={"Host": "elsewhere.test:1337"})
    known, unknown = (plain_text(mail) for mail in smtp.messages)
    assert "https://intrigue.test/accounts/login/" in known
    assert "https://intrigue.test/accounts/signup/" in unknown
    assert "elsewhere" not in known + unknown


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is hashed, which is what takes time."""

    hashed: ClassVar[list[str]] = []

    def encode(self, password: str, salt: str) -> str:
        self.hashed.append(password)
        return super().encode(password, salt)


@pytest.fixture
def hashed(settings):
    settings.PASSWORD_HASHERS = ["tests.accounts.test_accounts.CountingHasher"]
    CountingHasher.hashed.clear()
    return CountingHasher.hashed


@pytest.mark.parametrize(
    ("page", "form", "times"),
    [
        ("/accounts/signup/", FLORA, 1),
        ("/accounts/login/", {"password": "a guess"}, 1),
        ("/accounts/password/reset/", {}, 0),
        ("/accounts/login/code/", {}, 0),
    ],
)
def test_as_much_is_hashed_for_a_known_address_as_for_an_unknown(page, form, times, hashed, smtp):
    verified("Gustav")
    counts = []
    for address in ("gustav@example.org", "nobody@example.org"):
        hashed.clear()
        Client().post(page, form | {"email": address, "login": address})
        counts.append(len(hashed))
    assert counts == [times, times]


@pytest.mark.parametrize(
    ("page", "form"),
    [
        ("/accounts/email/", {"action_add": "1"}),
        ("/tables/{table}/invite/", {}),
    ],
)
def test_whoever_asks_about_an_address_of_others_waits_alike(page, form, hashed, smtp, settings):
    settings.ACCOUNT_REAUTHENTICATION_REQUIRED = False
    verified("Gustav")
    counts = []
    for address in ("gustav@example.org", "nobody@example.org"):
        host = verified(f"Host of {address.partition('@')[0]}".replace(" ", "-"))
        game = tables.open_table(host=host, settings=table_settings(), now=MONDAY)
        client = browser(host)
        hashed.clear()
        client.post(page.format(table=game.token), form | {"email": address, "addresses": address})
        counts.append(len(hashed))
    assert counts == [0, 0]


@pytest.mark.full
def test_the_pages_after_signing_up_are_alike_for_a_known_address_and_an_unknown(smtp, settings):
    verified("Gustav")
    text = []
    for address in ("gustav@example.org", "nobody@example.org"):
        client = Client()
        client.post("/accounts/signup/", FLORA | {"email": address})
        pages = [text_of(client.get("/accounts/confirm-email/"))]
        forms = forms_of(client.get("/accounts/confirm-email/").content.decode())
        pages.append(str(sorted(forms)))
        for sent in ({"action": "change", "email": f"new-{address}"}, {"code": "WRONG1"}):
            answer = client.post("/accounts/confirm-email/", sent)
            pages += [str(answer.status_code), answer.get("Location", ""), text_of(answer)]
        text.append([page.replace(address, "ADDRESS") for page in pages])
    assert text[0] == text[1]
    assert "Change" in text[0][0] or "change" in text[0][1] + text[0][0]


def test_who_mistyped_the_address_of_another_is_emailed_how_to_sign_up(client, smtp):
    verified("Gustav")
    client.post("/accounts/signup/", FLORA | {"email": "gustav@example.org"})
    client.post("/accounts/confirm-email/", {"action": "change", "email": "gustava@example.org"})
    assert smtp.messages[-1]["To"] == "gustava@example.org"
    assert "/accounts/signup/" in plain_text(smtp.messages[-1])
    assert "already have an account" not in plain_text(smtp.messages[-1])
    client.post("/accounts/confirm-email/", {"action": "change", "email": "Gustav@example.org"})
    assert "already have an account" in plain_text(smtp.messages[-1])


def test_password_managers_find_the_fields_of_the_sign_in(client):
    page = client.get("/accounts/login/").content.decode()
    login, password = (page.partition(f'name="{name}"')[2] for name in ("login", "password"))
    assert 'autocomplete="username"' in login.partition(">")[0]
    assert 'autocomplete="current-password"' in password.partition(">")[0]
