"""The doctor sends an email to the site itself and looks for it where email comes in."""

import subprocess
import sys
import threading
from datetime import timedelta
from email.message import EmailMessage
from typing import NamedTuple

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from games.features.inbound import findings, inbox, probes
from games.features.inbound.inbox import Outcome
from games.models import InboundEmail, InboundTally, Tick
from games.services.operations import trim
from games.services.operations.doctor import workers
from games.services.operations.doctor.checkup import checkup
from games.services.operations.probes import asking
from tests.features.inbound.replying import DOMAIN, OUR_SERVER, deliver, lmtp_server, vouched
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.public_sites import is_listening
from tests.support.servers import free_port
from tests.support.tables import DAY, MONDAY


class Relay(threading.Thread):
    """The mail server of the host: adds what it has found out, and delivers what we sent.

    A careless one leaves what others have written in its name.
    """

    def __init__(self, smtp, server, results, *, careless=False):
        super().__init__(daemon=True)
        self.smtp, self.server, self.results = smtp, server, results
        self.careless = careless

    def run(self):
        wait_until(lambda: self.smtp.messages)
        email = self.smtp.messages[-1]
        passed_on = EmailMessage()
        if self.results:
            passed_on["Authentication-Results"] = self.results
        for name, value in email.items():
            if self.careless or name != "Authentication-Results":
                passed_on[name] = value
        deliver(self.server, passed_on, to=email["To"])


def found(smtp, results, **more):
    with lmtp_server() as server:
        relay = Relay(smtp, server, results, **more)
        relay.start()
        [check] = findings.probe()
        relay.join(PATIENCE_SECONDS)
    return check


@pytest.mark.django_db(transaction=True)
def test_a_message_that_comes_in_is_well(smtp):
    text = (
        "A test message to reply.example.org has come in, checked by mx.example.org (dkim=pass, "
        "spf=pass, dmarc=pass)."
    )
    assert found(smtp, vouched().replace("\r\n", "")) == ("Replies", text, True)
    assert bytes(InboundEmail.objects.get().raw) == b""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "results", ["", vouched(server="mx.elsewhere.example").replace("\r\n", "")]
)
def test_a_message_that_nobody_checked_is_not(smtp, results):
    _part, text, is_well = found(smtp, results)
    assert not is_well
    assert f"but without Authentication-Results of {OUR_SERVER}" in text


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("results", ["none", "iprev=pass policy.iprev=192.0.2.1"])
def test_a_mail_server_that_checks_no_email_of_its_own_is_named(smtp, results):
    """As rspamd does by itself: players with mailboxes there would be dropped."""
    _part, text, is_well = found(smtp, f"{OUR_SERVER}; {results}")
    assert not is_well
    assert f"Authentication-Results of {OUR_SERVER} say nothing of DMARC, SPF or DKIM" in text
    assert "`check_local = true;`" in text


class Place(NamedTuple):
    port: int
    hostname: str = "127.0.0.1"


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_a_process_that_has_another_key_takes_the_message_and_is_named(smtp, process_environment):
    place = Place(free_port())
    environment = {
        **process_environment,
        "MAIL_REPLIES_DOMAIN": DOMAIN,
        "MAIL_AUTHSERV_ID": OUR_SERVER,
        "LMTP_ADDRESS": f"127.0.0.1:{place.port}",
        "SECRET_KEY": "another key, " * 6,
    }
    command = [sys.executable, "manage.py", "receive_email"]
    with subprocess.Popen(command, env=environment) as process:
        try:
            wait_until(lambda: is_listening(place.port))
            relay = Relay(smtp, place, vouched().replace("\r\n", ""))
            relay.start()
            key, come_in = findings.probe()
            relay.join(PATIENCE_SECONDS)
        finally:
            process.terminate()
    assert key.text.startswith("The process that takes replies has another SECRET_KEY than this")
    assert not key.is_well
    assert come_in.is_well


