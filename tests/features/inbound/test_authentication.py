"""The sender of an email: only the topmost header of our own mail server counts."""

import logging

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from games.features.inbound import addresses, inbox
from games.features.inbound.acting import handling
from games.features.inbound.inbox import Outcome
from games.features.inbound.letters import parsing
from games.features.inbound.letters.authentication import is_vouched_for, sender
from games.models import InboundEmail, InboundTally, OutboxEmail, User
from tests.features.inbound.replying import (
    OUR_SERVER,
    confirmed,
    old_address_of,
    send,
    vouched,
    written,
)
from tests.support.tables import MONDAY, open_table

pytestmark = pytest.mark.django_db

PASS = f"Authentication-Results: {OUR_SERVER}; dmarc=pass header.from=example.org\n"
FAIL = f"Authentication-Results: {OUR_SERVER}; dmarc=fail header.from=example.org\n"
NONE = f"Authentication-Results: {OUR_SERVER}; dmarc=none header.from=example.org"
THEIRS = "Authentication-Results: mx.attacker.example; dmarc=pass header.from=example.org\n"


@pytest.mark.parametrize(
    ("headers", "counts"),
    [
        (PASS, True),
        (PASS.replace(OUR_SERVER, OUR_SERVER.upper()), True),
        (PASS.replace(";", " 1;"), True),
        ("", False),
        (FAIL, False),
        (THEIRS, False),
        (FAIL + PASS, False),  # forged, below the real one
        (PASS + FAIL, True),
        (THEIRS + PASS, True),
        (THEIRS + FAIL + PASS, False),
        (f"Authentication-Results: {OUR_SERVER}; none\n" + PASS, False),
        (f"Authentication-Results: {OUR_SERVER} unreadable\n" + PASS, False),
        (
            f"Authentication-Results: {OUR_SERVER}.attacker.example; dmarc=pass header.from=a\n",
            False,
        ),
        (f"Authentication-Results: (x) {OUR_SERVER}; dmarc=pass header.from=example.org\n", False),
        (PASS.replace("=example.org", "=attacker.example"), False),
        (PASS.replace(" header.from=example.org", ""), False),
        (PASS.replace("\n", "; dmarc=fail header.from=example.org\n"), False),
        (PASS.replace("pass", "none"), False),
        (f"{NONE}; dkim=pass header.d=example.org\n", True),
        (f"{NONE}; dkim=pass header.i=@example.org\n", True),
        (f"{NONE}; dkim=pass header.d=attacker.example\n", False),
        (f"{NONE}; dkim=pass header.d=org\n", False),
        (f"{NONE}; dkim=fail header.d=example.org\n", False),
        (f"{NONE}; spf=pass smtp.mailfrom=anna@example.org\n", True),
        (f"{NONE}; spf=pass smtp.mailfrom=example.org\n", True),
        (f"{NONE}; spf=pass smtp.mailfrom=anna@notexample.org\n", False),
        (f"{NONE}; spf=pass smtp.helo=example.org\n", False),
        (FAIL.replace("\n", "; dkim=pass header.d=example.org\n"), False),
        (f"{NONE}; auth=pass smtp.auth=anna smtp.mailfrom=anna@example.org\n", False),
    ],
)
def test_what_a_mail_server_vouches_for(headers, counts):
    message = parsing.parsed(f"{headers}From: anna@example.org\n\nhelp\n".encode())
    assert is_vouched_for(message, "example.org") is counts


def test_a_subdomain_is_spoken_for_by_the_domain_above_it():
    results = f"{NONE}; dkim=pass header.d=example.org\nFrom: a@mail.example.org\n\n"
    assert is_vouched_for(parsing.parsed(results.encode()), "mail.example.org")


@pytest.mark.parametrize(
    ("headers", "address"),
    [
        ("From: Anna <Anna@Example.org>", "anna@example.org"),
        ("From: anna@example.org\nFrom: boris@example.org", ""),
        ("From: anna@example.org, boris@example.org", ""),
        ("From: boris@example.org <anna@example.org>", ""),
        ('From: "boris@example.org" <anna@example.org>', "anna@example.org"),
        ("Sender: anna@example.org", ""),
        ("From:", ""),
    ],
)
def test_the_sender_that_a_message_names(headers, address):
    assert sender(parsing.parsed(f"{headers}\n\n".encode())) == address


