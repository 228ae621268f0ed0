"""The PostgreSQL of the harness, with fsync on, and what is done to it from outside."""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from intrigue_site import embedded
from tests.support.patience import wait_until
from tests.support.servers import free_port

ROLE = "intrigue"
MOST_CONNECTIONS = 60
MOST_DEADLOCKS = 20

AGE = """
DO $$ DECLARE it record; BEGIN
    FOR it IN SELECT table_schema, table_name,
            string_agg(format('%1$I = %1$I - interval ''{seconds} seconds''', column_name), ', ')
                AS changes
        FROM information_schema.columns JOIN information_schema.tables
            USING (table_schema, table_name)
        WHERE table_schema IN ('public', 'faults') AND table_type = 'BASE TABLE'
            AND data_type = 'timestamp with time zone' AND table_name NOT IN ({spared})
        GROUP BY table_schema, table_name
    LOOP EXECUTE format('UPDATE %I.%I SET %s', it.table_schema, it.table_name, it.changes);
    END LOOP;
END $$
"""


class Database:
    """Where the data is, how it is started, and connections of the harness's own superuser."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.port = free_port()
        self.name = ROLE

    @property
    def url(self) -> str:
        return f"postgresql://{ROLE}@127.0.0.1:{self.port}/{self.name}"

    def command(self) -> list[str]:
        programs = embedded.programs()
        assert programs is not None
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": self.data,
            "max_connections": MOST_CONNECTIONS,
        }
        text = [f"-c{name}={value}" for name, value in settings.items()]
        return [str(programs / "postgres"), "-D", str(self.data), *text]

    def owner(self) -> int | None:
        """As root, PostgreSQL runs as the user to whom its data belongs."""
        return self.data.stat().st_uid if os.getuid() == 0 else None

    def connect(self, name: str = "") -> psycopg.Connection:
        return psycopg.connect(
            f"host=127.0.0.1 port={self.port} user=postgres dbname={name or self.name}",
            autocommit=True,
        )

    def answers(self, name: str = "") -> bool:
        with suppress(psycopg.Error):
            self.connect(name).close()
            return True
        return False

    def wait(self) -> None:
        wait_until(lambda: self.answers("postgres"))

    def rows(self, query: str, *values: object) -> list[tuple]:
        with self.connect() as connection:
            return connection.execute(query, values).fetchall()

    def value(self, query: str, *values: object) -> object:
        return self.rows(query, *values)[0][0]

    def number(self, query: str, *values: object) -> int:
        found = self.value(query, *values)
        assert isinstance(found, int)
        return found

    def run(self, *statements: str, noted: bool = False) -> None:
        """Do this, all or none, and again where it met others crosswise.

        No trigger fires unless it is to be `noted` in our logs, too.
        """
        for _ in range(MOST_DEADLOCKS):
            with suppress(psycopg.errors.DeadlockDetected), self.connect() as connection:
                with connection.transaction():
                    if not noted:
                        connection.execute("SET LOCAL session_replication_role = replica")
                    for statement in statements:
                        connection.execute(statement)
                return
        raise AssertionError(f"Deadlocks again and again: {statements}")

    def age(self, seconds: float, *spared: str) -> None:
        """Let so much time have passed for all that is stored, but for the `spared` tables.

        That is how nobody has to wait for hours: every instant in the database moves back.
        """
        names = ", ".join(f"'{name}'" for name in ("django_migrations", *spared))
        self.run(
            "LOCK TABLE games_game, games_outboxemail IN EXCLUSIVE MODE",
            AGE.format(seconds=seconds, spared=names),
        )

    def make_due(self, seats: str) -> None:
        """These seats, of a query for their ids, have to have answered five seconds from now."""
        soon = "deadline_at = now() + interval '5 s'"
        with self.connect() as connection, connection.transaction():
            connection.execute(f"CREATE TEMP TABLE due ON COMMIT DROP AS {seats}")
            connection.execute(f"UPDATE games_seat SET {soon} WHERE id IN (SELECT id FROM due)")
            connection.execute(
                f"UPDATE games_game SET {soon} WHERE id IN"
                " (SELECT game_id FROM games_seat WHERE id IN (SELECT id FROM due))"
            )

    @contextmanager
    def locked(self, game_id: int) -> Iterator[Callable[[], bool]]:
        """The row of a game, locked from outside as by a forgotten psql.

        Gives what tells whether somebody waits for it.
        """
        with self.connect() as connection, connection.transaction():
            connection.execute("SELECT id FROM games_game WHERE id = %s FOR UPDATE", [game_id])
            holder = connection.info.backend_pid
            yield lambda: bool(
                self.rows("SELECT 1 FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))",
                          holder)
            )  # fmt: skip

    def end_connections(self) -> int:
        """Terminate every connection of the site; how many there were."""
        return len(
            self.rows("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                      " WHERE usename = %s", ROLE)
        )  # fmt: skip


def create(database: Database) -> None:
    """The role and the empty database of the site."""
    with database.connect("postgres") as connection:
        connection.execute(f"CREATE ROLE {ROLE} LOGIN")
        connection.execute(f"CREATE DATABASE {database.name} OWNER {ROLE}")


def copy(migrated: str, database: Database) -> None:
    """The tables of another database, with what migrating has put into them, and its timeouts."""
    programs = embedded.programs()
    assert programs is not None
    emptied = ("games_*", "account_*", "mfa_*", "django_session", "django_admin_log", "cache")
    spared = [f"--exclude-table-data={name}" for name in emptied]
    text = [str(programs / "pg_dump"), "--no-owner", "--no-privileges", *spared, migrated]
    dump = subprocess.run(text, capture_output=True, check=True).stdout
    read = [str(programs / "psql"), "--quiet", "--set=ON_ERROR_STOP=1", database.url]
    subprocess.run(read, input=dump, stdout=subprocess.DEVNULL, check=True)
    with psycopg.connect(migrated) as source, database.connect() as own:
        asked = (
            "SELECT unnest(setconfig) FROM pg_db_role_setting JOIN pg_roles r ON r.oid = setrole"
            " WHERE rolname = current_user"
        )
        for (setting,) in source.execute(asked).fetchall():
            name, _, value = setting.partition("=")
            own.execute(f"ALTER ROLE {ROLE} SET {name} = '{value}'")