@pytest.mark.django_db(transaction=True)
def test_what_anybody_can_forge_is_found_out(smtp):
    _part, text, is_well = found(smtp, "", careless=True)
    assert not is_well
    assert f"with Authentication-Results of {OUR_SERVER} that it had brought along" in text
    assert "anybody could play for others" in text


@pytest.mark.django_db(transaction=True)
def test_what_was_forged_does_no_harm_below_what_our_server_says(smtp):
    *_said, is_well = found(smtp, vouched().replace("\r\n", ""), careless=True)
    assert is_well


@pytest.mark.django_db
def test_a_message_that_doesnt_come_in_is_reported_with_what_to_do(smtp, monkeypatch):
    monkeypatch.setattr(findings, "PROBE_SECONDS", 0.1)
    [(_part, text, is_well)] = findings.probe()
    assert not is_well
    assert "hasn't come in" in text
    assert "manage.py receive_email" in text
    assert "localhost:8024" in text


@pytest.mark.django_db
def test_only_the_doctor_can_make_such_an_address(settings):
    with asking() as nonce:
        address = probes.address_of(nonce)
        assert probes.is_probe(address.upper())
        assert not probes.is_probe(f"x{address}")
        assert not probes.is_probe(probes.address_of("0" * len(nonce)))
        settings.SECRET_KEY = "another key"
        assert probes.is_probe(address)
        Tick.objects.update(at=Now() - timedelta(minutes=6))
        assert not probes.is_probe(address)
        Tick.objects.update(at=Now())
        settings.MAIL_REPLIES_DOMAIN = ""
        assert not probes.is_probe(address)
    settings.MAIL_REPLIES_DOMAIN = address.partition("@")[2]
    assert not probes.is_probe(address)


@pytest.mark.django_db
def test_what_came_in_lately_is_shown():
    assert findings.lately(MONDAY) == ("Inbox", "Email in the last 7 days: none.", True)
    for outcome in (Outcome.STORED, Outcome.FORGED, Outcome.FORGED):
        inbox.count(outcome, MONDAY)
    text = "Email in the last 7 days: forged 2, stored 1."
    assert findings.lately(MONDAY + 6 * DAY) == ("Inbox", text, True)
    assert findings.lately(MONDAY + 7 * DAY).text == "Email in the last 7 days: none."
    InboundTally.objects.filter(outcome="stored").delete()
    _part, text, is_well = findings.lately(MONDAY)
    assert not is_well
    assert "All replies were dropped as forged" in text
    InboundEmail.objects.create(message_id="x", received_at=MONDAY)
    assert findings.lately(MONDAY + DAY).text.startswith("Email that nobody has read")


@pytest.mark.full
@pytest.mark.django_db
def test_the_doctor_looks_only_where_replies_are_on(smtp, settings, monkeypatch):
    monkeypatch.setattr(workers, "PING_SECONDS", 0.1)
    monkeypatch.setattr(workers, "PATIENCE_SECONDS", 0.1)
    monkeypatch.setattr(findings, "PROBE_SECONDS", 0.1)
    parts = [finding.part for finding in checkup(now=timezone.now(), by_web=False)]
    assert {"Replies", "Inbox"} <= set(parts)
    settings.MAIL_REPLIES_DOMAIN = ""
    parts = [finding.part for finding in checkup(now=timezone.now(), by_web=False)]
    assert {"Replies", "Inbox"}.isdisjoint(parts)


@pytest.mark.django_db
def test_where_the_database_fails_replies_are_not_mentioned(smtp):
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE games_inboundemail")
    assert list(findings.findings()) == []


@pytest.mark.full
@pytest.mark.django_db
def test_what_came_in_a_week_ago_goes():
    InboundEmail.objects.create(message_id="x", received_at=MONDAY)
    InboundTally.objects.create(day=MONDAY.date(), outcome="stored", count=1)
    assert trim.trim(now=MONDAY + 7 * DAY).features == 0
    assert trim.trim(now=MONDAY + 8 * DAY).features == 1
    assert not InboundEmail.objects.exists()
    assert trim.trim(now=MONDAY + 92 * DAY).features == 1
