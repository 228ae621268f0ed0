"""Email that a service sends for us: what it is given, and what its answers mean."""

import base64
from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import mailers
from django.test import Client

from games.models import Game, MailServer, OutboxEmail, User
from games.services import outbox
from games.services.email import delivery
from games.services.public_ids import short_id
from intrigue_site.email_service import mail_server, service_at
from tests.support.client import person, text_of, verified
from tests.support.email_services import TAKEN, email_service
from tests.support.mail_servers import choosy_server, with_options
from tests.support.tables import MONDAY, open_table

MINUTE = timedelta(minutes=1)
NOW = MONDAY + timedelta(seconds=1)
NAMES = ("postmark", "mailgun")
FROM = "Intrigue <intrigue@example.org>"


@pytest.fixture
def service(request, settings):
    settings.DEFAULT_FROM_EMAIL = FROM
    with email_service(request.param, settings) as server:
        yield server


@pytest.fixture
def closed(db):
    """A table that was closed, which is true for good; nobody was told."""
    game = open_table("Anna", "Boris", "Clara", name="Кремль & Co")
    OutboxEmail.objects.all().delete()
    game.seats.update(deadline_at=None)
    game.status, game.deadline_at = Game.Status.CANCELLED, None
    game.save()
    return game


def somebody(name):
    return User.objects.filter(name=name).first() or person(name)


def text():
    """What has become of the email to each person, and how often it was tried."""
    rows = OutboxEmail.objects.values_list("person__name", "status", "attempts")
    return {name: (status, attempts) for name, status, attempts in rows}


def write_to(game, *names):
    for about, name in enumerate(names, OutboxEmail.objects.count()):
        outbox.enqueue("table_closed", game=game, person=somebody(name), now=MONDAY, about=about)


def headers_of(name, asked):
    if name == "postmark":
        return {one["Name"].title(): one["Value"] for one in asked.data["Headers"]}
    return {key[2:]: value for key, value in asked.data.items() if key.startswith("h:")}


class TestWhatAServiceIsGiven:
    @pytest.mark.parametrize("service", ["postmark"], indirect=True)
    def test_postmark_gets_the_whole_email_and_keeps_its_message_id(self, service, closed):
        write_to(closed, "Anna")
        assert delivery.drain(now=NOW) == 1
        [asked] = service.asked
        assert asked.path == "/email"
        assert asked.headers["X-Postmark-Server-Token"] == "Secret-Token"
        assert (asked.data["From"], asked.data["To"]) == (FROM, "anna@example.org")
        assert "Кремль" in asked.data["Subject"]
        assert asked.data["TextBody"].startswith("Hello Anna,")
        assert asked.data["HtmlBody"].lstrip().startswith("<!doctype html>")
        assert headers_of("postmark", asked)["X-Pm-Keepid"] == "true"

    @pytest.mark.parametrize("service", ["mailgun"], indirect=True)
    def test_mailgun_gets_the_whole_email(self, service, closed):
        write_to(closed, "Anna")
        assert delivery.drain(now=NOW) == 1
        [asked] = service.asked
        key = base64.b64encode(b"api:key-Secret").decode()
        assert asked.path == "/mail.example.org/messages"
        assert asked.headers["Authorization"] == f"Basic {key}"
        assert (asked.data["from"], asked.data["to"]) == (FROM, "anna@example.org")
        assert "Кремль" in asked.data["subject"]
        assert asked.data["text"].startswith("Hello Anna,")
        assert asked.data["html"].lstrip().startswith("<!doctype html>")

    @pytest.mark.parametrize("service", NAMES, indirect=True)
    def test_it_is_given_every_header_in_ascii(self, service, closed, request):
        write_to(closed, "Anna")
        delivery.drain(now=NOW)
        mail = OutboxEmail.objects.get()
        headers = headers_of(request.node.callspec.params["service"], service.asked[0])
        assert headers["Message-Id"] == mail.message_id
        assert headers["References"] == f"<game-{short_id('game', closed.pk)}@localhost>"
        assert headers["Auto-Submitted"] == "auto-generated"
        assert headers["List-Id"].endswith(f" <game-{short_id('game', closed.pk)}.localhost>")
        assert headers["List-Id"].startswith("=?utf-8?")
        assert all(value.isascii() for value in headers.values())

    @pytest.mark.parametrize("service", NAMES, indirect=True)
    def test_many_are_given_over_one_connection(self, service, closed):
        write_to(closed, *(f"Player{number}" for number in range(5)))
        assert delivery.drain(now=NOW) == 5
        assert (len(service.asked), service.connections) == (5, 1)

    @pytest.mark.parametrize("service", NAMES, indirect=True)
    def test_what_is_tried_again_keeps_its_message_id(self, service, closed, request):
        name = request.node.callspec.params["service"]
        write_to(closed, "Anna")
        service.drops = True
        delivery.drain(now=NOW)
        assert text() == {"Anna": ("ready", 1)}
        service.drops = False
        assert delivery.drain(now=NOW + MINUTE) == 1
        first, second = (headers_of(name, asked)["Message-Id"] for asked in service.asked)
        assert first == second


