"""Email that comes back, and what services report: who gets no more email because of it."""

import base64
import json
from datetime import timedelta

import pytest
from django.test import Client

from games.models import OutboxEmail
from games.services.email import bounces, delivery, reached_again
from intrigue_site.email_service import events_by
from tests.support.client import browser, person, text_of
from tests.support.email_services import SECRETS, email_service, signed_by_mailgun
from tests.support.reports_of_bounces import EXIM, GMAIL, OUTLOOK, POSTFIX, parsed, report
from tests.support.tables import MONDAY, open_table

EVENTS = "/email/events/"
SOON = MONDAY + timedelta(minutes=1)


class TestWhatComesBack:
    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (POSTFIX, "550 5.1.1 <anna@example.org>: Recipient address rejected: User unknown"),
            (EXIM, "550 No such user here"),
            (GMAIL, "550-5.1.1 The email account that you tried to reach does not exist."),
            (OUTLOOK, "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found"),
        ],
        ids=["Postfix", "Exim", "Gmail", "Outlook"],
    )
    def test_an_address_that_does_not_exist(self, content, said):
        address, reason = bounces.refused_address(parsed(content))
        assert address == "anna@example.org"
        assert reason.startswith(said)
        assert "\n" not in reason

    @pytest.mark.parametrize(
        "changed",
        [
            {"action": "delayed", "status": "4.4.1", "said": "451 4.4.1 Try again later"},
            {"action": "relayed"},
            {"action": "delivered", "status": "2.0.0", "said": "250 OK"},
            {"status": "5.2.2", "said": "552 5.2.2 The mailbox is full"},
            {"status": "5.7.1", "said": "550 5.7.1 This looks like spam"},
            {"status": "5.0.0", "said": ""},
            {"final": ""},
        ],
    )
    def test_what_is_no_fault_of_the_address(self, changed):
        assert bounces.refused_address(parsed(report(**changed))) is None

    def test_without_the_words_of_a_server_the_status_decides(self):
        without = report(status="5.1.2", said="")
        assert bounces.refused_address(parsed(without)) == ("anna@example.org", "5.1.2")

    def test_the_address_is_the_one_we_wrote_to(self):
        forwarded = report(original="rfc822;Anna@Example.org", final="rfc822; a@elsewhere.example")
        assert bounces.refused_address(parsed(forwarded))[0] == "anna@example.org"

    @pytest.mark.parametrize(
        "content",
        [
            "Subject: Undeliverable\n\nanna@example.org failed: 550 5.1.1 No such user\n",
            "Content-Type: multipart/report; boundary=b\n\n--b\n\nNothing.\n--b--\n",
            "Content-Type: multipart/report; boundary=b\n\n",
            POSTFIX.replace("multipart/report", "multipart/mixed"),
            "Content-Type: message/delivery-status\n\nFinal-Recipient: rfc822; a@b.example\n",
            "",
        ],
    )
    def test_other_email_is_no_report(self, content):
        assert bounces.refused_address(parsed(content)) is None


@pytest.fixture
def emailed(db, smtp):
    """An email that Anna was sent."""
    open_table("Anna", "Boris", "Clara")
    delivery.drain(now=MONDAY)
    return OutboxEmail.objects.filter(person__name="Anna", status="sent").first()


class TestWhoIsBelieved:
    @pytest.mark.parametrize("part", ["text/rfc822-headers", "message/rfc822"])
    def test_a_report_about_email_of_ours(self, emailed, part):
        returned = parsed(report(original_id=emailed.message_id, part=part))
        assert bounces.record_returned(returned, SOON)
        anna = emailed.person
        anna.refresh_from_db()
        assert (anna.is_unreachable, anna.refused_email_at) == (True, SOON)
        assert "User unknown" in anna.refused_email_why

    @pytest.mark.sample(1)
    @pytest.mark.parametrize(
        ("own", "reported"),
        [
            ("anna@xn--bcher-kva.example", "anna@bücher.example"),
            ("anna@bücher.example", "anna@xn--bcher-kva.example"),
            ("anna@gmail.com", "Anna@googlemail.com"),
        ],
    )
    def test_however_the_address_is_spelled(self, emailed, own, reported):
        anna = emailed.person
        type(anna).objects.filter(pk=anna.pk).update(email=own)
        content = report(original_id=emailed.message_id).replace("anna@example.org", reported)
        assert bounces.record_returned(parsed(content), SOON)
        anna.refresh_from_db()
        assert anna.is_unreachable
        reached_again.record_delivered(reported)
        anna.refresh_from_db()
        assert not anna.is_unreachable

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("original_id", ["", "<guessed@localhost>", "of another"])
    def test_not_one_that_anybody_could_have_written(self, emailed, original_id):
        if original_id == "of another":
            boris = OutboxEmail.objects.filter(person__name="Boris", status="sent").first()
            original_id = boris.message_id
        assert not bounces.record_returned(parsed(report(original_id=original_id)), SOON)
        emailed.person.refresh_from_db()
        assert not emailed.person.is_unreachable


def by_postmark(**event):
    told = {"RecordType": "Bounce", "Email": "Anna@example.org", "Details": "smtp;550 No such user"}
    secret = base64.b64encode(SECRETS["postmark"].encode()).decode()
    return {"data": json.dumps(told | event), "HTTP_AUTHORIZATION": f"Basic {secret}"}


def by_mailgun(key=SECRETS["mailgun"], **event):
    told = {"recipient": "anna@example.org", "timestamp": 1700000000.5, "event": "failed"}
    signed = signed_by_mailgun(key)
    return {"data": json.dumps({"signature": signed, "event-data": told | event})}


