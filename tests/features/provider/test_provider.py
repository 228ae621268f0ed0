"""Signing up and in with the accounts of a provider, connecting and disconnecting them."""

import logging
from contextlib import suppress

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client

from games.features.provider import asking
from games.features.provider.settings import Provider, provider_in
from games.models import User
from games.services import legal
from tests.accounts.test_codes import FLORA
from tests.features.provider.server import (
    NAME,
    address,
    at_the_provider,
    begin,
    come_back,
    offer,
    own_provider,
    query_of,
)
from tests.support.client import as_shown, browser, errors_of, forms_of, text_of, verified
from tests.support.legal import texts_in, write
from tests.support.sent_emails import code_in, plain_text
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db(transaction=True)

SIGN_UP = "/accounts/3rdparty/signup/"
CONNECTIONS = "/accounts/3rdparty/"
NINA = {"name": "Nina", "time_zone": "Europe/Vienna"}


@pytest.fixture
def provider(settings):
    with own_provider() as server:
        offer(settings, server)
        yield server


def signed_in_as(client: Client) -> User | None:
    return User.objects.filter(pk=client.session.get("_auth_user_id", 0)).first()


@pytest.mark.full
def test_nina_signs_up_with_the_address_that_the_provider_has_verified(provider, smtp):
    client = Client()
    assert f"Sign up with {NAME}" in text_of(client.get("/accounts/signup/"))
    response = come_back(client, provider, wanted="/tables/")
    assert response["Location"] == SIGN_UP
    page = client.get(SIGN_UP)
    shown = as_shown(forms_of(page.content.decode())[SIGN_UP])
    assert (shown["email"], shown["name"]) == ("nina@example.org", "")
    response = client.post(SIGN_UP, NINA | {"email": "somebody.else@example.org"})
    assert response["Location"] == "/tables/"
    nina = User.objects.get()
    assert (nina.email, nina.name, nina.time_zone) == (
        "nina@example.org", "Nina", "Europe/Vienna",
    )  # fmt: skip
    assert nina.name_key is not None
    assert not nina.has_usable_password()
    assert [(one.email, one.verified) for one in EmailAddress.objects.all()] == [
        ("nina@example.org", True)
    ]
    assert signed_in_as(client) == nina
    assert smtp.messages == []


def sign_up(provider) -> Client:
    client = Client()
    come_back(client, provider)
    client.post(SIGN_UP, NINA)
    return client


@pytest.mark.full
def test_of_what_the_provider_sends_only_the_identity_is_stored(provider):
    sign_up(provider)
    come_back(Client(), provider)
    kept = SocialAccount.objects.get()
    assert (kept.provider, kept.uid, kept.extra_data) == (provider.settings.key, "1", {})
    assert not SocialToken.objects.exists()


@pytest.mark.full
def test_she_signs_in_again_and_the_session_is_a_new_one(provider):
    sign_up(provider)
    client = Client()
    client.post("/tables/abc/talk/", {"talk-text": "Hello"})
    before = client.session.session_key
    assert come_back(client, provider, wanted="/accounts/profile/")["Location"] == (
        "/accounts/profile/"
    )
    assert signed_in_as(client).name == "Nina"
    assert client.session.session_key != before


@pytest.mark.full
def test_a_person_who_has_an_account_with_the_address_signs_in_first_and_connects_it(provider):
    verified("Nina")
    client = Client()
    led = come_back(client, provider)["Location"]
    assert led == "/accounts/login/?next=%2Faccounts%2F3rdparty%2F"
    page = text_of(client.get(led))
    assert "There's already an account with the address nina@example.org." in page
    assert (signed_in_as(client), SocialAccount.objects.count()) == (None, 0)
    form = {"login": "nina@example.org", "password": "not so secret", "next": CONNECTIONS}
    assert client.post("/accounts/login/", form)["Location"] == CONNECTIONS
    response = come_back(client, provider, "connect")
    assert response["Location"] == "/accounts/reauthenticate/"
    response = client.post(response["Location"], {"password": "not so secret"})
    assert response["Location"] == CONNECTIONS
    page = text_of(client.get(CONNECTIONS))
    assert "Your accounts are now connected." in page
    assert "has been connected since" in page
    assert User.objects.count() == 1
    other = Client()
    come_back(other, provider)
    assert signed_in_as(other).name == "Nina"