@pytest.fixture
def game():
    game = open_table("Anna", "Boris", "Clara")
    for user in User.objects.all():
        confirmed(user)
    OutboxEmail.objects.all().delete()
    return game


def user(name="Anna"):
    return User.objects.get(name=name)


def where(game, name="Anna"):
    return addresses.address_of(user(name), game.pk)


def nothing_happened():
    """Nothing is done, and only the person is emailed, at their own address."""
    others = OutboxEmail.objects.exclude(kind="not_read", person__name="Anna")
    return not InboundEmail.objects.exists() and not others.exists()


def tallies():
    return dict(InboundTally.objects.values_list("outcome", "count"))


def test_a_message_that_is_vouched_for_is_taken(game):
    assert send(written("anna@example.org", where(game), "status")) is Outcome.STORED
    assert InboundEmail.objects.get().raw == b""
    assert OutboxEmail.objects.get().kind == "understood"
    assert tallies() == {"stored": 1}


FORGED = {
    "no result": {"results": ""},
    "another server": {"results": vouched(server="mx.attacker.example")},
    "another domain": {"results": vouched("attacker.example")},
    "another person's address": {"sender": "boris@example.org"},
    "an address of nobody's": {"sender": "anna@attacker.example"},
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_what_is_forged_does_nothing_and_gets_no_response(game, forged, caplog):
    given = {"sender": "anna@example.org", **forged}
    with caplog.at_level(logging.WARNING):
        assert send(written(given.pop("sender"), where(game), "help", **given)) is Outcome.FORGED
    assert nothing_happened()
    assert tallies() == {"forged": 1}
    assert "doesn't vouch" in caplog.text
    assert "@" not in caplog.text


def test_an_address_that_was_never_confirmed_is_nobodys(game):
    EmailAddress.objects.filter(user=user()).update(verified=False)
    assert send(written("anna@example.org", where(game), "help")) is Outcome.FORGED


def test_a_new_address_ends_those_from_before(game):
    before = where(game)
    addresses.renew(user())
    assert addresses.conversation_at(before) is None
    assert send(written("anna@example.org", before, "help")) is Outcome.NOT_OURS
    assert addresses.conversation_at(where(game)).person == user()


def test_no_other_address_leads_anywhere(game):
    own, boris = where(game), where(game, "Boris")
    local, _at, domain = own.partition("@")
    signature = boris.partition("@")[0].rpartition("-")[2]
    for other in (
        f"{local[:-1]}{'a' if local[-1] != 'a' else 'b'}@{domain}",
        f"{local.rpartition('-')[0]}-{signature}@{domain}",
        f"{local}@elsewhere.example",
        f"x{own}",
        "",
        "g-zz-1-abc@reply.example.org",
        f"{local.replace('g-', 'g-a', 1)}@{domain}",
    ):
        assert addresses.conversation_at(other) is None
    assert addresses.conversation_at(own.upper()).person == user()


def test_addresses_in_email_that_was_sent_before_lead_there_too(game):
    old = old_address_of(user(), game.pk)
    assert f"-{user().pk:x}-{game.pk:x}-" in old
    assert addresses.conversation_at(old).person == user()
    assert send(written("anna@example.org", old, "status")) is Outcome.STORED
    other = old.replace(f"-{game.pk:x}-", f"-{game.pk + 1:x}-")
    assert addresses.conversation_at(other) is None


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_guest": True}])
def test_a_banned_person_has_no_address(game, change):
    User.objects.filter(name="Anna").update(**change)
    assert addresses.conversation_at(where(game)) is None


def test_the_site_takes_nothing_where_it_isnt_configured(game, settings):
    own = where(game)
    settings.MAIL_REPLIES_DOMAIN = ""
    assert addresses.conversation_at(own) is None


AUTOMATIC = {
    "out of office": {"Auto_Submitted": "auto-replied"},
    "generated": {"Auto_Submitted": "auto-generated (rule)"},
    "an old program": {"Precedence": "auto_reply"},
    "another one": {"X_Autoreply": "yes"},
}

ASKS_FOR_QUIET = {
    "Exchange": {"X_Auto_Response_Suppress": "All"},
    "bulk": {"Precedence": "bulk"},
    "list": {"Precedence": "list"},
    "a company's list": {"List_Id": "<a.example.org>", "List_Unsubscribe": "<https://a.org>"},
    "no": {"Auto_Submitted": "No"},
    "no, says a program": {"Auto_Submitted": "no (a person wrote this); x=y"},
    "nothing": {"Auto_Submitted": ""},
    "no autoreply": {"X_Autoreply": "no"},
}
"""Headers that people's own email has as well."""


@pytest.mark.parametrize("headers", AUTOMATIC.values(), ids=AUTOMATIC)
def test_what_a_program_wrote_does_nothing_and_gets_no_response(game, headers):
    email = written("anna@example.org", where(game), "help", **headers)
    assert send(email) is Outcome.AUTOMATIC
    assert nothing_happened()


def test_bounces_do_nothing(game):
    email = written("anna@example.org", where(game), "help")
    assert send(email, return_path="") is Outcome.AUTOMATIC
    report = written("anna@example.org", where(game), "help")
    report.replace_header("Content-Type", "multipart/report")
    assert send(report) is Outcome.AUTOMATIC
    assert nothing_happened()


@pytest.mark.full
@pytest.mark.parametrize("headers", ASKS_FOR_QUIET.values(), ids=ASKS_FOR_QUIET)
def test_email_that_only_asks_others_for_quiet_is_read(game, headers):
    email = written("anna@example.org", where(game), "help", **headers)
    assert send(email) is Outcome.STORED
    assert InboundEmail.objects.get().response["title"] == "help"


@pytest.mark.full
def test_the_same_message_again_gets_the_first_response_and_does_nothing_else(game):
    email = written("anna@example.org", where(game), "Hello!")
    User.objects.update(replies_at_once=True)
    assert send(email) is Outcome.STORED
    assert [send(email) for _ in range(5)] == [Outcome.REPEATED] * 5
    assert game.messages.count() == 1
    responses = OutboxEmail.objects.filter(kind="understood")
    assert responses.count() == 4  # the first, and three more
    assert len(set(responses.values_list("about", flat=True))) == 1


def test_what_is_forged_keeps_no_message_id_from_its_owner(game):
    email = written("anna@example.org", where(game), "help", Message_ID="<1@example.org>")
    forged = written(
        "anna@example.org", where(game), "help", Message_ID="<1@example.org>", results=""
    )
    assert send(forged) is Outcome.FORGED
    assert send(email) is Outcome.STORED


@pytest.mark.full
def test_a_person_sends_so_many_in_an_hour_and_is_refused_once(game):
    outcomes = [send(written("anna@example.org", where(game), "help")) for _ in range(33)]
    assert outcomes == [Outcome.STORED] * 31 + [Outcome.TOO_MANY] * 2
    rows = InboundEmail.objects.order_by("pk")
    assert [row.response["title"] for row in rows] == ["help"] * 30 + ["refused"]
    assert "the limit is 30 an hour" in rows.last().response["lines"][0]
    assert send(written("boris@example.org", where(game, "Boris"), "help")) is Outcome.STORED


def test_unreadable_bytes_are_dropped(game):
    for raw in (
        b"",
        b"\xff\xfe\x00",
        b"From: \xff\n\n",
        b"Content-Type: multipart/mixed\n\n--",
        b"From: =?x?q?=\n",
    ):
        taken = inbox.take(address=where(game), return_path="a@b.c", raw=raw, now=MONDAY)
        assert taken is Outcome.FORGED


def test_what_no_database_stores_is_left_out(game):
    raw = written("anna@example.org", where(game), "Hello!", Message_ID="<1@example.org>")
    content = raw.as_bytes().replace(b"Hello!", b"Hel\x00lo\x07!").replace(b"<1@", b"<1\xff\x00@")
    taken = inbox.take(address=where(game), return_path="a@b.c", raw=content, now=timezone.now())
    assert taken is Outcome.STORED
    handling.drain(MONDAY)
    row = InboundEmail.objects.get()
    assert "Hello!" in row.response["lines"]
    assert row.message_id == "<1@example.org>"
