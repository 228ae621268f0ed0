"""How long the database waits for a lock, for a statement, and for a transaction to go on.

So that whatever is stuck stops only itself. The limits belong to the role that the site signs in
as, in its own database, where every connection finds them: those of any process and thread, and
those behind a pooler, which passes no settings on. `manage.py migrate` sets them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.errors import LockNotAvailable

TIMEOUTS: Final = {
    "lock_timeout": "500ms",
    "statement_timeout": "30s",
    "idle_in_transaction_session_timeout": "1min",
}
"""As PostgreSQL shows them."""


def set_for_role(database: BaseDatabaseWrapper) -> None:
    """Set them for every later connection of this role to this database."""
    with database.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        place = database.ops.quote_name(cursor.fetchone()[0])
        for name, value in TIMEOUTS.items():
            cursor.execute(f"ALTER ROLE CURRENT_USER IN DATABASE {place} SET {name} = '{value}'")


def lift(database: BaseDatabaseWrapper) -> None:
    """Let this one connection wait as long as it takes, until it is closed."""
    with database.cursor() as cursor:
        for name in TIMEOUTS:
            cursor.execute(f"SET {name} = 0")


def in_force(database: BaseDatabaseWrapper) -> dict[str, str]:
    """What holds on this connection."""
    with database.cursor() as cursor:
        cursor.execute(
            "SELECT name, current_setting(name) FROM unnest(%s::text[]) AS name", [list(TIMEOUTS)]
        )
        return dict(cursor.fetchall())


@contextmanager
def unless_locked() -> Iterator[None]:
    """A transaction that changes nothing where it would have to wait for somebody else's lock."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = 1")
            yield
    except OperationalError as failure:
        if not isinstance(failure.__cause__, LockNotAvailable):
            raise
