"""Any number of senders share the email: each is sent once, and each person's in order."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from contextlib import ExitStack
from datetime import timedelta
from functools import partial

import pytest
from django.conf import settings
from django.db import connection, transaction

from games.models import EmailSender, Game, MailServer, OutboxEmail, Tick, database_now
from games.services import outbox
from games.services.email import delivery
from games.services.email import senders as senders_of_email
from games.services.email.bundles import CLAIMED_AT_ONCE, Bundles
from games.services.operations import shifts
from tests.support.client import person
from tests.support.mail_servers import choosy_server, with_options
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.races import at_once
from tests.support.tables import open_table

pytestmark = [pytest.mark.counts, pytest.mark.django_db(transaction=True)]

TABLES = 20
TO_EACH = 5
EMAILS = 2 * TABLES * TO_EACH
MIDDLE = EMAILS // 3

SENDER = """
import select, sys
import django; django.setup()
from django.db import DatabaseError, InterfaceError, connection
from games.models import database_now
from games.services.email import delivery
delivery.SLOW_AFTER = 60  # one at a time, also on a slow machine
print("ready", flush=True)
sys.stdin.readline()
sent = 0
while not select.select([sys.stdin], [], [], 0.2)[0]:
    try:
        sent += delivery.drain(now=database_now())
    except (DatabaseError, InterfaceError):
        # It was frozen in a transaction, which the database has ended.
        connection.close()
print(sent, flush=True)
"""


@pytest.fixture
def inbox(process_environment, settings):
    """What takes the email of this process, and in place of another server that of the senders."""
    with choosy_server(settings) as inbox:
        yield inbox


@pytest.fixture
def table(transactional_db):
    """A table that was closed, which is true for good; nobody was told."""
    game = open_table("Clara", "Dora", "Emil")
    OutboxEmail.objects.all().delete()
    Game.objects.update(status=Game.Status.CANCELLED, deadline_at=None)
    return game


def write(table, somebody, count):
    """Emails about a table to somebody, which nothing makes one of: their ids say so."""
    for number in range(count):
        outbox.enqueue(
            "table_closed", game=table, person=somebody, now=database_now(), about=number
        )
    for email in OutboxEmail.objects.filter(game=table, person=somebody):
        email.message_id = f"<{email.about}.{table.pk}.{somebody.pk}@example.org>"
        email.save()


@pytest.fixture
def many(table):
    """Emails of many tables, to two people of each."""
    for number in range(TABLES):
        game = Game.objects.get(pk=table.pk)
        game.pk, game.token, game.slug = None, f"table{number}", ""
        game.save()
        for name in ("Anna", "Boris"):
            write(game, person(f"{name}{number}"), TO_EACH)


@pytest.fixture
def senders(process_environment, settings, inbox):
    """Processes that send what is ready, from one line of input to the next."""
    options = settings.MAILERS["default"]["OPTIONS"]
    environment = process_environment | {"SMTP_PORT": str(options["port"])}
    with ExitStack() as ends:

        def start(count):
            processes = []
            for _ in range(count):
                process = subprocess.Popen(
                    [sys.executable, "-c", SENDER],
                    env=environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
                ends.enter_context(process)
                ends.callback(process.kill)
                processes.append(process)
            for process in processes:
                assert process.stdout.readline() == "ready\n"
            for process in processes:
                tell(process)
            return processes

        yield start


def tell(process):
    process.stdin.write("\n")
    process.stdin.flush()


def all_are_sent():
    return OutboxEmail.objects.filter(status="sent").count() == EMAILS


def taken(inbox):
    """How often each email was taken."""
    return Counter(mail["Message-ID"] for mail in inbox.messages)


def assert_in_order(inbox):
    """Each person's emails of each table came in the order in which they were written."""
    numbers = defaultdict(list)
    for name in dict.fromkeys(mail["Message-ID"] for mail in inbox.messages):
        number, table_and_person = name.strip("<>").split(".", 1)
        numbers[table_and_person].append(int(number))
    assert list(numbers.values()) == [list(range(TO_EACH))] * (2 * TABLES)


@pytest.mark.full
def test_two_share_a_queue_and_send_each_email_once_and_each_persons_in_order(many, inbox, senders):
    inbox.seconds_for_a_mail = 0.01
    two = senders(2)
    wait_until(all_are_sent)
    for process in two:
        tell(process)
    sent = [int(process.stdout.readline()) for process in two]
    assert min(sent) > 0
    assert sum(sent) == len(inbox.messages) == EMAILS
    assert set(taken(inbox).values()) == {1}
    assert_in_order(inbox)