@pytest.mark.long(after=2)
@pytest.mark.full
@pytest.mark.parametrize("verified_there", [False, "false", None, "yes", 0])
def test_an_address_that_the_provider_has_not_verified_is_emailed_a_code(
    provider, smtp, verified_there
):
    provider.somebody["email_verified"] = verified_there
    client = Client()
    come_back(client, provider)
    response = client.post(SIGN_UP, NINA | {"email": "Nina@Example.org"})
    assert response["Location"] == "/accounts/confirm-email/"
    assert signed_in_as(client) is None
    assert not EmailAddress.objects.get().verified
    response = client.post(response["Location"], {"code": code_in(smtp.messages[-1])})
    assert response["Location"] == "/"
    assert signed_in_as(client).email == "nina@example.org"


@pytest.mark.full
def test_nobody_learns_by_an_unverified_address_who_has_an_account(provider, smtp):
    verified("Nina")
    texts = []
    for number, local in enumerate(("nina", "nobody"), 2):
        provider.somebody = {"sub": str(number), "email": f"{local}@example.org"}
        client = Client()
        assert come_back(client, provider)["Location"] == SIGN_UP
        form = {"email": f"{local}@example.org", "name": f"Nr {number}", "time_zone": "UTC"}
        response = client.post(SIGN_UP, form, follow=True)
        texts.append(text_of(response).replace(local, "LOCAL"))
    assert texts[0] == texts[1]
    first, second = smtp.messages
    assert "already have an account" in plain_text(first)
    assert "already have an account" not in plain_text(second)
    assert not SocialAccount.objects.filter(user__name="Nina").exists()


@pytest.mark.full
def test_a_provider_without_addresses_asks_for_one(provider, smtp):
    provider.somebody = {"sub": "7"}
    client = Client()
    come_back(client, provider)
    assert errors_of(client.post(SIGN_UP, NINA)) == {"email": ["This field is required."]}
    response = client.post(SIGN_UP, NINA | {"email": "nina@example.org"})
    assert response["Location"] == "/accounts/confirm-email/"
    assert smtp.messages[-1]["To"] == "nina@example.org"


@pytest.mark.full
def test_a_taken_name_is_refused_and_nothing_is_lost(provider):
    verified("Clara")
    client = Client()
    come_back(client, provider)
    page = client.post(SIGN_UP, NINA | {"name": "CLARA"})
    assert "already taken" in str(errors_of(page))
    assert 'value="CLARA"' in page.content.decode()
    assert client.post(SIGN_UP, NINA)["Location"] == "/"


@pytest.mark.full
def test_where_people_are_invited_the_address_or_the_link_has_to_be(provider, settings):
    settings.SIGN_UP = "invited"
    game = open_table("Anna", size=3)
    invite = lambda email: game.invitations.create(  # noqa: E731
        email=email, invited_by=game.host, created_at=game.created_at
    )
    invitation = invite("other@example.org")
    client = Client()
    come_back(client, provider)
    refused = client.post(SIGN_UP, NINA)
    assert "Only people who were invited to a table" in str(errors_of(refused))
    come_back(client, provider, wanted=invitation.get_absolute_url())
    assert client.post(SIGN_UP, NINA)["Location"] == invitation.get_absolute_url()
    provider.somebody = {"sub": "2", "email": "gina@example.org", "email_verified": True}
    invite("gina@example.org")
    client = Client()
    come_back(client, provider)
    assert client.post(SIGN_UP, NINA | {"name": "Gina"})["Location"] == "/"


