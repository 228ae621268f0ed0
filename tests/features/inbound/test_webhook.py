"""Replies that the service which sends our email passes on, as their senders wrote them."""

import base64
import json
import time
from email import message_from_string
from email.policy import default

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.features.inbound import inbox, probes
from games.features.inbound.acting import handling
from games.features.inbound.addresses import address_of
from games.models import InboundEmail, OutboxEmail, User, database_now
from games.services import outbox
from games.services.operations.probes import asking
from games.views import email_webhooks
from tests.features.inbound.replying import DOMAIN, confirmed, written
from tests.support.email_services import SECRETS, email_service, signed_by_mailgun
from tests.support.reports_of_bounces import report
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db

REPLIES = "/email/inbound/mime"


@pytest.fixture(params=["postmark", "mailgun"])
def service(request, settings):
    with email_service(request.param, settings):
        yield request.param


@pytest.fixture
def game():
    game = open_table("Anna", "Boris", "Clara")
    for user in User.objects.all():
        confirmed(user)
    OutboxEmail.objects.all().delete()
    return game


def from_anna(game, text="status", **more):
    address = address_of(User.objects.get(name="Anna"), game.pk)
    return written("anna@example.org", address, text, **more)


def passed_on(service, email, *, to=None, sender="anna@example.org", raw=None, **more):
    """The response to what the service posts for an email."""
    raw = email.as_bytes().decode() if raw is None else raw
    return posted(service, raw, to=to or email["To"], sender=sender, **more)


def posted(service, raw, *, to, sender, secret=None, stamp=None, token=None):
    secret = secret or SECRETS[service]
    if service == "postmark":
        coded = base64.b64encode(secret.encode()).decode()
        fields = {
            "FromFull": {"Email": sender, "Name": "", "MailboxHash": ""},
            "OriginalRecipient": to,
            "MessageID": "22c74902-a0c1-4511-804f-341342852c90",
            "Subject": "Re: Your move",
            "TextBody": "bribe clerk 9000",
            "Headers": [{"Name": "Return-Path", "Value": f"<{sender}>"}],
        }
        return Client().post(
            REPLIES,
            json.dumps(fields | ({"RawEmail": raw} if raw else {})),
            content_type="application/json",
            headers={"Authorization": f"Basic {coded}"},
        )
    fields = {
        "recipient": to,
        "sender": sender,
        **signed_by_mailgun(secret, stamp=stamp, token=token),
        "message-headers": "[]",
        "body-plain": "bribe clerk 9000",
    }
    return Client().post(REPLIES, fields | ({"body-mime": raw} if raw else {}))


def test_a_reply_is_stored_as_it_was_sent_and_gets_a_response(service, game):
    email = from_anna(game, "status – bitte schön")
    assert passed_on(service, email).status_code == 200
    row = InboundEmail.objects.get()
    assert (row.person.name, row.game, row.state) == ("Anna", game, "waiting")
    assert bytes(row.raw) == email.as_bytes()
    handling.drain(timezone.now())
    assert OutboxEmail.objects.get().person.name == "Anna"


def test_again_it_is_the_same(service, game):
    email = from_anna(game)
    assert [passed_on(service, email).status_code for _ in range(3)] == [200, 200, 200]
    assert InboundEmail.objects.count() == 1


@pytest.mark.parametrize("results", ["", "mx.example.net; dmarc=pass header.from=example.org"])
def test_without_our_servers_word_it_is_dropped(service, game, results):
    """That a service passes something on says nothing about who wrote it."""
    assert passed_on(service, from_anna(game, results=results)).status_code == 200
    assert not InboundEmail.objects.exists()


def test_an_automatic_reply_does_nothing(service, game):
    assert passed_on(service, from_anna(game), sender="").status_code == 200
    automatic = from_anna(game, Auto_Submitted="auto-replied")
    assert passed_on(service, automatic).status_code == 200
    assert not InboundEmail.objects.exists()


def test_an_address_that_nobody_has_is_no_reason_to_send_it_again(service, game):
    assert passed_on(service, from_anna(game), to=f"anna@{DOMAIN}").status_code == 200
    assert not InboundEmail.objects.exists()


def test_of_a_large_one_the_beginning_is_kept(service, game):
    email = from_anna(game)
    email.add_attachment(b"x" * inbox.LARGEST, "image", "png", filename="signature.png")
    assert passed_on(service, email).status_code == 200
    row = InboundEmail.objects.get()
    assert bytes(row.raw) == email.as_bytes()[: inbox.LARGEST]
    handling.drain(timezone.now())
    row.refresh_from_db()
    assert row.response["title"] == "status"


def test_one_that_was_taken_apart_is_refused(service, game):
    """Of its headers and its sender only the service's reading would be left."""
    response = passed_on(service, from_anna(game), raw="")
    assert (response.status_code, response.content) == (
        400,
        b"Each email must be passed on as a whole, as raw MIME.",
    )
    assert not InboundEmail.objects.exists()