@pytest.mark.full
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_what_a_sender_had_claimed_when_it_died_or_froze_others_send(many, inbox, senders, how):
    """Only the one email may come twice that was on its way, of which nobody knows what became.

    One that was frozen goes on, and sends nothing that others have taken over.
    """
    inbox.seconds_for_a_mail = 0.01
    inbox.enough, started = MIDDLE, []

    def end_one():
        wait_until(lambda: started)
        os.kill(started[0].pid, how)

    inbox.then = end_one
    started += senders(2)
    wait_until(all_are_sent)
    if how is signal.SIGSTOP:
        os.kill(started[0].pid, signal.SIGCONT)
        tell(started[0])
    assert started[0].wait() == (-how if how is signal.SIGKILL else 0)
    assert sum(taken(inbox).values()) <= EMAILS + 1
    assert len(taken(inbox)) == EMAILS
    assert_in_order(inbox)


@pytest.mark.full
def test_a_sender_that_was_taken_for_dead_sends_no_more_than_what_was_on_its_way(
    table, inbox, monkeypatch
):
    """Of six emails that it has claimed, one; the others are left to whoever took them over."""
    monkeypatch.setattr(senders_of_email, "SAYS_SO_EVERY", 0)
    for number in range(6):
        write(table, person(f"Anna{number}"), 1)

    def take_over():
        EmailSender.objects.all().delete()
        OutboxEmail.objects.filter(status="sending").update(status="ready")
        connection.close()

    inbox.enough, inbox.then = 1, take_over
    now = database_now()
    assert delivery.drain(now=now) == 1
    assert len(inbox.messages) == 1
    assert delivery.drain(now=now) == 5
    assert set(taken(inbox).values()) == {1}


def claimed_by(sender, *emails):
    """These emails are being sent by this one, who took them over just now."""
    OutboxEmail.objects.filter(pk__in=emails).update(status="sending", claimed_by=sender.pk)


def lives(worker, minutes=1):
    later = database_now() + timedelta(minutes=minutes)
    return EmailSender.objects.create(worker=worker, lives_until=later)


def test_of_two_who_release_at_once_neither_takes_away_what_a_third_has_claimed_since(table):
    write(table, person("Anna"), 1)
    email = OutboxEmail.objects.get()
    claimed_by(lives("dead", minutes=-1), email.pk)

    def release_and_let_a_third_claim():
        """In one transaction, so that the other one is in the midst of its own."""
        with transaction.atomic():
            OutboxEmail.objects.select_for_update().get()
            is_held.set()
            wait_until(somebody_waits)
            claimed_by(lives("third"), email.pk)

    def release():
        assert is_held.wait(PATIENCE_SECONDS)
        senders_of_email.release_stuck(now=database_now())

    is_held = threading.Event()
    at_once(release_and_let_a_third_claim, release)
    email.refresh_from_db()
    assert email.status == "sending"


@pytest.mark.full
def test_one_that_goes_on_sending_releases_what_another_had_claimed_that_died(table):
    """Not at once where it was silent itself: then the database may have been away for both."""
    write(table, person("Anna"), 1)
    email = OutboxEmail.objects.get()
    claimed_by(lives("dead", minutes=-1), email.pk)

    def is_released():
        email.refresh_from_db()
        return email.status == "ready"

    with senders_of_email.begin(database_now, "") as sender:
        time.sleep(2 * senders_of_email.SAYS_SO_EVERY + senders_of_email.BENEFIT_OF_THE_DOUBT)
        assert sender.lives_on()
        assert not is_released()
        wait_until(lambda: sender.lives_on() and is_released())
        assert list(EmailSender.objects.values_list("pk", flat=True)) == [sender.id]


@pytest.mark.full
def test_what_it_releases_comes_before_all_that_it_had_listed(table):
    for number in range(2 * CLAIMED_AT_ONCE):
        write(table, person(f"Anna{number}"), 1)
    oldest = OutboxEmail.objects.earliest("not_before", "pk")
    claimed_by(lives("dead", minutes=-1), oldest.pk)
    with senders_of_email.begin(database_now, "") as sender:
        bundles = Bundles(sender)
        for _ in range(CLAIMED_AT_ONCE):
            bundles.next(may_claim=True, may_retry=False)
        wait_until(lambda: sender.lives_on() and sender.has_released)
        [claim] = bundles.next(may_claim=True, may_retry=False)
        assert claim.email.pk == oldest.pk


def somebody_waits():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        return cursor.fetchone()[0]