@pytest.mark.full
def test_disconnecting_needs_a_password_to_be_left_and_the_password_again(provider):
    client = sign_up(provider)
    refused = client.post(CONNECTIONS, {"account": SocialAccount.objects.get().pk})
    assert refused.status_code == 422
    assert "Please choose a password first" in text_of(refused)
    assert "/accounts/password/set/" in refused.content.decode()
    new = {"password1": "the priest is bribed", "password2": "the priest is bribed"}
    client.post("/accounts/password/set/", new)
    form = {"account": SocialAccount.objects.get().pk}
    response = client.post(CONNECTIONS, form)
    assert response["Location"].startswith("/accounts/reauthenticate/")
    assert SocialAccount.objects.exists()
    client.post(response["Location"], {"password": "the priest is bribed"})
    assert not SocialAccount.objects.exists()
    assert "Your accounts are no longer connected." in text_of(client.get(CONNECTIONS))
    assert come_back(Client(), provider)["Location"].startswith("/accounts/login/")


@pytest.mark.full
def test_nobody_disconnects_or_takes_the_account_of_another(provider):
    sign_up(provider)
    verified("Eve")
    eve = Client()
    eve.post("/accounts/login/", {"login": "eve@example.org", "password": "not so secret"})
    eve.post("/accounts/reauthenticate/", {"password": "not so secret"})
    eve.post(CONNECTIONS, {"account": SocialAccount.objects.get().pk})
    response = come_back(eve, provider, "connect")
    assert "already connected to another account" in text_of(eve.get(response["Location"]))
    assert SocialAccount.objects.get().user.name == "Nina"


@pytest.mark.full
def test_the_second_factor_and_a_ban_hold_here_too(provider):
    sign_up(provider)
    TOTP.activate(User.objects.get(), generate_totp_secret())
    client = Client()
    assert come_back(client, provider)["Location"] == "/accounts/2fa/authenticate/"
    assert signed_in_as(client) is None
    User.objects.update(is_active=False)
    assert come_back(Client(), provider)["Location"] == "/accounts/inactive/"


@pytest.mark.full
def test_a_get_leads_nowhere_and_a_strange_page_is_never_led_to(provider):
    client = Client()
    page = client.get(f"{address(provider)}?process=login")
    assert page.status_code == 200
    assert f"You'll be taken to {NAME}" in text_of(page)
    sign_up(provider)
    assert come_back(Client(), provider, wanted="https://elsewhere.test/")["Location"] == "/"


@pytest.mark.full
def test_a_response_counts_once_and_only_in_the_browser_that_requested_it(provider):
    sign_up(provider)
    client, other = Client(), Client()
    back = at_the_provider(begin(client, provider))
    assert other.get(back).status_code == 401
    assert signed_in_as(other) is None
    client.get(back)
    client.post("/accounts/logout/")
    assert client.get(back).status_code == 401
    forged = back.replace(query_of(back)["state"], "x" * 16)
    assert client.get(forged).status_code == 401
    assert signed_in_as(client) is None


def test_turning_back_at_the_provider_is_no_fault(provider):
    client = Client()
    state = query_of(begin(client, provider))["state"]
    back = f"{address(provider)}callback/?error=access_denied&state={state}"
    response = client.get(back, follow=True)
    assert "You cancelled before you were signed in." in text_of(response)


BROKEN = ["/.well-known/openid-configuration", "/token", "/userinfo"]


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", BROKEN)
def test_a_provider_that_is_broken_is_no_fault_of_the_site(provider, part, caplog):
    client = Client()
    back = at_the_provider(begin(client, provider)) if part != BROKEN[0] else address(provider)
    provider.broken.add(part)
    with caplog.at_level(logging.WARNING):
        response = client.get(back) if part != BROKEN[0] else client.post(back)
    assert response.status_code == 401
    assert f"We couldn't sign you in with {NAME}." in text_of(response)
    assert f"Signing in with {NAME} failed" in caplog.text
    assert "only these two know it" not in caplog.text


@pytest.mark.full
@pytest.mark.parametrize("part", BROKEN)
def test_a_response_of_more_than_a_megabyte_is_not_read(provider, part, caplog):
    def signs_in(length):
        provider.padded = {part: length}
        client = Client()
        begun = client.post(address(provider))
        if begun.status_code == 401:
            return False
        response = client.get(at_the_provider(begun["Location"]))
        return response.headers.get("Location") == SIGN_UP

    assert signs_in(1_000_000)
    with caplog.at_level(logging.WARNING):
        assert not signs_in(1_000_001)
    assert f"Signing in with {NAME} failed: its answer is too long" in caplog.text


