"""One mailbox is one, however its domain is spelled; other addresses that lead there are others."""

import pytest

from games import mailboxes
from games.models import User
from games.services.lobby import email_invitees
from tests.accounts.test_accounts import FLORA
from tests.support.client import verified
from tests.support.sent_emails import code_in, plain_text
from tests.support.tables import MONDAY

pytestmark = pytest.mark.django_db

ASCII, UNICODE = "flora@xn--bcher-kva.example", "flora@bücher.example"


def has(address):
    """Flora has an account with this address, as it may have been stored long ago."""
    flora = verified("Flora")
    flora.emailaddress_set.update(email=address)
    User.objects.filter(pk=flora.pk).update(email=address)


SPELLINGS = [
    (ASCII, UNICODE),
    (UNICODE, ASCII),
    (ASCII, "Flora@BÜCHER.example"),
    ("flora@gmail.com", "flora@googlemail.com"),
    ("flora@googlemail.com", "Flora@Gmail.com"),
]


@pytest.mark.parametrize(("own", "typed"), SPELLINGS)
def test_another_spelling_makes_no_second_account(client, smtp, own, typed):
    has(own)
    client.post("/accounts/signup/", FLORA | {"email": typed, "name": "Florence"})
    assert User.objects.get().email == own
    [mail] = smtp.messages
    assert "already have an account" in plain_text(mail)


@pytest.mark.parametrize(("own", "typed"), SPELLINGS)
def test_people_sign_in_by_any_spelling(client, smtp, own, typed):
    has(own)
    client.post("/accounts/login/code/", {"email": typed})
    code = code_in(smtp.messages[-1])
    client.post("/accounts/login/code/confirm/", {"code": code})
    assert client.session["_auth_user_id"] == str(User.objects.get().pk)


def test_a_new_address_is_kept_as_mail_servers_write_it(client, smtp):
    client.post("/accounts/signup/", FLORA | {"email": UNICODE})
    assert User.objects.get().email == ASCII
    assert smtp.messages[-1]["To"] == ASCII


@pytest.mark.parametrize("other", ["flora+2@example.org", "flora@strasse.example"])
def test_an_address_that_may_be_somebody_elses_gets_an_account_of_its_own(client, smtp, other):
    has("flora@straße.example" if "strasse" in other else "flora@example.org")
    client.post("/accounts/signup/", FLORA | {"email": other, "name": "Florence"})
    assert set(User.objects.values_list("email", flat=True)) > {other}
    assert "already have an account" not in plain_text(smtp.messages[-1])


def test_who_wants_no_invitations_gets_none_at_other_spellings():
    email_invitees.stop("Flora.Rose+x@googlemail.com", MONDAY)
    for same in ("florarose@gmail.com", "flora.rose+games@gmail.com"):
        assert email_invitees.has_stopped(same)
    assert not email_invitees.has_stopped("florarose@example.org")
    email_invitees.resume("florarose@gmail.com")
    assert not email_invitees.has_stopped("Flora.Rose+x@googlemail.com")


@pytest.mark.parametrize(
    ("address", "spelled", "mailbox", "owner"),
    [
        ("Jo@Example.ORG", "jo@example.org", "jo@example.org", "jo@example.org"),
        ("jo+a@example.org", "jo+a@example.org", "jo+a@example.org", "jo@example.org"),
        ("J.o+a@gmail.com", "j.o+a@gmail.com", "jo@gmail.com", "jo@gmail.com"),
        ("jo@straße.example", "jo@xn--strae-oqa.example") + ("jo@xn--strae-oqa.example",) * 2,
        ("+a@example.org",) * 4,
        ("jo@-.-",) * 4,
    ],
)
def test_spellings(address, spelled, mailbox, owner):
    assert mailboxes.spelled(address) == spelled
    assert mailboxes.mailbox(address) == mailbox
    assert mailboxes.owner(address) == owner