INACTIVE = {
    "ErrorCode": 406,
    "Message": "You tried to send to a recipient that has been marked as inactive.\n"
    "Found inactive addresses: anna@example.org.\nInactive recipients are ones that have "
    "generated a hard bounce or a spam complaint.",
}
INVALID = {"ErrorCode": 300, "Message": "Invalid 'To' address: 'anna@example.org'."}
SENDER = {"ErrorCode": 400, "Message": "The 'From' address is not a Sender Signature."}


class TestWhatItsAnswersMean:
    @pytest.mark.full
    @pytest.mark.parametrize(
        ("service", "status", "answer"),
        [
            ("postmark", 401, {"ErrorCode": 10, "Message": "Bad or missing Server API token."}),
            ("postmark", 429, {"ErrorCode": 429, "Message": "Rate limit exceeded."}),
            ("postmark", 500, {"Message": "Internal error"}),
            ("mailgun", 401, {"message": "Invalid private key"}),
            ("mailgun", 404, {"message": "Domain not found: mail.example.org"}),
            ("mailgun", 503, {}),
        ],
        indirect=["service"],
    )
    def test_what_concerns_all_email_counts_for_none(self, service, status, answer, closed):
        good, (service.status, service.answer) = service.answer, (status, answer)
        write_to(closed, "Anna", "Boris")
        assert delivery.drain(now=NOW) == 0
        assert text() == {"Anna": ("ready", 0), "Boris": ("ready", 0)}
        assert MailServer.objects.get().unavailable_since == NOW
        service.status, service.answer = 200, good
        assert delivery.drain(now=NOW + MINUTE) == 2
        assert MailServer.objects.get().unavailable_since is None

    @pytest.mark.parametrize("service", NAMES, indirect=True)
    def test_nor_does_an_email_while_nobody_listens(self, service, closed, settings):
        settings.MAILERS = with_options(settings.MAILERS, api_url="http://127.0.0.1:1/")
        write_to(closed, "Anna")
        assert delivery.drain(now=NOW) == 0
        assert text() == {"Anna": ("ready", 0)}
        error = MailServer.objects.get().error
        assert "Connection refused" in error
        assert "ecret" not in error

    @pytest.mark.parametrize("service", ["postmark"], indirect=True)
    @pytest.mark.parametrize("answer", [INACTIVE, INVALID])
    def test_an_address_that_it_knows_to_bounce_gets_no_more_email(self, service, answer, closed):
        service.status, service.answer = 422, answer
        for _ in range(2):
            write_to(closed, "Anna")
            delivery.drain(now=NOW)
        anna = somebody("Anna")
        assert anna.is_unreachable
        statuses = OutboxEmail.objects.order_by("pk").values_list("status", flat=True)
        assert list(statuses) == ["failed", "suspended"]
        assert len(service.asked) == 1

    @pytest.mark.full
    @pytest.mark.parametrize(
        ("service", "status", "answer"),
        [
            ("postmark", 422, SENDER),
            ("mailgun", 400, {"message": "to parameter is not a valid address."}),
        ],
        indirect=["service"],
    )
    def test_what_it_does_not_take_is_tried_for_a_day(self, service, status, answer, closed):
        service.status, service.answer = status, answer
        write_to(closed, "Anna")
        delivery.drain(now=NOW)
        assert text() == {"Anna": ("ready", 1)}
        mail, now = OutboxEmail.objects.get(), NOW
        while mail.status == "ready":
            now = mail.not_before
            delivery.drain(now=now)
            mail.refresh_from_db()
        assert (mail.status, mail.attempts) == ("failed", 10)
        assert not mail.person.is_unreachable

    @pytest.mark.parametrize("service", NAMES, indirect=True)
    def test_without_an_answer_it_may_have_arrived(self, service, closed, settings):
        settings.MAILERS = with_options(settings.MAILERS, timeout=0.2)
        service.hangs = True
        write_to(closed, "Anna")
        delivery.drain(now=NOW)
        assert text() == {"Anna": ("ready", 1)}
        assert MailServer.objects.get().unavailable_since is None

    @pytest.mark.parametrize("service", ["mailgun"], indirect=True)
    def test_what_is_too_large_is_given_up(self, service, closed):
        service.status, service.answer = 413, {}
        write_to(closed, "Anna")
        delivery.drain(now=NOW)
        assert text() == {"Anna": ("failed", 1)}


