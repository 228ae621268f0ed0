"""Boris signs up with Anna's address, where he can't read email. She shows that it is hers."""

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from games.models import SignIn, User
from games.services.people.addresses import with_address
from tests.accounts.test_codes import FLORA, fill_in
from tests.support.client import browser, person, text_of, verified
from tests.support.sent_emails import code_in

pytestmark = pytest.mark.django_db(transaction=True)

HIS_PASSWORD = "the doge is broke"
ANNA = FLORA | {"email": "anna@example.org", "name": "Anna", "password1": HIS_PASSWORD}


@pytest.fixture
def his(smtp):
    """The browser of Boris, who has signed up and can't enter the code."""
    client = Client()
    assert client.post("/accounts/signup/", ANNA)["Location"] == "/accounts/confirm-email/"
    del smtp.messages[:]
    return client


def signs_in(client, password=HIS_PASSWORD):
    client.post("/accounts/login/", {"login": ANNA["email"], "password": password})
    return "_auth_user_id" in client.session


def by_code(client, smtp):
    client.post("/accounts/login/code/", {"email": ANNA["email"]})
    code = code_in(smtp.messages[-1])
    return client.post("/accounts/login/code/confirm/", {"action": "verify", "code": code})


@pytest.mark.full
def test_whoever_signs_in_by_a_emailed_code_gets_rid_of_another_ones_password(his, smtp):
    hers = Client()
    by_code(hers, smtp)
    anna = User.objects.get()
    assert hers.session["_auth_user_id"] == str(anna.pk)
    assert "This account's old password no longer works" in text_of(hers.get("/"))
    assert "_auth_user_id" in hers.session
    assert not anna.has_usable_password()
    assert not signs_in(his)
    assert EmailAddress.objects.get().verified


@pytest.mark.full
def test_whoever_sets_a_new_password_gets_rid_of_another_ones(his, smtp):
    hers = Client()
    reset = "/accounts/password/reset/"
    sent = fill_in(hers, reset, reset, email=ANNA["email"])
    confirm = f"{reset}confirm/"
    sent = fill_in(hers, sent["Location"], confirm, code=code_in(smtp.messages[-1]))
    assert not signs_in(Client())
    new = {"password1": "the priest is bribed", "password2": "the priest is bribed"}
    hers.get(sent["Location"])
    fill_in(hers, sent["Location"], f"{reset}complete/", **new)
    assert "_auth_user_id" in hers.session
    assert not signs_in(his)
    assert signs_in(Client(), "the priest is bribed")


@pytest.mark.full
def test_another_one_cannot_correct_the_address_afterwards(his, smtp):
    by_code(Client(), smtp)
    User.objects.update(last_login=None)
    his.post("/accounts/confirm-email/", {"action": "change", "email": "boris@example.org"})
    assert User.objects.get().email == "anna@example.org"
    assert [one.email for one in EmailAddress.objects.all()] == ["anna@example.org"]


def test_another_ones_connection_to_a_provider_ends_too(his, smtp):
    anna = User.objects.get()
    SocialAccount.objects.create(user=anna, provider="guild", uid="7")
    by_code(Client(), smtp)
    assert not SocialAccount.objects.exists()


def test_the_sessions_of_a_stranger_end(his, smtp):
    anna = User.objects.get()
    his.force_login(anna)
    by_code(Client(), smtp)
    assert his.get("/accounts/profile/").status_code == 302


def test_whoever_enters_the_code_where_they_signed_up_keeps_their_password(smtp):
    client = Client()
    client.post("/accounts/signup/", ANNA)
    client.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    anna = with_address(ANNA["email"])
    assert anna.check_password(HIS_PASSWORD)
    by_code(Client(), smtp)
    anna.refresh_from_db()
    assert anna.check_password(HIS_PASSWORD)


def test_whoever_knows_the_password_may_enter_the_code_elsewhere(his, smtp):
    """Anna has signed up herself, and closed the page."""
    client = Client()
    client.post("/accounts/login/", {"login": ANNA["email"], "password": HIS_PASSWORD})
    client.post("/accounts/confirm-email/", {"code": code_in(smtp.messages[-1])})
    assert "_auth_user_id" in client.session
    assert User.objects.get().check_password(HIS_PASSWORD)


@pytest.mark.parametrize("told", ["unknown", "999.1.1.1", "_hidden", "", ","])
def test_a_proxy_that_does_not_know_who_asks_keeps_nobody_out(settings, told):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    verified("Rosa")
    form = {"login": "rosa@example.org", "password": "not so secret"}
    client = Client(headers={"X-Forwarded-For": told})
    assert client.post("/accounts/login/", form)["Location"] == "/"
    assert SignIn.objects.get().address == "127.0.0.1"


def test_nothing_leads_from_https_to_http():
    client = browser(verified("Rosa"))
    for scheme, followed in (("http", False), ("https", True)):
        wanted = f"{scheme}://testserver/rules/"
        answer = client.post("/accounts/logout/", {"next": wanted}, secure=True)
        assert (answer["Location"] == wanted) is followed
        client.force_login(User.objects.get())


def test_somebody_without_a_confirmed_address_has_no_page():
    rosa, nina = person("Rosa"), person("Nina")
    User.objects.filter(pk=nina.pk).update(name_key=None)
    assert browser(rosa).get(f"/people/{nina.pk}/").status_code == 404
    assert browser(rosa).get(f"/people/{rosa.pk}/").status_code == 200
