"""Whoever's reply isn't read is told so at their own address, and nobody else is told anything."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import InboundMail, OutboxMail
from games.services.email import delivery
from games.services.inbound import inbox
from games.services.inbound.addresses import address_of
from games.services.inbound.inbox import Outcome
from tests.support import promising, whispering
from tests.support.replying import confirmed, send, vouched, written
from tests.support.sent_emails import plain_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return promising.bribing_table(press="private")


@pytest.fixture
def person(game):
    person = confirmed(promising.sitter(game, promising.in_order(game)[0]))
    person.emailaddress_set.update(email="jo+games@example.org")
    person.email = "jo+games@example.org"
    person.save()
    OutboxMail.objects.all().delete()
    return person


def arrives(person, game, sender, *, thread="", now=None, **more):
    mail = written(sender, address_of(person, game.pk, thread), "help", **more)
    return inbox.take(
        address=mail["To"], return_path="a@b.c", raw=mail.as_bytes(), now=now or timezone.now()
    )


def spelled(address, person):
    """Give the person this address."""
    person.emailaddress_set.update(email=address)
    type(person).objects.filter(pk=person.pk).update(email=address)


UNREAD = {
    "without the plus": ({"sender": "jo@example.org"}, "It wasn't sent from jo+games@example.org."),
    "another identity": (
        {"sender": "me@work.example"},
        "It wasn't sent from jo+games@example.org.",
    ),
    "nobody vouches": (
        {"sender": "jo+games@example.org", "results": ""},
        "Nothing proves that it was sent from jo+games@example.org.",
    ),
    "long ago": (
        {"sender": "jo+games@example.org", "Date": "Mon, 2 Mar 2020 10:00:00 +0000"},
        "Its date is missing, more than 6 days ago",
    ),
    "to come": (
        {"sender": "jo+games@example.org", "Date": "Mon, 2 Mar 2099 10:00:00 +0000"},
        "Its date is missing, more than 6 days ago",
    ),
}


@pytest.mark.parametrize(("more", "reason"), UNREAD.values(), ids=UNREAD)
def test_it_is_said_why_and_only_to_the_registered_address(game, person, smtp, more, reason):
    assert arrives(person, game, **more) in {Outcome.FORGED, Outcome.OLD}
    delivery.drain(now=timezone.now())
    [mail] = smtp.messages
    assert mail["To"] == "jo+games@example.org"
    assert reason in plain_text(mail)
    assert "You can get new ones under “Emails and notifications”." in plain_text(mail)
    assert mail["Reply-To"] is None
    assert not InboundMail.objects.exists()


def test_it_is_said_once_a_day_however_much_comes(game, person):
    thread = whispering.thread_of(game, *promising.in_order(game)[:2]).token
    now = timezone.now()
    for hours in (0, 1, 23, 25, 26):
        later = now + timedelta(hours=hours)
        arrives(person, game, "jo@example.org", now=later)
        arrives(person, game, "jo@example.org", thread=thread, now=later, results="")
    told = OutboxMail.objects.filter(kind="not_read").order_by("pk")
    assert [one.created_at - now for one in told] == [timedelta(0), timedelta(hours=25)]
    assert set(told.values_list("person", flat=True)) == {person.pk}


def test_what_a_program_wrote_and_what_nobodys_address_gets_is_told_to_nobody(game, person):
    assert arrives(person, game, "jo@example.org", Auto_Submitted="auto-replied") is (
        Outcome.AUTOMATIC
    )
    person.is_active = False
    person.save()
    assert arrives(person, game, "jo@example.org") is Outcome.NOT_OURS
    assert not OutboxMail.objects.exists()


SAME = {
    "capitals": ("jo@example.org", "Jo@Example.ORG", "example.org"),
    "dots": ("jo.doe@gmail.com", "jodoe@gmail.com", "gmail.com"),
    "both names of a service": ("jodoe@gmail.com", "jo.doe@googlemail.com", "googlemail.com"),
    "a plus that a service ignores": ("jodoe+games@gmail.com", "jodoe@gmail.com", "gmail.com"),
    "a domain in ASCII": ("jo@bücher.example", "jo@xn--bcher-kva.example", "xn--bcher-kva.example"),
}


@pytest.mark.parametrize(("own", "sender", "domain"), SAME.values(), ids=SAME)
def test_one_mailbox_is_one_however_it_is_spelled(game, person, own, sender, domain):
    spelled(own, person)
    mail = written("x@example.org", address_of(person, game.pk), "help", results=vouched(domain))
    raw = mail.as_bytes().replace(b"x@example.org", sender.encode())
    taken = inbox.take(address=mail["To"], return_path="a@b.c", raw=raw, now=timezone.now())
    assert taken is Outcome.STORED


def test_a_domain_that_only_looks_the_same_is_another_one(game, person):
    spelled("jo@straße.example", person)
    assert arrives(person, game, "jo@strasse.example") is Outcome.FORGED


def test_the_rule_is_said_below_each_email_that_can_be_replied_to(game, person, smtp):
    send(written(person.email, address_of(person, game.pk), "status"))
    delivery.drain(now=timezone.now())
    [mail] = [one for one in smtp.messages if one["To"] == person.email]
    assert "Only replies from jo+games@example.org are read." in plain_text(mail)
    assert mail["X-Auto-Response-Suppress"] == "All"
    assert mail["Auto-Submitted"] == "auto-replied"
