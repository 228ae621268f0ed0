"""F: PgBouncer in transaction mode, with ten times as many clients as it has connections."""

import shutil
from threading import Event, Thread

import psycopg
import pytest

from tests.faults.checker import conclude
from tests.faults.players import Players
from tests.faults.site import Site, running_site
from tests.support.patience import wait_until

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        shutil.which("pgbouncer", path="/usr/bin:/usr/sbin") is None,
        reason="needs pgbouncer: apt-get install pgbouncer",
    ),
]

CLIENTS, CONNECTIONS, MOVES = 200, 20, 1000
SESSIONS = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'intrigue'"


def test_f_two_hundred_clients_on_twenty_connections(long, prepared, figures):
    """The switch of the settings is the real one: a second, direct address of the database."""
    pooler = (CONNECTIONS, CLIENTS // 2)
    with running_site(prepared, pooler=pooler, games=CLIENTS, seconds=600) as site:
        watch = Watch(site)
        with watch, Players(site, threads=CLIENTS, pause=0) as players:
            wait_until(lambda: players.failures or players.acknowledged() >= MOVES)
        text = conclude(site, players)
    text.seen |= {"clients": watch.clients, "connections": watch.connections}
    text.wrong["threads that failed"] = len(players.failures)
    text.wrong["clients too few"] = max(0, CLIENTS - watch.clients)
    text.wrong["connections too many"] = max(0, watch.connections - CONNECTIONS)
    text.wrong["posts and pages not answered"] = sum(
        request.status in {0, 500, 503} for request in players.requests
    )
    figures("F pooler", text)


class Watch:
    """A context: the most clients of the pooler, and connections of PostgreSQL, while it lasts."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.clients = self.connections = 0
        self._end = Event()
        self._thread = Thread(target=self._look)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_error: object) -> None:
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        console = psycopg.connect(
            f"host=127.0.0.1 port={self.site.pooler_port} user=postgres dbname=pgbouncer",
            autocommit=True,
            cursor_factory=psycopg.ClientCursor,
        )
        with console:
            while not self._end.wait(0.2):
                clients = len(console.execute("SHOW CLIENTS").fetchall())
                self.clients = max(self.clients, clients)
                self.connections = max(self.connections, self.site.database.number(SESSIONS))
