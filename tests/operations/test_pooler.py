"""PgBouncer in transaction mode before the site: many clients on few connections."""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, connection, connections
from psycopg.conninfo import make_conninfo

from games.models import Move
from games.services import timeouts
from games.services.operations import clock
from tests.support.client import browser
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.servers import free_port
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move, submit_move, tick

pytestmark = pytest.mark.full

SERVERS = 4
GAMES = 8
MOVES = 4
PLAYERS = 3

CONFIGURATION = """
[databases]
{name} = {address}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {listens}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {servers}
"""
LOOK = """
SELECT pg_backend_pid(), pg_sleep(0.1), (SELECT count(*) FROM pg_prepared_statements),
    (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())
"""
"""Slow enough for every connection to be busy while so many clients ask."""


@pytest.fixture
def pooler(transactional_db, monkeypatch, tmp_path):
    """Django's connections lead to a PgBouncer from now on."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}{os.pathsep}/usr/sbin")
    if program is None:
        if "CI" in os.environ:
            pytest.fail("pgbouncer is missing")
        pytest.skip("needs pgbouncer: apt-get install pgbouncer")
    connection.ensure_connection()
    server, port = connection.connection.info, free_port()
    address = {"host": server.host, "port": server.port, "user": server.user}
    if server.password:
        address["password"] = server.password
    owner = Path(server.host).owner() if Path(server.host).is_dir() else "nobody"
    file, log = tmp_path / "pgbouncer.ini", tmp_path / "log"
    file.write_text(
        CONFIGURATION.format(
            name=server.dbname, address=make_conninfo(**address), listens=port, servers=SERVERS
        )
    )
    connection.close()
    user = ["-u", owner] if os.geteuid() == 0 else []  # it refuses to run as root
    with log.open("wb") as output:
        process = subprocess.Popen([program, *user, file], stderr=output)
    unprepared = settings.BINDING | {"prepare_threshold": None}
    here = {"HOST": "127.0.0.1", "PORT": port, "OPTIONS": unprepared}
    try:
        with monkeypatch.context() as patch:
            for name, value in here.items():
                patch.setitem(connection.settings_dict, name, value)
            wait_until(lambda: answers(process, log))
            yield
            connection.close()
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_SECONDS)


def answers(process, log):
    assert process.poll() is None, log.read_text()
    with suppress(OperationalError):
        connection.ensure_connection()
    return connection.connection is not None


def look():
    """Which connection of the server this is, and what a session would have left there."""
    with connection.cursor() as cursor:
        cursor.execute(LOOK)
        server, _slept, *left = cursor.fetchone()
    return server, left, timeouts.in_force(connection)


def play(game):
    """Play so many moves, one after the other."""
    for _ in range(MOVES):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)


def read(client, game):
    """Load a page of the game several times, while others play."""
    for _ in range(2):
        assert client.get(game.get_absolute_url()).status_code == 200


def at_once(acts):
    """Do all of this at the same time, each as a client of its own; what they saw at the end."""
    ready = Barrier(len(acts))

    def run(act, *given):
        try:
            look()
            ready.wait(timeout=PATIENCE_SECONDS)
            act(*given)
            ready.wait(timeout=PATIENCE_SECONDS)
            return look()
        except BaseException:
            ready.abort()  # nobody waits for this one
            raise
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as threads:
        return [done.result() for done in [threads.submit(run, *act) for act in acts]]


@pytest.mark.counts
@pytest.mark.usefixtures("pooler")
def test_moves_pages_and_a_sweep_of_many_clients_on_few_connections(capsys):
    tick(MONDAY)
    games = [open_table(*(f"{place} of {n}" for place in "ABC")) for n in range(GAMES)]
    acts = [(play, game) for game in games]
    acts += [(read, browser(seat.user), game) for game in games for seat in game.seats.all()]
    assert len(acts) == GAMES * (1 + PLAYERS)

    seen = at_once(acts)

    assert len({server for server, _left, _limits in seen}) == SERVERS
    assert all(left == [0, 0] for _server, left, _limits in seen)
    assert all(limits == timeouts.TIMEOUTS for _server, _left, limits in seen)
    assert Move.objects.filter(cause="player").count() == GAMES * MOVES
    tick(MONDAY + 2 * DAY)
    assert clock.sweep(now=MONDAY + 2 * DAY) == GAMES
    assert Move.objects.filter(cause="clock").count() == GAMES
    capsys.readouterr()
    call_command("verify_games")
    assert capsys.readouterr().out == f"Games replayed: {GAMES}; with faults: 0.\n"
