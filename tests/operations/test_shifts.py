"""What a worker does for messages of beats, of which there may be too many."""

import threading
from contextlib import suppress
from datetime import timedelta
from functools import partial

import psycopg
import pytest
from django.db import connections

from games.models import Game, OutboxEmail, Seat, Tick, database_now
from games.services import outbox
from games.services.operations import shifts
from games.services.sql import BETWEEN_TRIES
from tests.support.client import person
from tests.support.mail_servers import choosy_server
from tests.support.stuck import CONNECTION_LOST, altering_tables
from tests.support.tables import MONDAY, open_table, seats_to_move

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def nobody_helps(until):
    raise AssertionError(f"Nobody is called until {until}.")


def sweep():
    shifts.sweep(nobody_helps)


QUARTER = 15 * SECOND


@pytest.mark.counts
def test_of_many_that_begin_at_once_one_does():
    begun = [Tick.objects.begin("sweep begun", now=MONDAY, within=QUARTER) for _ in range(5)]
    assert begun == [True, False, False, False, False]
    assert not Tick.objects.begin("sweep begun", now=MONDAY + 14 * SECOND, within=QUARTER)
    assert Tick.objects.begin("sweep begun", now=MONDAY + 15 * SECOND, within=QUARTER)


def test_what_began_in_the_future_holds_nobody_up():
    """A clock was set back: else nothing would happen until it is that late again."""
    Tick.objects.create(name="sweep begun", at=MONDAY + timedelta(hours=1))
    assert Tick.objects.begin("sweep begun", now=MONDAY, within=QUARTER)
    assert not Tick.objects.begin("sweep begun", now=MONDAY, within=QUARTER)


def test_a_surplus_message_costs_three_small_queries(django_assert_num_queries):
    sweep()
    shifts.trim()
    swept = Tick.objects.last_sweep()
    for surplus in (sweep, shifts.trim):
        with django_assert_num_queries(3):
            surplus()
    assert Tick.objects.last_sweep() == swept


def test_a_surplus_message_about_email_opens_no_connection(smtp, django_assert_max_num_queries):
    open_table("Anna", "Boris", "Clara", now=database_now())
    shifts.mail()
    assert smtp.messages
    smtp.messages.clear()
    with django_assert_max_num_queries(17):
        shifts.mail()
    assert smtp.messages == []


@pytest.mark.full
def test_a_sweep_that_fails_stops_no_email(smtp):
    """One seat that cannot be reminded, whatever the sweep makes of it."""
    now = database_now()
    broken = open_table("Anna", "Boris", "Clara", now=now)
    asked = seats_to_move(broken)[0]
    Seat.objects.filter(pk=asked.pk).update(deadline_set_at=None, remind_at=now - SECOND)
    open_table("Dora", "Emil", "Fanny", now=now)
    with suppress(ValueError):
        sweep()
    shifts.mail()
    assert not OutboxEmail.objects.filter(status="ready").exists()
    assert {"dora@example.org", asked.user.email} <= {mail["To"] for mail in smtp.messages}


def test_the_clock_of_the_database_counts_and_not_that_of_the_worker(time_machine):
    """A worker two hours ahead plays nothing early."""
    before = database_now()
    time_machine.move_to(before + timedelta(hours=2))
    game = open_table("Anna", "Boris", "Clara", now=before)
    sweep()
    assert before <= Tick.objects.last_sweep() < before + timedelta(hours=1)
    assert not game.moves.exists()


@pytest.fixture
def inbox(settings):
    with choosy_server(settings) as inbox:
        yield inbox


def by_another_connection(statement):
    where = connections["default"].get_connection_params()
    address = {key: where[key] for key in ("host", "port", "user", "password") if key in where}
    with psycopg.connect(dbname="postgres", autocommit=True, **address) as other:
        other.execute(statement.replace("NAME", where["dbname"]))


def end_all_connections():
    """As when the database is stopped and started again."""
    by_another_connection(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'NAME'"
    )


def stay_away_for_a_while():
    """As when that takes its time."""
    by_another_connection('ALTER DATABASE "NAME" ALLOW_CONNECTIONS false')
    end_all_connections()
    back = partial(by_another_connection, 'ALTER DATABASE "NAME" ALLOW_CONNECTIONS true')
    threading.Timer(3 * BETWEEN_TRIES, back).start()


def while_it_claims_some(_inbox):
    """The connection ends in the middle of the first statement that claims email."""
    with altering_tables() as cursor:
        cursor.execute("CREATE SEQUENCE claims")
        cursor.execute(
            "CREATE FUNCTION lost() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN IF NEW.status = 'sending' AND nextval('claims') = 1 "
            f"THEN {CONNECTION_LOST}; END IF; RETURN NEW; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER lost BEFORE UPDATE ON games_outboxemail FOR EACH ROW "
            "EXECUTE FUNCTION lost()"
        )


def after_the_third(inbox):
    inbox.enough, inbox.then = 3, end_all_connections


def for_a_while_after_the_third(inbox):
    inbox.enough, inbox.then = 3, stay_away_for_a_while


@pytest.fixture
def unbroken(transactional_db):
    yield
    with altering_tables() as cursor:
        cursor.execute("DROP TRIGGER IF EXISTS lost ON games_outboxemail")
        cursor.execute("DROP FUNCTION IF EXISTS lost")
        cursor.execute("DROP SEQUENCE IF EXISTS claims")


@pytest.mark.full
@pytest.mark.counts
@pytest.mark.parametrize(
    "ends", [while_it_claims_some, after_the_third, for_a_while_after_the_third]
)
def test_a_sender_that_loses_the_database_holds_up_no_email(unbroken, inbox, ends):
    """Either the sender itself goes on, or the next one may begin at once; nothing comes twice."""
    now = database_now()
    people = [person(f"P{number}") for number in range(6)]
    game = open_table("Anna", "Boris", "Clara")
    Game.objects.update(status=Game.Status.CANCELLED, deadline_at=None)
    Seat.objects.update(deadline_at=None)
    OutboxEmail.objects.all().delete()
    for one in people:
        outbox.enqueue("table_closed", game=game, person=one, now=now)
    ends(inbox)
    shifts.mail()
    assert not OutboxEmail.objects.filter(status="sending").exists()
    while shifts.mail():
        pass
    assert sorted(mail["To"] for mail in inbox.messages) == [one.email for one in people]
