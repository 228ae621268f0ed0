"""Passkeys: adding, naming and removing them, signing in, and as the second factor."""

import json
from base64 import urlsafe_b64encode

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from games.models import User
from tests.accounts.test_second_factor import sign_in as give_password
from tests.support import passkeys
from tests.support.client import browser, errors_of, person, text_of, verified
from tests.support.passkeys import ADD, LIST, SIGN_IN, Device, asked_on, asked_to_sign_in
from tests.support.sent_emails import code_in

pytestmark = pytest.mark.django_db(transaction=True)

NOT_ACCEPTED = "That passkey wasn't accepted. Please try again or use another method."


def with_password(name: str, **more: object) -> Client:
    """Somebody's browser that has just given the password."""
    verified(name, **more)
    client, _ = give_password(name)
    client.post("/accounts/reauthenticate/", {"password": "not so secret"})
    return client


def kept() -> list[str]:
    """The names of all passkeys."""
    own = Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN)
    return [one.wrap().name for one in own.order_by("pk")]


@pytest.mark.full
def test_rosa_adds_a_passkey_gets_recovery_codes_and_signs_in_with_it():
    client, device = with_password("Rosa"), Device()
    page = text_of(client.get(ADD))
    assert "also need the passkey, or one of the recovery codes" in page
    assert passkeys.add(client, device, "My phone")["Location"] == "/accounts/2fa/recovery-codes/"
    assert kept() == ["My phone"]
    assert "10 unused codes" in text_of(client.get(LIST))
    elsewhere = Client()
    answer = passkeys.sign_in(elsewhere, device, next="/accounts/profile/")
    assert answer["Location"] == "/accounts/profile/"
    assert elsewhere.session["_auth_user_id"] == str(User.objects.get().pk)


def test_a_passkey_is_asked_for_with_the_finger_or_pin_of_its_owner_and_for_this_host():
    client = with_password("Rosa")
    made = asked_on(client.get(ADD))["publicKey"]
    assert made["rp"] == {"id": "localhost", "name": "Intrigue"}
    assert made["authenticatorSelection"]["residentKey"] == "required"
    assert made["authenticatorSelection"]["userVerification"] == "required"
    asked = asked_to_sign_in(Client())["publicKey"]
    assert (asked["rpId"], asked["userVerification"]) == ("localhost", "required")
    assert not asked.get("allowCredentials")  # it tells nobody who has one


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "device",
    [
        Device(verified=False),
        Device(host="elsewhere.test"),
        Device(origin="https://elsewhere.test"),
    ],
    ids=["nobody shown", "other host", "other page"],
)
def test_what_was_made_without_its_owner_or_elsewhere_is_refused(device):
    client = with_password("Rosa")
    refused = passkeys.add(client, device)
    assert NOT_ACCEPTED in text_of(refused)
    assert kept() == []


@pytest.mark.full
@pytest.mark.parametrize(
    "changed",
    [{"verified": False}, {"host": "elsewhere.test"}, {"origin": "https://elsewhere.test"}],
)
def test_a_passkey_shown_without_its_owner_or_elsewhere_opens_nothing(changed):
    client, device = with_password("Rosa"), Device()
    passkeys.add(client, device)
    for name, value in changed.items():
        setattr(device, name, value)
    other = Client()
    answer = passkeys.sign_in(other, device, next="/tables/")
    assert answer["Location"] == "/accounts/login/?next=%2Ftables%2F"
    assert NOT_ACCEPTED in text_of(other.get(answer["Location"]))
    assert "_auth_user_id" not in other.session


@pytest.mark.full
def test_an_answer_is_good_once():
    client, device = with_password("Rosa"), Device()
    passkeys.add(client, device)
    other = Client()
    shown = device.show(asked_to_sign_in(other))
    other.post(SIGN_IN, {"credential": shown})
    other.post("/accounts/logout/")
    other.post(SIGN_IN, {"credential": shown})
    assert "_auth_user_id" not in other.session
    asked_to_sign_in(other)
    other.post(SIGN_IN, {"credential": shown})
    assert "_auth_user_id" not in other.session


@pytest.mark.full
def test_the_passkey_of_another_opens_only_their_account():
    client, device = with_password("Rosa"), Device()
    passkeys.add(client, device)
    eve, own = with_password("Eve"), Device()
    passkeys.add(eve, own)
    own.owner = device.owner
    other = Client()
    passkeys.sign_in(other, own)
    assert "_auth_user_id" not in other.session


def _with_authenticator_data(extensions):
    """An answer whose authenticator adds these extensions, in CBOR."""
    data = urlsafe_b64encode(bytes(32) + b"\x80" + bytes(4) + extensions).decode().rstrip("=")
    response = {"clientDataJSON": "e30", "authenticatorData": data, "signature": "e30"}
    answer = {"id": "eA", "rawId": "eA", "type": "public-key"}
    return json.dumps({**answer, "response": {**response, "userHandle": "eA"}})


