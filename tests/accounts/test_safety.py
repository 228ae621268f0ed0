"""What keeps an account safe: asking again, new session keys, codes that are good once and soon."""

import re
from datetime import timedelta
from http.cookies import SimpleCookie

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.test import Client
from django.utils import timezone

from games.models import User
from tests.accounts.test_second_factor import sign_in
from tests.support.client import all_forms, browser, text_of, verified
from tests.support.guests import arrive, keep
from tests.support.sent_emails import code_in

pytestmark = pytest.mark.django_db(transaction=True)

NEW = {"password1": "the priest is bribed", "password2": "the priest is bribed"}
SENSITIVE = {
    "address": ("/accounts/email/", {"email": "eve@example.org", "action_add": "1"}),
    "app": ("/accounts/2fa/totp/activate/", {"code": "123456"}),
    "passkey": ("/accounts/2fa/webauthn/add/", {"credential": "{}"}),
    "deletion": ("/accounts/delete/", {"name": "Rosa"}),
    "sessions": ("/accounts/sessions/", {"others": "1"}),
}
WITH_FACTOR = {
    "app off": ("/accounts/2fa/totp/deactivate/", {}),
    "recovery codes": ("/accounts/2fa/recovery-codes/", None),
    "recovery codes as a file": ("/accounts/2fa/recovery-codes/download/", None),
    "new recovery codes": ("/accounts/2fa/recovery-codes/generate/", {}),
}


def state_of(name: str) -> tuple[object, ...]:
    """What a thief of a session would change."""
    user = User.objects.get(name=name)
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    factors = Authenticator.objects.filter(user=user).values_list("pk", "data")
    return user.email, user.password, user.sessions_ended, [*addresses], [*factors]


def ask(client: Client, what: tuple[str, dict[str, str] | None]) -> str:
    """Try something dear; where one is led."""
    path, data = what
    return (client.get(path) if data is None else client.post(path, data))["Location"]


@pytest.mark.parametrize("what", SENSITIVE)
def test_a_session_alone_changes_nothing_dear(what):
    client = browser(verified("Rosa"))
    before = state_of("Rosa")
    assert ask(client, SENSITIVE[what]).startswith("/accounts/reauthenticate/")
    assert state_of("Rosa") == before


@pytest.mark.parametrize("what", WITH_FACTOR)
def test_a_session_alone_neither_sees_nor_changes_a_second_factor(what):
    rosa = verified("Rosa")
    TOTP.activate(rosa, generate_totp_secret())
    RecoveryCodes.activate(rosa)
    before = state_of("Rosa")
    assert ask(browser(rosa), WITH_FACTOR[what]).startswith("/accounts/reauthenticate/")
    assert state_of("Rosa") == before


def test_a_new_password_needs_the_old_one():
    client = browser(verified("Rosa"))
    before = state_of("Rosa")
    for old in ({}, {"oldpassword": ""}, {"oldpassword": "a guess"}):
        assert client.post("/accounts/password/change/", NEW | old).status_code == 200
    assert state_of("Rosa") == before


def test_showing_who_one_is_lasts_five_minutes():
    with time_machine.travel(timezone.now(), tick=False) as clock:
        verified("Rosa")
        client, _ = sign_in("Rosa")
        client.post("/accounts/reauthenticate/", {"password": "not so secret"})
        clock.shift(timedelta(seconds=299))
        assert client.get("/accounts/2fa/totp/activate/").status_code == 200
        clock.shift(timedelta(seconds=2))
        assert client.get("/accounts/2fa/totp/activate/").status_code == 302


