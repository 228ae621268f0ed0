"""People whose reply isn't read learn so at their own address, and nobody else learns anything."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.features.inbound import inbox, probes
from games.features.inbound.addresses import address_of
from games.features.inbound.inbox import Outcome
from games.models import InboundEmail, OutboxEmail, PrivateMessage
from games.services.email import delivery
from games.services.operations.probes import asking
from tests.features.inbound.replying import confirmed, old_address_of, send, vouched, written
from tests.support import promising, whispering
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
    OutboxEmail.objects.all().delete()
    return person


def arrives(person, game, sender, *, thread="", now=None, **more):
    email = written(sender, address_of(person, game.pk, thread), "help", **more)
    return inbox.take(
        address=email["To"], return_path="a@b.c", raw=email.as_bytes(), now=now or timezone.now()
    )


def spelled(address, person):
    """Give the person this address."""
    person.emailaddress_set.update(email=address)
    type(person).objects.filter(pk=person.pk).update(email=address)


UNREAD = {
    "without the plus": (
        {"sender": "jo@example.org"},
        "The email wasn't sent from jo+games@example.org.",
    ),
    "another identity": (
        {"sender": "me@work.example"},
        "The email wasn't sent from jo+games@example.org.",
    ),
    "nobody vouches": (
        {"sender": "jo+games@example.org", "results": ""},
        "We couldn't verify that the email was sent from jo+games@example.org.",
    ),
    "long ago": (
        {"sender": "jo+games@example.org", "Date": "Mon, 2 Mar 2020 10:00:00 +0000"},
        "The email has no date, or its date is more than 6 days in the past",
    ),
    "to come": (
        {"sender": "jo+games@example.org", "Date": "Mon, 2 Mar 2099 10:00:00 +0000"},
        "The email has no date, or its date is more than 6 days in the past",
    ),
}


@pytest.mark.full
@pytest.mark.parametrize(("more", "reason"), UNREAD.values(), ids=UNREAD)
def test_the_reason_goes_to_the_registered_address_only(game, person, smtp, more, reason):
    assert arrives(person, game, **more) in {Outcome.FORGED, Outcome.OLD}
    delivery.drain(now=timezone.now())
    [email] = smtp.messages
    assert email["To"] == "jo+games@example.org"
    assert reason in plain_text(email)
    assert "You can get new reply addresses under “Emails and notifications”." in plain_text(email)
    assert email["Reply-To"] is None
    assert not InboundEmail.objects.exists()


def test_it_is_sent_once_a_day_however_much_comes(game, person):
    thread = whispering.thread_of(game, *promising.in_order(game)[:2]).token
    now = timezone.now()
    for hours in (0, 1, 23, 25, 26):
        later = now + timedelta(hours=hours)
        arrives(person, game, "jo@example.org", now=later)
        arrives(person, game, "jo@example.org", thread=thread, now=later, results="")
    sent = OutboxEmail.objects.filter(kind="not_read").order_by("pk")
    assert [one.created_at - now for one in sent] == [timedelta(0), timedelta(hours=25)]
    assert set(sent.values_list("person", flat=True)) == {person.pk}


def test_it_waits_for_the_end_of_quiet_hours(game, person):
    """Whoever knows the address chooses when: nobody is woken by it."""
    person.quiet_from, person.quiet_until = 22, 7
    person.save()
    now = timezone.now().replace(hour=23)
    arrives(person, game, "jo@example.org", now=now)
    [sent] = OutboxEmail.objects.all()
    assert sent.not_before - now > timedelta(hours=7)


def test_a_stranger_without_a_secret_address_brings_nothing_about(game, person):
    other = confirmed(promising.sitter(game, promising.in_order(game)[1]))
    own, known = address_of(person, game.pk), address_of(other, game.pk)
    signature = known.partition("@")[0].rpartition("-")[2]
    tried = own.replace(own.partition("@")[0].rpartition("-")[2], signature)
    assert tried not in {own, known}
    for to in (tried, f"{person.email.partition('@')[0]}@reply.example.org"):
        for results in ("", None):
            email = written(person.email, to, "help", results=results)
            taken = inbox.take(
                address=to, return_path="a@b.c", raw=email.as_bytes(), now=timezone.now()
            )
            assert taken is Outcome.NOT_OURS
    assert not OutboxEmail.objects.exists()


@pytest.mark.full
class TestOldEmail:
    """Formerly one email was about all private conversations, and replies went to one of them."""

    @pytest.fixture
    def threads(self, game, person):
        own, *others = promising.in_order(game)
        whispers = [whispering.whisper(game, other, own, text="Psst!") for other in others]
        OutboxEmail.objects.all().delete()
        return [one.thread for one in whispers]

    def replied(self, person, game, thread, text="Yes, let us betray them."):
        return send(written(person.email, old_address_of(person, game.pk, thread.token), text))

    @pytest.mark.parametrize("place", [0, 1])
    def test_a_reply_says_nothing_to_anybody_and_all_conversations_are_named(
        self, game, person, threads, smtp, place
    ):
        assert self.replied(person, game, threads[place]) is Outcome.UNCLEAR
        assert PrivateMessage.objects.count() == 2
        delivery.drain(now=timezone.now())
        [email] = smtp.messages
        text = plain_text(email)
        assert (email["To"], email["Reply-To"]) == (person.email, None)
        assert "an older email about several private conversations" in text
        assert "someone else knows your reply address" not in text
        for thread, other in zip(threads, promising.in_order(game)[1:], strict=True):
            link = f"{game.get_absolute_url()}?talk={thread.token}#chat"
            assert f"{promising.sitter(game, other).name}: http://localhost:8000{link}" in text

    def test_to_the_only_conversation_it_is_clear(self, game, person, threads):
        person.replies_at_once = True
        person.save()
        PrivateMessage.objects.filter(thread=threads[1]).delete()
        threads[1].members.all().delete()
        threads[1].delete()
        assert self.replied(person, game, threads[0]) is Outcome.STORED
        assert PrivateMessage.objects.latest("pk").text == "Yes, let us betray them."

    def test_new_addresses_and_those_of_tables_are_clear(self, game, person, threads):
        for to in (
            address_of(person, game.pk, threads[0].token),
            address_of(person, game.pk),
            old_address_of(person, game.pk),
        ):
            assert send(written(person.email, to, "status")) is Outcome.STORED


def test_email_by_programs_or_to_nobodys_address_is_reported_to_nobody(game, person):
    assert arrives(person, game, "jo@example.org", Auto_Submitted="auto-replied") is (
        Outcome.AUTOMATIC
    )
    person.is_active = False
    person.save()
    assert arrives(person, game, "jo@example.org") is Outcome.NOT_OURS
    assert not OutboxEmail.objects.exists()


SAME = {
    "capitals": ("jo@example.org", "Jo@Example.ORG", "example.org"),
    "dots": ("jo.doe@gmail.com", "jodoe@gmail.com", "gmail.com"),
    "both names of a service": ("jodoe@gmail.com", "jo.doe@googlemail.com", "googlemail.com"),
    "a plus that a service ignores": ("jodoe+games@gmail.com", "jodoe@gmail.com", "gmail.com"),
    "a domain in ASCII": ("jo@bücher.example", "jo@xn--bcher-kva.example", "xn--bcher-kva.example"),
    "a domain in its own letters": (
        "jo@xn--bcher-kva.example",
        "jo@BÜCHER.example",
        "xn--bcher-kva.example",
    ),
    "also for our server": ("jo@xn--bcher-kva.example", "jo@bücher.example", "bücher.example"),
    "with a name": ("jo@bücher.example", "Jöran Ü <jo@bücher.example>", "BÜCHER.example"),
    "a name in other letters": ("jürgen@bücher.example", "jürgen@bücher.example", "bücher.example"),
}


def comes_as_it_is(person, game, sender, domain, to=""):
    """An email whose headers are in UTF-8, as RFC 6532 lets them be."""
    own = address_of(person, game.pk)
    email = written("x@example.org", own, "help", results=vouched("dear.invalid"))
    raw = email.as_bytes().replace(b"x@example.org", sender.encode())
    raw = raw.replace(b"dear.invalid", domain.encode())
    return inbox.take(address=to or own, return_path="a@b.c", raw=raw, now=timezone.now())


@pytest.mark.full
@pytest.mark.parametrize(("own", "sender", "domain"), SAME.values(), ids=SAME)
def test_one_mailbox_is_one_however_it_is_spelled(game, person, own, sender, domain):
    spelled(own, person)
    assert comes_as_it_is(person, game, sender, domain) is Outcome.STORED
    assert comes_as_it_is(person, game, sender, "other.example") is Outcome.FORGED


@pytest.mark.sample(1)
@pytest.mark.parametrize("to", ["reply.xn--bcher-kva.example", "Reply.BÜCHER.example"])
@pytest.mark.parametrize("own", ["reply.xn--bcher-kva.example", "reply.bücher.example"])
def test_so_is_the_domain_to_which_it_comes(game, person, settings, own, to):
    settings.MAIL_REPLIES_DOMAIN = own
    address = address_of(person, game.pk)
    assert address.isascii()
    there = f"{address.partition('@')[0]}@{to}"
    assert comes_as_it_is(person, game, person.email, "example.org", there) is Outcome.STORED
    with asking() as nonce:
        assert probes.is_probe(f"{probes.address_of(nonce).partition('@')[0]}@{to}")


def test_a_domain_that_only_looks_the_same_is_another_one(game, person):
    spelled("jo@straße.example", person)
    assert arrives(person, game, "jo@strasse.example") is Outcome.FORGED


@pytest.mark.full
def test_the_rule_stands_below_each_email_that_can_be_replied_to(game, person, smtp):
    send(written(person.email, address_of(person, game.pk), "status"))
    delivery.drain(now=timezone.now())
    [email] = [one for one in smtp.messages if one["To"] == person.email]
    assert "Only replies from jo+games@example.org are read." in plain_text(email)
    assert email["X-Auto-Response-Suppress"] == "All"
    assert email["Auto-Submitted"] == "auto-replied"
