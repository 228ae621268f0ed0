"""Email that is written while a drain runs, by clocks that differ, or when something fails."""

import subprocess
import sys
import threading
from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from games.models import Event, Export, Game, MailServer, OutboxEmail, database_now
from games.services import outbox
from games.services.email import delivery
from games.services.operations import shifts
from tests.support.client import person
from tests.support.mail_servers import choosy_server
from tests.support.patience import wait_until
from tests.support.stuck import altering_tables, table_locked
from tests.support.tables import open_table, seats_to_move

SECOND = timedelta(seconds=1)


@pytest.fixture
def closed(transactional_db):
    """A table that was closed, which is true for good; nobody was told."""
    game = open_table("Anna", "Boris", "Clara", now=database_now())
    OutboxEmail.objects.all().delete()
    Game.objects.update(status=Game.Status.CANCELLED, deadline_at=None)
    game.refresh_from_db()
    return game


def tell(game, name, now=None):
    """Write an email about the closed table to somebody who sits there."""
    reader = game.seats.get(user__name=name).user
    outbox.enqueue("table_closed", game=game, person=reader, now=now or database_now())


def receivers(inbox):
    return [mail["To"] for mail in inbox.messages]


def status():
    return set(OutboxEmail.objects.values_list("person__name", "status"))


@pytest.mark.counts
def test_what_is_committed_while_one_recipient_is_slow_leaves_before_that_one(
    closed, settings, monkeypatch
):
    monkeypatch.setattr(delivery, "SLOW_AFTER", 0.01)
    with choosy_server(settings) as inbox:
        inbox.waiting, inbox.enough = {"anna@example.org"}, 1

        def write_meanwhile():
            wait_until(lambda: inbox.asked_for)
            tell(closed, "Boris")
            connection.close()

        tell(closed, "Anna")
        writer = threading.Thread(target=write_meanwhile)
        writer.start()
        sent = delivery.drain(now=database_now())
        writer.join()
        assert (sent, receivers(inbox)) == (2, ["boris@example.org", "anna@example.org"])


def test_what_a_web_server_whose_clock_is_ahead_writes_leaves_at_once(closed, smtp):
    """But not what it wrote for later."""
    ahead = database_now() + 20 * SECOND
    tell(closed, "Anna", now=ahead)
    boris = closed.seats.get(user__name="Boris").user
    outbox.enqueue("table_closed", game=closed, person=boris, now=ahead, not_before=ahead + SECOND)
    shifts.mail()
    assert status() == {("Anna", "sent"), ("Boris", "ready")}


@pytest.fixture
def written_at_the_end(closed):
    """At the very end of a drain, an email is written: whoever it wakes finds the drain there."""
    tell(closed, "Boris")
    with altering_tables() as cursor:
        cursor.execute(
            "CREATE FUNCTION write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "UPDATE games_outboxemail SET status = 'ready' WHERE status = 'suspended'; "
            "RETURN NEW; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER write AFTER INSERT OR UPDATE ON games_tick FOR EACH ROW "
            "WHEN (NEW.name = 'mail') EXECUTE FUNCTION write()"
        )
    OutboxEmail.objects.update(status="suspended")
    yield closed
    with altering_tables() as cursor:
        cursor.execute("DROP TRIGGER write ON games_tick")
        cursor.execute("DROP FUNCTION write")


def test_what_is_written_at_the_end_of_a_drain_that_sent_nothing_is_not_forgotten(
    written_at_the_end, smtp
):
    assert shifts.mail()
    assert not shifts.mail()
    assert receivers(smtp) == ["boris@example.org"]


def test_a_mail_server_that_is_away_is_not_tried_without_end(written_at_the_end):
    MailServer.objects.create(unavailable_since=database_now(), tried_at=database_now())
    assert not shifts.mail()


def test_email_that_the_database_fails_at_is_sent_later(closed, smtp):
    """It is nothing in the email: a table that somebody alters holds it up for too long."""
    game = open_table("Dora", "Emil", "Fanny", now=database_now())
    OutboxEmail.objects.exclude(kind="your_turn").delete()
    now = database_now()
    with table_locked(Event), pytest.raises(OperationalError):
        delivery.drain(now=now)
    assert status() == {(seats_to_move(game)[0].user.name, "ready")}
    assert delivery.drain(now=now + SECOND) == 1


@pytest.mark.full
def test_a_broker_that_is_away_keeps_no_email_back(closed, process_environment, smtp):
    """Nobody can be called to make a file with all data, which comes first."""
    now = database_now()
    Export.objects.create(user=person("Dora"), requested_at=now, not_before=now)
    tell(closed, "Anna")
    away = process_environment | {"CELERY_BROKER_URL": "redis://127.0.0.1:1/0"}
    call = "import django; django.setup(); from games import tasks; tasks.mail()"
    subprocess.run([sys.executable, "-c", call], env=away, check=True)
    assert receivers(smtp) == ["anna@example.org"]