def test_what_the_version_before_had_claimed_is_its_own_as_long_as_its_drain_may_last(table, inbox):
    """It names no sender; a worker of it may still run for a moment during an upgrade."""
    write(table, person("Anna"), 1)
    now = database_now()
    OutboxEmail.objects.update(status="sending", claimed_at=now - timedelta(seconds=89))
    assert delivery.drain(now=now) == 0
    assert delivery.drain(now=now + timedelta(seconds=2)) == 1


def test_a_sender_lives_while_a_mail_server_takes_its_time_to_greet(
    table, inbox, settings, monkeypatch
):
    """Else others would take it for dead before it can send anything, again and again."""
    monkeypatch.setattr(senders_of_email, "SAYS_SO_EVERY", 0)
    write(table, person("Anna"), 1)

    def wait_for_a_sign_of_life_and_hang_up():
        wait_until(EmailSender.objects.exists)
        EmailSender.objects.update(lives_until=database_now() - timedelta(minutes=1))
        wait_until(lambda: EmailSender.objects.get().lives_until > database_now())
        server.accept()[0].close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.MAILERS = with_options(settings.MAILERS, port=server.getsockname()[1])
        drain = partial(delivery.drain, now=database_now())
        assert at_once(drain, wait_for_a_sign_of_life_and_hang_up) == [0, None]


def test_who_leaves_email_to_another_process_of_the_worker_has_not_looked_for_it(table):
    """Else nobody would notice that that one hangs (`email.outages`)."""
    write(table, person("Anna"), 1)
    lives("worker")
    assert delivery.drain(now=database_now(), worker="worker") == 0
    assert not Tick.objects.filter(name=Tick.MAIL).exists()


@pytest.fixture
def late_games(table):
    """So many overdue games that the clock is behind, but for the first of them."""
    overdue = database_now() - timedelta(seconds=1.2 * settings.SWEEP_SECONDS)
    for number in range(senders_of_email.LATE_GAMES + 1):
        game = Game.objects.get(pk=table.pk)
        game.pk, game.token, game.slug = None, f"late{number}", ""
        game.status, game.deadline_at = Game.Status.RUNNING, overdue
        game.save()
    return Game.objects.filter(token__startswith="late")


@pytest.mark.full
def test_while_many_games_are_overdue_by_more_than_a_sweep_email_leaves_seldom(
    table, inbox, late_games
):
    """Email takes most of a busy machine, and moves that are late make everybody wait."""
    begun = Tick.objects.filter(name=Tick.MAIL_BEGUN)
    for number, name in enumerate(("Anna", "Boris")):
        write(table, person(name), 1)
        assert not shifts.mail()
        assert len(inbox.messages) == number + 1
        write(table, person(f"{name}2"), 1)
        assert not shifts.mail()  # nor is it tried again at once
        assert len(inbox.messages) == number + 1
        OutboxEmail.objects.filter(status="ready").delete()
        begun.update(at=database_now() - senders_of_email.WHILE_BEHIND_EVERY)
    late_games.filter(token="late0").update(deadline_at=database_now())
    for name in ("Gina", "Hugo"):
        write(table, person(name), 1)
        shifts.mail()
    assert len(inbox.messages) == 4


@pytest.mark.full
def test_a_sender_that_is_at_work_takes_up_no_more_as_long_as_the_clock_is_behind(late_games):
    with senders_of_email.begin(database_now, "") as sender:
        assert sender.may_claim()
        wait_until(lambda: not sender.may_claim())
        late_games.delete()
        wait_until(sender.may_claim)


def first_bundle():
    with senders_of_email.begin(database_now, "") as sender:
        return Bundles(sender).next(may_claim=True, may_retry=False)


@pytest.mark.full
def test_only_one_of_two_who_claim_at_once_gets_a_persons_email(table):
    """The one that is first; the others wait until it has left."""
    for number in range(10):
        write(table, person(f"Anna{number}"), 2)
        got = at_once(first_bundle, first_bundle)
        [bundle] = [bundle for bundle in got if bundle is not None]
        assert [claim.email.about for claim in bundle] == [0]
        OutboxEmail.objects.all().delete()


def test_a_server_that_lets_no_more_in_is_not_away_while_others_send(table, inbox):
    """It may take so many connections at once."""
    for name in ("Anna", "Boris", "Fanny"):
        write(table, person(name), 1)
    of_others = OutboxEmail.objects.get(person__name="Boris")
    claimed_by(lives("another", minutes=2), of_others.pk)
    inbox.to_sender = "421 4.7.0 Too many connections"
    assert not shifts.mail()  # nor is it tried again at once
    assert not MailServer.objects.exists()
    OutboxEmail.objects.filter(pk=of_others.pk).update(status="sent")
    delivery.drain(now=database_now() + timedelta(minutes=1))
    assert MailServer.objects.get().unavailable_since is not None
