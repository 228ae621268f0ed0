"""What gets stuck in a database: rows that somebody holds, statements that fail or never end."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.db import connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Model


@contextmanager
def locked(*rows: Model) -> Iterator[None]:
    """Somebody else holds these rows, as an open psql would; they have to be committed."""
    with _somebody_else() as other:
        for row in rows:
            table = row._meta.db_table
            other.execute(f"SELECT 1 FROM {table} WHERE id = %s FOR UPDATE", [row.pk])
        yield


@contextmanager
def table_locked(model: type[Model]) -> Iterator[None]:
    """Somebody else alters this table: nobody can even read it."""
    with _somebody_else() as other:
        other.execute(f"LOCK TABLE {model._meta.db_table} IN ACCESS EXCLUSIVE MODE")
        yield


@contextmanager
def _somebody_else() -> Iterator[psycopg.Connection]:
    """Another connection, of which nothing stays."""
    parameters = connection.get_connection_params()
    parameters.pop("cursor_factory")
    parameters.pop("context")
    with psycopg.connect(**parameters) as other:
        yield other
        other.rollback()


@contextmanager
def altering_tables() -> Iterator[CursorWrapper]:
    """A cursor for what needs a whole table: autovacuum may have it for longer than the site waits.

    PostgreSQL takes a second to interrupt autovacuum; `lock_timeout` is half of one.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '60s'")
        yield cursor


@contextmanager
def trouble(table: str, *games: int, does: str) -> Iterator[None]:
    """Whatever is written about these games into this table meets trouble, in PL/pgSQL."""
    with altering_tables() as cursor:
        cursor.execute(
            "CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN IF NEW.game_id = ANY(ARRAY{list(games)}) THEN {does}; END IF; "
            "RETURN NEW; END $$"
        )
        cursor.execute(
            f"CREATE TRIGGER trouble BEFORE INSERT ON {table} FOR EACH ROW "
            "EXECUTE FUNCTION trouble()"
        )
    try:
        yield
    finally:
        with altering_tables() as cursor:
            cursor.execute(f"DROP TRIGGER trouble ON {table}")
            cursor.execute("DROP FUNCTION trouble")


DISK_FULL = "RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'"
TOO_LONG = "PERFORM pg_sleep(600)"
CONNECTION_LOST = "PERFORM pg_terminate_backend(pg_backend_pid()), pg_sleep(1)"
MISTAKE = "RAISE EXCEPTION 'a mistake' USING ERRCODE = '22000'"
