"""Email as the mail server delivers it: over LMTP, stored before it is accepted."""

import smtplib
import socket
import subprocess
import sys
import threading
from email import message_from_string
from email.policy import default
from pathlib import Path

import pytest
from django.db import connection, transaction

from games.features.inbound import inbox
from games.features.inbound.acting import handling
from games.features.inbound.addresses import address_of
from games.models import Game, InboundEmail, OutboxEmail, SiteState, User, database_now
from games.services import outbox, site_state
from tests.features.inbound.replying import (
    DOMAIN,
    OUR_SERVER,
    confirmed,
    deliver,
    lmtp_server,
    written,
)
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.reports_of_bounces import report
from tests.support.servers import free_port
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def game():
    game = open_table("Anna", "Boris", "Clara")
    for user in User.objects.all():
        confirmed(user)
    OutboxEmail.objects.all().delete()
    return game


@pytest.fixture
def server():
    with lmtp_server() as server:
        yield server


def from_anna(game, text="status", **more):
    return written(
        "anna@example.org", address_of(User.objects.get(name="Anna"), game.pk), text, **more
    )


def test_another_version_of_the_database_is_met_with_later(game, server):
    SiteState.objects.create(migrated_by="99.0.0", works_with="99.0.0")
    site_state.forget()
    assert deliver(server, from_anna(game))[0] == 451
    SiteState.objects.all().delete()
    site_state.forget()
    assert deliver(server, from_anna(game)) == (250, "")


def test_a_message_is_stored_before_it_is_acknowledged(game, server):
    assert deliver(server, from_anna(game)) == (250, "")
    row = InboundEmail.objects.get()
    assert (row.person.name, row.game, row.state) == ("Anna", game, "waiting")
    assert b"status" in bytes(row.raw)
    assert not OutboxEmail.objects.exists()


def test_email_that_comes_back_ends_email_to_that_address(game, server, settings):
    settings.MAIL_BOUNCES = f"Bounces@{DOMAIN}"
    anna = User.objects.get(name="Anna")
    sent = outbox.email("game_started", game=game, person=anna, now=database_now())
    sent.message_id, sent.status = "<1@localhost>", OutboxEmail.Status.SENT
    sent.save()
    returned = message_from_string(report(original_id="<1@localhost>"), policy=default)
    assert deliver(server, returned, to=f"bounces@{DOMAIN}") == (250, "")
    anna.refresh_from_db()
    assert anna.is_unreachable
    assert not InboundEmail.objects.exists()


def test_nobody_has_any_other_address(game, server):
    email = from_anna(game)
    for address in (f"anna@{DOMAIN}", f"g-1-1-{'a' * 24}@{DOMAIN}", "postmaster"):
        code, output = deliver(server, email, to=address)
        assert (code, output) == (550, "5.1.1 Nobody has this address")
    assert not InboundEmail.objects.exists()


def test_what_is_forged_is_taken_and_dropped(game, server):
    """Refused, it would come back to the forged sender."""
    assert deliver(server, from_anna(game, results="")) == (250, "")
    assert not InboundEmail.objects.exists()