class TestWithoutPassword:
    """Kept guests and people from a provider sign in again instead."""

    DEAR = SENSITIVE | {"first password": ("/accounts/password/set/", NEW)}

    @pytest.fixture
    def rosa(self):
        user = verified("Rosa")
        user.set_unusable_password()
        user.save()
        return user

    @pytest.mark.parametrize("what", DEAR)
    def test_a_session_alone_changes_nothing_dear(self, rosa, what):
        client = browser(rosa)
        before = state_of("Rosa")
        led = ask(client, self.DEAR[what])
        assert led == f"/accounts/sign-in-again/?next={self.DEAR[what][0].replace('/', '%2F')}"
        assert state_of("Rosa") == before

    @pytest.mark.full
    def test_they_sign_in_again_by_a_code_and_are_back_at_the_page(self, rosa, smtp):
        client = browser(rosa)
        page = client.get(client.post("/accounts/delete/", {"name": "Rosa"})["Location"])
        [out] = [fields for to, fields in all_forms(page.content.decode()) if "next" in fields]
        led = client.post("/accounts/logout/", {"next": out["next"].value})["Location"]
        assert led == "/accounts/login/?next=%2Faccounts%2Fdelete%2F"
        by_code = re.search(r'href="(/accounts/login/code/[^"]*)"', text_of_links(client, led))[1]
        sent = client.post(by_code, {"email": rosa.email})
        code = {"action": "verify", "code": code_in(smtp.messages[-1])}
        assert client.post(sent["Location"], code)["Location"] == "/accounts/delete/"
        client.post("/accounts/delete/", {"name": "Rosa"})
        assert not User.objects.exists()

    @pytest.mark.full
    def test_somebody_who_was_a_guest_has_no_way_around(self):
        client = Client()
        arrive(client)
        keep(client)
        answer = client.post("/accounts/delete/", {"name": "Nina"})
        assert answer["Location"].startswith("/accounts/sign-in-again/")
        assert User.objects.get().name == "Nina"


def text_of_links(client: Client, page: str) -> str:
    return client.get(page).content.decode()


def planted() -> Client:
    """A browser whose session key somebody else knows."""
    client = Client()
    client.post("/tables/abc/talk/", {"talk-text": "Hello"})
    assert client.session.session_key
    return client


def stranger_with(key: str) -> Client:
    client = Client()
    client.cookies = SimpleCookie({"sessionid": key})
    return client


def test_signing_in_gives_the_session_another_key(smtp):
    verified("Rosa")
    form = {"login": "rosa@example.org", "password": "not so secret"}
    by_password, by_code = planted(), planted()
    before = [client.session.session_key for client in (by_password, by_code)]
    by_password.post("/accounts/login/", form)
    by_code.post("/accounts/login/code/", {"email": "rosa@example.org"})
    code = {"action": "verify", "code": code_in(smtp.messages[-1])}
    by_code.post("/accounts/login/code/confirm/", code)
    for client, key in zip((by_password, by_code), before, strict=True):
        assert "_auth_user_id" in client.session
        assert client.session.session_key != key
        assert stranger_with(key).get("/accounts/profile/").status_code == 302


def test_signing_up_gives_the_session_another_key(smtp):
    client = planted()
    before = client.session.session_key
    form = {"email": "f@example.org", "password1": "a red scholar", "name": "F", "time_zone": "UTC"}
    client.post("/accounts/signup/", form)
    client.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    assert client.session.session_key != before
    assert stranger_with(before).get("/accounts/profile/").status_code == 302


@pytest.mark.full
def test_a_new_password_gives_this_session_another_key_and_ends_all_others():
    verified("Rosa")
    (here, _), (other, _) = sign_in("Rosa"), sign_in("Rosa")
    before = here.session.session_key
    here.post("/accounts/password/change/", NEW | {"oldpassword": "not so secret"})
    assert here.get("/accounts/profile/").status_code == 200
    assert here.session.session_key != before
    assert stranger_with(before).get("/accounts/profile/").status_code == 302
    assert other.get("/accounts/profile/").status_code == 302


def test_a_forgotten_password_that_is_replaced_ends_all_sessions(smtp):
    verified("Rosa")
    other, _ = sign_in("Rosa")
    client = Client()
    client.post("/accounts/password/reset/", {"email": "rosa@example.org"})
    client.post("/accounts/password/reset/confirm/", {"code": code_in(smtp.messages[-1])})
    client.post("/accounts/password/reset/complete/", NEW)
    assert client.get("/accounts/profile/").status_code == 200
    assert other.get("/accounts/profile/").status_code == 302


