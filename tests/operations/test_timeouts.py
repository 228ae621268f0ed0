"""The database's own time limits: on every kind of connection, and not in the way of long work."""

import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from django.db import connection, connections
from django.utils import timezone

from games.services import timeouts
from games.services.operations.doctor.checkup import checkup
from tests.operations.test_processes import CELERY
from tests.support.client import browser, person
from tests.support.hosted import running
from tests.support.patience import wait_until
from tests.support.servers import free_port
from tests.support.stuck import altering_tables

WANTED = {
    "lock_timeout": "500ms",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "1min",
}


@pytest.mark.django_db
def test_a_connection_and_one_of_another_thread_have_them():
    def read():
        try:
            return timeouts.in_force(connection)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(read).result() == WANTED
    assert timeouts.in_force(connection) == WANTED


@pytest.fixture
def seen_by_tables(transactional_db):
    """Whoever writes into these tables leaves there which limits held for them."""
    tables = ("games_tick", "django_session")
    shown = ", ".join(f"current_setting('{name}')" for name in WANTED)
    with altering_tables() as cursor:
        cursor.execute("CREATE TABLE seen (by_whom text, limits text[])")
        cursor.execute(
            "CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"INSERT INTO seen VALUES (TG_TABLE_NAME, ARRAY[{shown}]); RETURN NEW; END $$"
        )
        for table in tables:
            cursor.execute(
                f"CREATE TRIGGER look BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW "
                "EXECUTE FUNCTION look()"
            )

    def seen():
        with connection.cursor() as cursor:
            cursor.execute("SELECT DISTINCT by_whom, limits FROM seen ORDER BY by_whom")
            return cursor.fetchall()

    yield seen
    with altering_tables() as cursor:
        for table in tables:
            cursor.execute(f"DROP TRIGGER look ON {table}")
        cursor.execute("DROP FUNCTION look; DROP TABLE seen")


@pytest.mark.full
def test_the_worker_and_the_web_server_have_them(process_environment, seen_by_tables, tmp_path):
    """Beat has no connection: it only sends messages."""
    port = free_port()
    environment = {**process_environment, "SWEEP_SECONDS": "0.5", "DEBUG": "1"}
    worker = [*CELERY, "worker", "--concurrency", "1", "--without-gossip", "--without-mingle"]
    beat = [*CELERY, "beat", "--pidfile", ""]
    web = [sys.executable, "-m", "gunicorn", "intrigue_site.wsgi", "--threads", "2"]
    web += ["--no-control-socket", "--bind", f"127.0.0.1:{port}"]

    anna = browser(person("Anna"))

    def visited():
        """The first visit of somebody signed in is noted with their session."""
        cookie = f"sessionid={anna.cookies['sessionid'].value}"
        return ask(f"http://127.0.0.1:{port}/", {"Cookie": cookie, "Host": "localhost"})

    with ExitStack() as processes:
        for command, log in ((worker, "worker"), (beat, "beat"), (web, "web")):
            processes.enter_context(running(command, environment, tmp_path / f"{log}.log"))
        wait_until(lambda: visited() and len(seen_by_tables()) >= 2)
    limits = list(WANTED.values())
    assert seen_by_tables() == [("django_session", limits), ("games_tick", limits)]


def ask(url, headers):
    """Whether the page could be had."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as page:
            return page.status == 200
    except urllib.error.URLError:
        return False


@pytest.mark.parametrize("name", list(WANTED))
@pytest.mark.django_db
def test_the_doctor_reports_where_one_is_missing(name):
    first = next(checkup(now=timezone.now()))
    assert (first.part, first.is_well) == ("Database", True)
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {name} = 0")
    first = next(checkup(now=timezone.now()))
    assert (first.part, first.is_well) == ("Database", False)
    assert "Its time limits are missing" in first.text