def test_a_large_message_is_refused(game, server):
    code, _said = deliver(server, from_anna(game, "word " * (inbox.LARGEST // 4)))
    assert code == 552
    assert not InboundEmail.objects.exists()


def test_each_recipient_is_a_delivery_of_its_own(game, server):
    boris = address_of(User.objects.get(name="Boris"), game.pk)
    email = from_anna(game)
    with smtplib.LMTP(server.hostname, server.port) as client:
        refused = client.sendmail("anna@example.org", [email["To"], boris], email.as_bytes())
    assert {address: code for address, (code, _said) in refused.items()} == {boris: 452}
    assert InboundEmail.objects.count() == 1


def test_a_bounce_is_taken_and_dropped(game, server):
    email = from_anna(game)
    with smtplib.LMTP(server.hostname, server.port) as client:
        assert client.sendmail("<>", [email["To"]], email.as_bytes()) == {}
    assert not InboundEmail.objects.exists()


def test_without_the_database_the_mail_server_tries_again_later(game, server, monkeypatch):
    email = from_anna(game)
    monkeypatch.setitem(connection.settings_dict, "HOST", "127.0.0.1")
    monkeypatch.setitem(connection.settings_dict, "PORT", str(free_port()))
    assert deliver(server, email)[0] == 451
    monkeypatch.undo()
    assert deliver(server, email) == (250, "")


def test_a_table_that_cannot_be_written_is_trouble_for_later(game, server):
    """The recipient is known, and then the message can't be stored."""
    email = from_anna(game)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_inboundemail RENAME TO games_elsewhere")
    try:
        assert deliver(server, email)[0] == 451
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE games_elsewhere RENAME TO games_inboundemail")


def responds(port):
    try:
        with smtplib.LMTP("127.0.0.1", port) as client:
            return client.noop()[0] == 250
    except (OSError, smtplib.SMTPException):
        return False


@pytest.mark.full
def test_the_process_takes_email_until_it_is_stopped(game, process_environment):
    port = free_port()
    environment = {
        **process_environment,
        "MAIL_REPLIES_DOMAIN": DOMAIN,
        "MAIL_AUTHSERV_ID": OUR_SERVER,
        "LMTP_ADDRESS": f"127.0.0.1:{port}",
    }
    command = [sys.executable, "manage.py", "receive_email"]
    with subprocess.Popen(command, env=environment, cwd=ROOT) as process:
        try:
            wait_until(lambda: responds(port))

            class Place:
                hostname = "127.0.0.1"

            Place.port = port
            assert deliver(Place, from_anna(game)) == (250, "")
        finally:
            process.terminate()
        assert process.wait(timeout=PATIENCE_SECONDS) == 0
    assert InboundEmail.objects.count() == 1


@pytest.mark.full
def test_the_process_listens_at_a_socket(process_environment, tmp_path):
    path = tmp_path / "lmtp"
    environment = {
        **process_environment,
        "MAIL_REPLIES_DOMAIN": DOMAIN,
        "MAIL_AUTHSERV_ID": OUR_SERVER,
        "LMTP_ADDRESS": str(path),
    }
    command = [sys.executable, "manage.py", "receive_email"]
    with subprocess.Popen(command, env=environment, cwd=ROOT) as process:
        try:
            wait_until(path.exists)
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(str(path))
                assert client.recv(100).startswith(b"220 ")
        finally:
            process.terminate()
        assert process.wait(timeout=PATIENCE_SECONDS) == 0


@pytest.mark.full
def test_the_process_waits_where_replies_are_off(process_environment):
    command = [sys.executable, "manage.py", "receive_email"]
    with subprocess.Popen(
        command, env=process_environment, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        output = process.stdout.readline()
        process.terminate()
        assert process.wait(timeout=PATIENCE_SECONDS) == 0
    assert (
        output == "Replies by email are off: MAIL_REPLIES_DOMAIN and MAIL_AUTHSERV_ID aren't set.\n"
    )


def test_an_email_whose_game_is_locked_is_read_once_it_is_free(game, server):
    anna = User.objects.get(name="Anna")
    User.objects.filter(pk=anna.pk).update(replies_at_once=True)
    assert deliver(server, from_anna(game, "Hello!")) == (250, "")
    with_lock = Holder(game)
    with_lock.start()
    try:
        with_lock.holds.wait(PATIENCE_SECONDS)
        handling.drain(database_now())
        assert InboundEmail.objects.get().state == "waiting"
    finally:
        with_lock.ends.set()
        with_lock.join(PATIENCE_SECONDS)
    handling.drain(database_now() + inbox.STUCK_AFTER + inbox.STUCK_AFTER)
    assert InboundEmail.objects.get().response["title"] == "done"
    assert game.messages.get().text == "Hello!"


class Holder(threading.Thread):
    """Locks a game until it has to end."""

    def __init__(self, game):
        super().__init__(daemon=True)
        self.game, self.holds, self.ends = game, threading.Event(), threading.Event()

    def run(self):
        try:
            with transaction.atomic():
                Game.objects.lock(self.game.pk)
                self.holds.set()
                self.ends.wait(PATIENCE_SECONDS)
        finally:
            connection.close()