def posted(what):
    return Client().post(EVENTS, content_type="application/json", **what)


def answered(code, message):
    return {"severity": "permanent", "delivery-status": {"code": code, "message": message}}


@pytest.fixture
def anna(db):
    return person("Anna")


@pytest.fixture
def service(request, settings):
    with email_service(request.param, settings) as server:
        yield server


POSTMARK = pytest.mark.parametrize("service", ["postmark"], indirect=True)
MAILGUN = pytest.mark.parametrize("service", ["mailgun"], indirect=True)


class TestReports:
    @POSTMARK
    @pytest.mark.parametrize(
        ("event", "is_final"),
        [
            ({"Type": "HardBounce"}, True),
            ({"Type": "BadEmailAddress"}, True),
            ({"RecordType": "SpamComplaint", "Type": "SpamComplaint"}, True),
            (
                {
                    "RecordType": "SubscriptionChange",
                    "SuppressSending": True,
                    "SuppressionReason": "HardBounce",
                },
                True,
            ),
            (
                {
                    "RecordType": "SubscriptionChange",
                    "SuppressSending": False,
                    "SuppressionReason": "HardBounce",
                },
                False,
            ),
            ({"Type": "SoftBounce"}, False),
            ({"Type": "Transient"}, False),
            ({"Type": "DnsError"}, False),
            ({"Type": "AutoResponder"}, False),
            ({"Type": "SpamNotification"}, False),
            ({"RecordType": "Delivery"}, False),
            ({"RecordType": "Open"}, False),
            ({"RecordType": "Something new"}, False),
        ],
    )
    def test_by_postmark(self, service, event, is_final, anna):
        assert posted(by_postmark(**event)).status_code == 200
        anna.refresh_from_db()
        assert anna.is_unreachable is is_final

    @MAILGUN
    @pytest.mark.parametrize(
        ("event", "is_final"),
        [
            (answered(550, "5.1.1 No such user"), True),
            (answered(550, "No such user"), True),
            ({"severity": "permanent", "reason": "suppress-bounce"}, True),
            ({"event": "complained"}, True),
            (answered(550, "5.7.1 This looks like spam"), False),
            (answered(552, "5.2.2 The mailbox is full"), False),
            (answered(550, "5.1.1 No such user") | {"severity": "temporary"}, False),
            ({"severity": "permanent", "reason": "old"}, False),
            ({"event": "delivered"}, False),
            ({"event": "opened"}, False),
            ({"event": "something new"}, False),
        ],
    )
    def test_by_mailgun(self, service, event, is_final, anna):
        assert posted(by_mailgun(**event)).status_code == 200
        anna.refresh_from_db()
        assert anna.is_unreachable is is_final

    @POSTMARK
    def test_of_somebody_unknown_is_taken_and_does_nothing(self, service, db):
        assert posted(by_postmark(Type="HardBounce")).status_code == 200

    @POSTMARK
    def test_its_owner_reads_why_and_has_email_sent_again(self, service, anna):
        posted(by_postmark(Type="HardBounce"))
        page = browser(anna)
        text = text_of(page.get("/"))
        assert "We can't reach you by email" in text
        assert "smtp;550 No such user" in text
        page.post("/accounts/email/again/")
        anna.refresh_from_db()
        assert not anna.is_unreachable


class TestWhoMayReport:
    @POSTMARK
    @pytest.mark.parametrize("secret", [None, "", "postmark:wrong", "Pssst"])
    def test_not_who_has_no_password_for_postmark(self, service, secret, anna):
        report = by_postmark(Type="HardBounce")
        del report["HTTP_AUTHORIZATION"]
        if secret is not None:
            coded = base64.b64encode(secret.encode()).decode()
            report["HTTP_AUTHORIZATION"] = f"Basic {coded}"
        assert posted(report).status_code == 400
        anna.refresh_from_db()
        assert not anna.is_unreachable

    @MAILGUN
    def test_not_who_has_no_key_for_mailgun(self, service, anna):
        assert posted(by_mailgun(key="another", event="complained")).status_code == 400
        assert posted({"data": json.dumps({"event-data": {}})}).status_code == 400
        assert posted(by_postmark(Type="HardBounce")).status_code == 400
        anna.refresh_from_db()
        assert not anna.is_unreachable

    @POSTMARK
    @pytest.mark.parametrize("data", ["", "no JSON", "[]", "7", '{"FromFull": {}}'])
    def test_what_is_no_event_is_refused(self, service, data, db):
        assert posted(by_postmark() | {"data": data}).status_code == 400

    @POSTMARK
    def test_without_a_secret_there_is_no_such_page(self, service, settings, anna):
        settings.EMAIL_EVENTS_SECRET = ""
        assert posted(by_postmark(Type="HardBounce")).status_code == 404

    def test_nor_with_a_mail_server(self, settings, anna):
        settings.EMAIL_EVENTS_SECRET = SECRETS["postmark"]
        assert posted(by_postmark(Type="HardBounce")).status_code == 404

    @POSTMARK
    def test_nobody_reads_it(self, service, db):
        assert Client().get(EVENTS).status_code == 405

    @POSTMARK
    def test_with_the_secret_of_another_service_no_report_is_believed(
        self, service, settings, anna
    ):
        settings.EMAIL_EVENTS_SECRET = SECRETS["mailgun"]
        settings.ANYMAIL = events_by("postmark", SECRETS["mailgun"])
        assert posted(by_postmark(Type="HardBounce")).status_code == 400