MADE_UP = [
    "", "{}", "[]", "5", "null", '"text"', "{",
    json.dumps({"id": "x"}),
    json.dumps({"id": "x", "rawId": "x", "type": "public-key", "response": {}}),
    json.dumps({"id": 1, "rawId": 2, "type": 3, "response": {"userHandle": 4}}),
    json.dumps({"id": "eA", "rawId": "eA", "type": "public-key", "response": {
        "clientDataJSON": "e30", "attestationObject": "e30", "authenticatorData": "e30",
        "signature": "e30", "userHandle": "_-"}}),
    *(_with_authenticator_data(end) for end in (b"", b"\x9a", b"\x7f", b"\xfb\0", b"\xff")),
    "[" * 20_000, "[" * 400_000, "9" * 5_000, f'{{"id": {"9" * 5_000}}}',
    _with_authenticator_data(b"\x81" * 10_000), _with_authenticator_data(b"\x81" * 300_000),
    _with_authenticator_data(b"\x9a\0\3\0\0" + b"\0" * 300_000),
]  # fmt: skip


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize("made_up", MADE_UP)
@pytest.mark.parametrize("asked", [False, True])
def test_a_made_up_answer_is_refused_wherever_one_is_taken(made_up, asked):
    client, device = with_password("Rosa"), Device()
    passkeys.add(client, device)
    second, location = give_password("Rosa")
    pages = {
        Client(): SIGN_IN, second: location, client: ADD,
        browser(User.objects.get()): "/accounts/2fa/webauthn/reauthenticate/",
    }  # fmt: skip
    for one, page in pages.items():
        if asked:
            one.get(page, headers={"Accept": "application/json"} if page == SIGN_IN else None)
        answer = one.post(page, {"credential": made_up, "name": ""})
        assert answer.status_code in {200, 302}, page
    assert len(kept()) == 1


@pytest.mark.full
def test_with_a_passkey_the_password_alone_opens_nothing():
    client, device = with_password("Rosa"), Device()
    passkeys.add(client, device)
    other, location = give_password("Rosa", "/accounts/profile/")
    assert location == "/accounts/2fa/authenticate/"
    shown = device.show(asked_on(other.get(location)))
    assert other.post(location, {"credential": shown})["Location"] == "/accounts/profile/"
    other, location = give_password("Rosa")
    [code, *_] = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()
    assert other.post(location, {"code": code})["Location"] == "/"


@pytest.mark.full
def test_an_emailed_code_opens_nothing_alone_either(smtp):
    passkeys.add(with_password("Rosa"), Device())
    other = Client()
    other.post("/accounts/login/code/", {"email": "rosa@example.org"})
    code = {"action": "verify", "code": code_in(smtp.messages[-1])}
    answer = other.post("/accounts/login/code/confirm/", code)
    assert answer["Location"] == "/accounts/2fa/authenticate/"
    assert "_auth_user_id" not in other.session


@pytest.mark.full
def test_a_new_passkey_ends_all_other_sessions_and_changes_the_key_of_this_one():
    client = with_password("Rosa")
    other, _ = give_password("Rosa")
    before = client.session.session_key
    passkeys.add(client, Device())
    assert client.session.session_key != before
    assert client.get("/accounts/profile/").status_code == 200
    assert other.get("/accounts/profile/").status_code == 302


@pytest.mark.full
@pytest.mark.parametrize("rest", ["add/", "keys/{pk}/edit/", "keys/{pk}/remove/"])
def test_the_password_or_a_factor_is_asked_for_before_passkeys_change(rest):
    client = with_password("Rosa")
    passkeys.add(client, Device())
    page = f"/accounts/2fa/webauthn/{rest}".format(pk=Authenticator.objects.first().pk)
    later = browser(User.objects.get())
    for answer in (later.get(page), later.post(page, {"name": "Mine", "credential": "{}"})):
        assert answer["Location"].startswith("/accounts/reauthenticate/?next=")
    assert kept() == ["Passkey 1"]


@pytest.mark.full
def test_a_passkey_confirms_who_it_is():
    client, device = with_password("Rosa"), Device()
    passkeys.add(client, device)
    later = browser(User.objects.get())
    asked = later.get("/accounts/2fa/webauthn/reauthenticate/?next=/accounts/2fa/webauthn/add/")
    shown = {"credential": device.show(asked_on(asked)), "next": ADD}
    answer = later.post("/accounts/2fa/webauthn/reauthenticate/", shown)
    assert answer["Location"] == ADD
    assert later.get(ADD).status_code == 200
    refused = later.post("/accounts/2fa/webauthn/reauthenticate/", shown)
    assert NOT_ACCEPTED in text_of(refused)