class TestWhatMailgunSigns:
    """Its signature says nothing of the email, so it is good once, and not for long."""

    @pytest.fixture
    def mailgun(self, settings):
        with email_service("mailgun", settings):
            yield "mailgun"

    def test_is_good_for_one_email(self, mailgun, game):
        signed = {"stamp": str(int(time.time())), "token": "t" * 50}
        assert passed_on(mailgun, from_anna(game), **signed).status_code == 200
        assert passed_on(mailgun, from_anna(game, "other"), **signed).status_code == 200
        assert InboundEmail.objects.count() == 1

    def test_is_the_same_whatever_of_its_token_is_given_to_its_time(self, mailgun, game):
        stamp, token = str(int(time.time())), f"e0{'f' * 48}"
        signed = signed_by_mailgun(SECRETS[mailgun], stamp=stamp, token=token)
        moved = {"timestamp": f"{stamp}e0", "token": token[2:], "signature": signed["signature"]}
        for number, proof in enumerate((signed, moved)):
            email = from_anna(game, Message_ID=f"<{number}@example.org>")
            fields = {"recipient": email["To"], "sender": "anna@example.org", **proof}
            raw = email.as_bytes().decode()
            assert Client().post(REPLIES, fields | {"body-mime": raw}).status_code == 200
        assert [row.message_id for row in InboundEmail.objects.all()] == ["<0@example.org>"]

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("seconds", [-31_536_000, -86_400, -33_000, 330, 86_400, float("nan")])
    def test_is_not_good_for_ever(self, mailgun, game, seconds):
        stamp = str(time.time() + seconds)
        assert passed_on(mailgun, from_anna(game), stamp=stamp).status_code == 400
        assert not InboundEmail.objects.exists()

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("seconds", [-28_800, -3_600, -330, 0, 240])
    def test_is_good_as_long_as_it_comes_again(self, mailgun, game, seconds):
        """What the site couldn't take comes again for eight hours."""
        stamp = time.time() + seconds
        email = from_anna(game)
        assert passed_on(mailgun, email, stamp=str(stamp), token="t" * 50).status_code == 200
        assert InboundEmail.objects.count() == 1
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM max(expires)) FROM cache")
            [known_until] = cursor.fetchone()
        assert known_until > stamp + email_webhooks.SIGNED_FOR

    def test_is_good_again_if_the_email_could_not_be_stored(self, mailgun, game, monkeypatch):
        email = from_anna(game)
        with monkeypatch.context() as broken:
            broken.setattr(inbox, "_store", lambda *_: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                passed_on(mailgun, email, token="t" * 50)
        assert passed_on(mailgun, email, token="t" * 50).status_code == 200
        assert InboundEmail.objects.count() == 1

    def test_reports_too(self, mailgun, game, client):
        anna = User.objects.get(name="Anna")
        for recipient, stamp in (
            (anna.email, "1700000000"),
            ("x@example.net", None),
            (anna.email, None),
        ):
            event = {
                "signature": signed_by_mailgun(stamp=stamp, token="t" * 50),
                "event-data": {"event": "complained", "recipient": recipient},
            }
            client.post("/email/events/", json.dumps(event), content_type="application/json")
        anna.refresh_from_db()
        assert not anna.is_unreachable


def test_a_request_without_the_secret_is_refused(service, game):
    assert passed_on(service, from_anna(game), secret="somebody:else").status_code == 400
    assert Client().post(REPLIES, "junk", content_type="application/json").status_code == 400
    assert Client().get(REPLIES).status_code == 405
    assert not InboundEmail.objects.exists()


def test_without_replies_or_a_secret_there_is_no_such_page(service, game, settings):
    email = from_anna(game)
    settings.EMAIL_EVENTS_SECRET = ""
    assert passed_on(service, email).status_code == 404
    settings.EMAIL_EVENTS_SECRET = SECRETS[service]
    settings.MAIL_REPLIES_DOMAIN = ""
    assert passed_on(service, email).status_code == 404


def test_the_doctors_message_and_a_bounce_come_in_this_way_too(service, game, settings):
    settings.MAIL_BOUNCES = f"bounces@{DOMAIN}"
    with asking() as nonce:
        probe = probes.address_of(nonce)
        assert passed_on(service, from_anna(game), to=probe).status_code == 200
    known = probes.arrived(probe).response
    assert (known["was_checked"], known["was_forged"]) == (True, False)
    anna = User.objects.get(name="Anna")
    sent = outbox.email("game_started", game=game, person=anna, now=database_now())
    sent.message_id, sent.status = "<1@localhost>", OutboxEmail.Status.SENT
    sent.save()
    returned = message_from_string(report(original_id="<1@localhost>"), policy=default)
    assert passed_on(service, returned, to=settings.MAIL_BOUNCES).status_code == 200
    anna.refresh_from_db()
    assert anna.is_unreachable