INSIDE_THE_NETWORK = (
    "https://127.0.0.1:{port}", "https://localhost:{port}", "https://10.0.0.1", "https://[::1]",
    "https://169.254.169.254", "https://192.168.0.1", "https://[::ffff:10.0.0.1]",
)  # fmt: skip


@pytest.mark.parametrize("place", INSIDE_THE_NETWORK)
def test_no_part_of_a_provider_is_inside_the_network(provider, settings, place):
    settings.OIDC_MAY_BE_LOCAL = False
    with pytest.raises(asking.requests.RequestException, match="which is not public"):
        asking.session().get(place.format(port=provider.server_port))
    assert provider.requested == []


@pytest.mark.parametrize("place", ["http://localhost:{port}", "http://example.org", "ftp://x.org"])
def test_every_part_of_a_provider_speaks_https(provider, settings, place):
    settings.OIDC_MAY_BE_LOCAL = False
    with pytest.raises(asking.requests.RequestException, match="No connection adapters"):
        asking.session().get(place.format(port=provider.server_port))
    assert provider.requested == []


@pytest.mark.full
@pytest.mark.parametrize("part", ["token_endpoint", "userinfo_endpoint"])
def test_a_configuration_that_points_inside_leads_nowhere(provider, part, caplog):
    """Not even where the provider itself may be on this machine."""
    provider.changed[part] = "https://10.0.0.1/latest/"
    client = Client()
    with caplog.at_level(logging.WARNING):
        assert client.get(at_the_provider(begin(client, provider))).status_code == 401
    assert "10.0.0.1, which is not public" in caplog.text
    assert signed_in_as(client) is None


def test_redirects_are_not_followed(provider):
    response = asking.session().get(
        f"{provider.url}/authorize?client_id=intrigue&response_type=code&scope=openid&state=1"
        f"&code_challenge=x&code_challenge_method=S256&redirect_uri={provider.url}/elsewhere"
    )
    assert response.status_code == 302
    assert provider.requested == ["/authorize"]


def test_where_there_is_none_nothing_is_shown():
    rosa = browser(verified("Rosa"))
    for client, page in (
        (Client(), "/accounts/login/"), (Client(), "/accounts/signup/"),
        (rosa, "/accounts/profile/"),
    ):  # fmt: skip
        html = client.get(page).content.decode()
        assert "/accounts/oidc/" not in html
        assert CONNECTIONS not in html
    assert rosa.get(CONNECTIONS).status_code == 404
    assert Client().get(SIGN_UP)["Location"] == "/accounts/login/"
    assert Client().post("/accounts/oidc/made-up/login/").status_code == 404


def test_the_policy_for_forms_names_the_provider_alone(provider):
    assert "form-action 'self';" in Client().get("/accounts/login/")["Content-Security-Policy"]
    assert Provider("Guild", "https://login.example.org/realms/a", "x", "y").origin == (
        "https://login.example.org"
    )


COMPLETE = {
    "OIDC_NAME": "Guild",
    "OIDC_URL": "https://login.example.org/realms/Guild/",
    "OIDC_CLIENT_ID": "intrigue",
    "OIDC_CLIENT_SECRET": "$secret",
}


def test_the_environment_names_a_provider_or_none():
    assert provider_in({}, may_be_local=False) is None
    found = provider_in(COMPLETE, may_be_local=False)
    assert found == ("Guild", "https://login.example.org/realms/Guild", "intrigue", "$secret")
    assert found.key == "login.example.org-realms-guild"


@pytest.mark.parametrize("missing", COMPLETE)
def test_half_a_provider_is_refused(missing):
    with pytest.raises(ImproperlyConfigured, match=f"^{missing} must be set too"):
        provider_in(COMPLETE | {missing: ""}, may_be_local=False)


NOT_HTTPS = "OIDC_URL must be the https address of the provider"
INSIDE = "OIDC_URL must be a public address"