@pytest.mark.full
def test_rosa_names_and_removes_her_passkeys_and_nobody_elses():
    client, device = with_password("Rosa"), Device()
    passkeys.add(client, device)
    passkeys.add(client, Device(), "My key")
    assert kept() == ["Passkey 1", "My key"]
    first = Authenticator.objects.get(data__name="Passkey 1").pk
    page = f"/accounts/2fa/webauthn/keys/{first}/"
    assert client.post(f"{page}edit/", {"name": "x" * 41}).status_code == 200
    client.post(f"{page}edit/", {"name": "My <b>phone</b>"})
    assert "My &lt;b&gt;phone&lt;/b&gt;" in client.get(LIST).content.decode()
    eve = with_password("Eve")
    for act in ("edit/", "remove/"):
        assert eve.post(page + act, {"name": "Mine"}).status_code == 404
    assert "any more" in text_of(client.get(f"{page}remove/"))
    answer = client.post(f"{page}remove/", follow=True)
    assert "The passkey has been removed." in text_of(answer)
    assert kept() == ["My key"]
    other = Client()
    passkeys.sign_in(other, device)
    assert "_auth_user_id" not in other.session


@pytest.mark.full
def test_the_recovery_codes_go_with_the_last_passkey():
    client = with_password("Rosa")
    passkeys.add(client, Device())
    client.post(f"/accounts/2fa/webauthn/keys/{Authenticator.objects.first().pk}/remove/")
    assert not Authenticator.objects.exists()
    client, location = give_password("Rosa")
    assert location == "/"


@pytest.mark.full
def test_a_moderator_with_a_passkey_opens_the_admin_and_without_is_told_how(settings):
    settings.STAFF_NEED_SECOND_FACTOR = True
    client, device = with_password("Marta", is_staff=True, is_superuser=True), Device()
    assert client.get("/admin/")["Location"] == LIST
    assert ADD in client.get(LIST).content.decode()
    passkeys.add(client, device)
    assert client.get("/admin/").status_code == 200
    other = Client()
    passkeys.sign_in(other, device)
    assert other.get("/admin/").status_code == 200
    unshown = browser(User.objects.get())
    asked = unshown.get("/admin/games/game/")["Location"]
    assert asked == "/accounts/2fa/webauthn/reauthenticate/?next=%2Fadmin%2Fgames%2Fgame%2F"
    shown = {"credential": device.show(asked_on(unshown.get(asked))), "next": "/admin/"}
    assert unshown.post(asked, shown)["Location"] == "/admin/"
    assert unshown.get("/admin/").status_code == 200


@pytest.mark.full
def test_who_needs_a_second_factor_sets_up_a_passkey_and_keeps_the_last_one():
    client, device = with_password("Rosa", needs_second_factor=True), Device()
    assert client.get("/tables/")["Location"] == LIST
    assert client.get(LIST).status_code == 200
    passkeys.add(client, device)
    assert client.get("/tables/").status_code == 200
    page = "/accounts/2fa/webauthn/keys/{}/remove/"
    first = page.format(Authenticator.objects.get(type="webauthn").pk)
    answer = client.post(first, follow=True)
    assert "add another passkey or an authenticator app before you remove this one." in text_of(
        answer
    )
    passkeys.add(client, Device())
    client.post(first)
    assert kept() == ["Passkey 2"]


def test_who_has_a_factor_adds_another_only_after_showing_it():
    client, device = with_password("Rosa", needs_second_factor=True), Device()
    passkeys.add(client, device)
    unshown = browser(User.objects.get())
    assert unshown.get(ADD)["Location"].startswith("/accounts/2fa/webauthn/reauthenticate/")


def test_somebody_banned_or_unconfirmed_does_not_come_in_by_a_passkey():
    client, device = with_password("Rosa"), Device()
    passkeys.add(client, device)
    User.objects.update(is_active=False)
    other = Client()
    assert passkeys.sign_in(other, device)["Location"] == "/accounts/inactive/"
    assert "_auth_user_id" not in other.session


def test_nobody_signs_up_with_a_passkey(client):
    assert client.get("/accounts/2fa/webauthn/signup/").status_code == 404
    assert client.get("/accounts/signup/passkey/").status_code in {404, 302}


def test_without_javascript_the_page_says_so_and_offers_the_other_ways(client):
    page = client.get("/accounts/login/")
    text = text_of(page)
    assert "A script on this page isn't running: JavaScript is off, or something" in text
    assert "Email me a code instead" in text
    assert '<button class="quiet" hidden>Sign in with a passkey</button>' in page.content.decode()


def test_a_guest_has_no_passkeys():
    client = Client()
    client.post("/first-game/")
    assert client.get(ADD)["Location"] == "/keep/"


def test_errors_of_a_name_stand_at_the_name():
    client, device = with_password("Rosa"), Device()
    answer = passkeys.add(client, device, "x" * 41)
    assert errors_of(answer) == {
        "name": ["Ensure this value has at most 40 characters (it has 41)."]
    }
    assert person("Eve").pk