CODES = {
    "/accounts/login/code/": ("/accounts/login/code/confirm/", 3),
    "/accounts/password/reset/": ("/accounts/password/reset/confirm/", 3),
    "/accounts/signup/": ("/accounts/confirm-email/", 15),
}
FORM = {
    "email": "rosa@example.org",
    "password1": "a red scholar in Venice",
    "name": "Rosa",
    "time_zone": "UTC",
}


def asked_for_code(page: str, client: Client) -> None:
    if page != "/accounts/signup/" and not User.objects.exists():
        verified("Rosa")
    client.post(page, FORM)


def got_in(client: Client) -> bool:
    """Whether the code was taken: one is signed in, or may choose a new password."""
    may_choose = client.get("/accounts/password/reset/complete/").status_code == 200
    return "_auth_user_id" in client.session or may_choose


@pytest.mark.full
@pytest.mark.parametrize("page", CODES)
def test_a_code_is_good_until_its_time_is_over(smtp, page):
    confirm, minutes = CODES[page]
    with time_machine.travel(timezone.now(), tick=False) as clock:
        late = Client()
        asked_for_code(page, late)
        clock.shift(timedelta(minutes=minutes, seconds=1))
        late.post(confirm, {"code": code_in(smtp.messages[-1])})
        assert not got_in(late)
        User.objects.all().delete()
        early = Client()
        asked_for_code(page, early)
        clock.shift(timedelta(minutes=minutes, seconds=-1))
        early.post(confirm, {"code": code_in(smtp.messages[-1])})
        assert got_in(early)


@pytest.mark.full
@pytest.mark.parametrize("page", CODES)
def test_a_code_is_good_once_and_only_in_the_browser_that_asked(smtp, page):
    confirm, _ = CODES[page]
    client, other = Client(), Client()
    asked_for_code(page, client)
    code = {"action": "verify", "code": code_in(smtp.messages[-1])}
    other.post(confirm, code)
    assert not got_in(other)
    client.post(confirm, code)
    assert got_in(client)
    client.post("/accounts/logout/")
    client.cookies.clear()
    client.post(confirm, code)
    assert not got_in(client)
    asked_for_code("/accounts/login/code/", client)
    client.post("/accounts/login/code/confirm/", code)
    assert not got_in(client)


def test_with_a_new_code_the_one_before_is_void(smtp):
    client = Client()
    asked_for_code("/accounts/login/code/", client)
    first = code_in(smtp.messages[-1])
    client.post("/accounts/login/code/confirm/", {"action": "resend"})
    second = code_in(smtp.messages[-1])
    assert first != second
    client.post("/accounts/login/code/confirm/", {"action": "verify", "code": first})
    assert not got_in(client)
    client.post("/accounts/login/code/confirm/", {"action": "verify", "code": second})
    assert got_in(client)


@pytest.mark.full
@pytest.mark.parametrize("page", ["/accounts/login/code/", "/accounts/password/reset/"])
def test_asking_for_a_code_tells_nobody_who_has_an_account(smtp, page):
    verified("Gustav")
    banned = verified("Bella", is_active=False)
    read = []
    for address in ("gustav@example.org", "nobody@example.org", banned.email):
        client = Client()
        sent = client.post(page, {"email": address})
        asked = client.get(sent["Location"])
        wrong = client.post(CODES[page][0], {"action": "verify", "code": "WRONG1"})
        steps = (sent, asked, wrong)
        read.append(
            [(one.status_code, one.get("Location"), text_of(one)) for one in steps].__repr__()
            .replace(address, "ADDRESS")
        )  # fmt: skip
    assert read[0] == read[1] == read[2]
    assert [mail["To"] for mail in smtp.messages] == [
        "gustav@example.org", "nobody@example.org", "bella@example.org",
    ]  # fmt: skip


def test_a_wrong_password_tells_nobody_who_has_an_account():
    verified("Gustav")
    read = set()
    for address in ("gustav@example.org", "nobody@example.org"):
        form = {"login": address, "password": "a guess"}
        answer = Client().post("/accounts/login/", form)
        read.add((answer.status_code, text_of(answer).replace(address, "ADDRESS")))
    assert len(read) == 1