@pytest.mark.parametrize(
    ("url", "refusal"),
    [
        ("http://login.example.org", NOT_HTTPS),
        ("login.example.org", NOT_HTTPS),
        ("https://", NOT_HTTPS),
        ("https://me:secret@login.example.org", NOT_HTTPS),
        ("https://login.example.org/?realm=a", NOT_HTTPS),
        ("https://login.example.org:port", NOT_HTTPS),
        ("http://localhost:9000", NOT_HTTPS),
        ("https://localhost:9000", INSIDE),
        ("https://127.0.0.1", INSIDE),
        ("https://10.1.2.3", INSIDE),
        ("https://192.168.1.1/realms/a", INSIDE),
        ("https://169.254.169.254", INSIDE),
        ("https://[::1]", INSIDE),
        ("https://[fd00::1]", INSIDE),
    ],
)
def test_an_address_that_is_none_or_inside_the_network_is_refused(url, refusal):
    with pytest.raises(ImproperlyConfigured, match=f"^{refusal}") as said:
        provider_in(COMPLETE | {"OIDC_URL": url}, may_be_local=False)
    assert "secret" not in str(said.value)


def test_on_this_machine_only_where_it_is_tried_out():
    local = COMPLETE | {"OIDC_URL": "http://localhost:9000"}
    assert provider_in(local, may_be_local=True).url == "http://localhost:9000"
    with pytest.raises(ImproperlyConfigured, match=f"^{NOT_HTTPS}"):
        provider_in(COMPLETE | {"OIDC_URL": "http://10.0.0.1"}, may_be_local=True)


@pytest.mark.full
@pytest.mark.slow
def test_the_doctor_tries_it_and_says_where_it_sends_people_back(settings, capsys, monkeypatch):
    for name in ("PING_SECONDS", "PATIENCE_SECONDS"):
        monkeypatch.setattr(f"games.services.operations.doctor.workers.{name}", 0.1)

    def lines() -> list[str]:
        with suppress(SystemExit):
            call_command("doctor", no_web=True)
        return [line for line in capsys.readouterr().out.splitlines() if "Signing in" in line]

    assert lines() == []
    with own_provider() as server:
        offer(settings, server)
        back = f"{settings.SITE_URL}/accounts/oidc/{settings.PROVIDER.key}/login/callback/"
        well = f"✓ Signing in with Guild: it answers. It has to send people back to {back}"
        assert lines() == [well]
        server.changed = {"authorization_endpoint": "https://elsewhere.example.org/"}
        assert "its page is at elsewhere.example.org" in lines()[0]
        server.changed = {"issuer": "https://elsewhere.example.org"}
        assert "OIDC_URL must be its issuer, https://elsewhere.example.org." in lines()[0]
        settings.OIDC_MAY_BE_LOCAL = False
        assert lines()[0].startswith("✗ Signing in with Guild: it can't be asked: ")


@pytest.mark.full
def test_a_person_who_comes_from_it_gets_rid_of_another_ones_password(provider, smtp):
    boris = Client()
    password = "the doge is broke"
    boris.post("/accounts/signup/", FLORA | {"email": "nina@example.org", "password1": password})
    come_back(Client(), provider)
    assert not User.objects.get().has_usable_password()
    boris.post("/accounts/login/", {"login": "nina@example.org", "password": password})
    assert "_auth_user_id" not in boris.session


@pytest.mark.full
def test_a_person_who_comes_from_it_accepts_the_terms(provider, settings, tmp_path):
    with texts_in(settings, tmp_path) as folder:
        write(folder, terms="Be kind.", privacy="We keep little.")
        client = Client()
        come_back(client, provider)
        refused = client.post(SIGN_UP, NINA)
        assert errors_of(refused) == {"accepts": ["Please read these pages and tick this box."]}
        client.post(SIGN_UP, NINA | {"accepts": "on"})
        assert User.objects.get().accepted_terms == legal.version()


@pytest.mark.full
def test_a_person_with_nothing_else_signs_in_again_before_they_connect_it(provider):
    rosa = verified("Rosa")
    rosa.set_unusable_password()
    rosa.save()
    led = come_back(browser(rosa), provider, "connect")["Location"]
    assert led == "/accounts/sign-in-again/?next=%2Faccounts%2F3rdparty%2F"
    assert not SocialAccount.objects.exists()