@pytest.mark.parametrize("service", ["postmark"], indirect=True)
def test_who_asks_for_a_code_is_told_that_their_address_bounces(service, db):
    anna, ask = verified("Anna"), {"email": "anna@example.org"}
    service.status, service.answer = 422, INACTIVE
    refused = Client().post("/accounts/login/code/", ask)
    assert refused.status_code == 400
    assert "This address doesn't exist" in text_of(refused)
    anna.refresh_from_db()
    assert anna.is_unreachable
    service.status, service.answer = 401, {"ErrorCode": 10, "Message": "Bad token"}
    assert Client().post("/accounts/login/code/", ask).status_code == 503
    service.status, service.answer = 200, TAKEN["postmark"]
    assert Client().post("/accounts/login/code/", ask).status_code == 302
    anna.refresh_from_db()
    assert anna.is_unreachable  # until the code is entered


class TestAddresses:
    """What `EMAIL_URL` may be."""

    @pytest.mark.parametrize(
        ("address", "expected"),
        [
            ("smtp://localhost", ("localhost", 25, "", "", False, False)),
            (
                "smtp+starttls://me:a%40b@h.example",
                ("h.example", 587, "me", "a@b", True, False),
            ),
            ("smtps://Me:Pssst@h.example:2465", ("h.example", 2465, "Me", "Pssst", False, True)),
        ],
    )
    def test_a_mail_server(self, address, expected, settings):
        service = service_at(address, bounces="")
        settings.MAILERS = {"default": service.mailer}
        names = ("host", "port", "username", "password", "use_tls", "use_ssl")
        assert service.kind == ""
        assert tuple(getattr(mailers.default, name) for name in names) == expected

    @pytest.mark.parametrize(
        "address",
        [
            "Pssst",
            "Pssst://key",
            "postmark://",
            "postmark://me:Pssst@host",
            "mailgun://Pssst",
            "smtp://",
            "smtp://me:Pssst@[::",
            "smtp://me:Pssst@host:port",
            "postmark://Pssst?token=1",
        ],
    )
    def test_a_wrong_one_is_refused_and_not_repeated(self, address):
        with pytest.raises(ImproperlyConfigured, match="EMAIL_URL") as refused:
            service_at(address, bounces="")
        assert "Pssst" not in str(refused.value)

    def test_unknown_security_is_refused(self):
        with pytest.raises(ImproperlyConfigured, match="none, starttls or tls"):
            mail_server(host="h", port=25, user="", password="", security="ssl", bounces="")


def test_bounces_come_back_to_another_address_than_the_senders(settings, db):
    settings.DEFAULT_FROM_EMAIL = FROM
    open_table("Anna", "Boris", "Clara")
    with choosy_server(settings) as inbox:
        options = settings.MAILERS["default"]["OPTIONS"]
        service = service_at(
            f"smtp://{options['host']}:{options['port']}", bounces="bounces@example.org"
        )
        settings.MAILERS = {"default": service.mailer}
        assert delivery.drain(now=NOW) > 0
    assert {mail["From"] for mail in inbox.messages} == {FROM}
    assert set(inbox.senders) == {"bounces@example.org"}
