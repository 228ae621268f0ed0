"""Rows read and written by SQL of our own, where the ORM costs more than the database.

Only where somebody waits for a move or for the page of a game, and for what is done with each
email. Statements stand beside what uses them; docs/architecture.md lists them all. Everything else
asks by the ORM.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from django.db import InterfaceError, OperationalError, connection
from django.db.models import JSONField, Model

DATABASE_FAILS: Final = (OperationalError, InterfaceError)
"""What is raised where the database is away, or can't do something now."""


BETWEEN_TRIES: Final = 0.5
"""Seconds after which a database that is away is asked again."""


def once_more[T](work: Callable[[], T], for_seconds: float = 0.0) -> T:
    """Do it, and if the database fails do it again over a new connection; twice must do no harm.

    If it still fails, again and again `for_seconds`. Not inside a transaction, of which only a part
    would be done then.
    """
    until, tries = time.monotonic() + for_seconds, 0
    while True:
        try:
            return work()
        except DATABASE_FAILS:
            if connection.in_atomic_block or (tries and time.monotonic() > until):
                raise
        connection.close()
        if tries:
            time.sleep(BETWEEN_TRIES)
        tries += 1


_NO_EXPRESSION: Final[Any] = None


class Columns[M: Model]:
    """All columns of a model: `sql` for a statement, in which its table has this name."""

    def __init__(self, model: type[M], table: str) -> None:
        fields = model._meta.concrete_fields  # noqa: SLF001 (documented)
        self.model = model
        self.names = [field.attname for field in fields]
        self.width = len(fields)
        self.sql = ", ".join(f'{table}."{field.column}"' for field in fields)
        self.json = [
            (place, field) for place, field in enumerate(fields) if isinstance(field, JSONField)
        ]

    def read(self, row: Sequence[Any]) -> M:
        """The object of a row that begins with these columns."""
        values = list(row[: self.width])
        for place, field in self.json:
            if values[place] is not None:
                values[place] = field.from_db_value(values[place], _NO_EXPRESSION, connection)
        return self.model.from_db(connection.alias, self.names, values)


def table(model: type[Model]) -> str:
    """The name of the model's table, quoted."""
    return f'"{model._meta.db_table}"'  # noqa: SLF001 (documented)


def insert(
    rows: Sequence[Model], *, skip_known: bool = False, update: tuple[str, ...] = ()
) -> None:
    """Write rows of one table: new ones, or with `update` these columns of rows that exist.

    `skip_known` leaves out those that break a constraint of being unique. `bulk_create` makes its
    statement anew each time: 0.8 ms of CPU time for three events instead of 0.3, and about 2 ms
    for all that a move or a deadline writes. The rows don't learn their ids.
    """
    if rows:
        statement = insertion(type(rows[0]), len(rows), update)
        statement += " ON CONFLICT DO NOTHING" if skip_known else ""
        with connection.cursor() as cursor:
            cursor.execute(statement, values_of(rows, update))


def update(row: Model, columns: tuple[str, ...]) -> None:
    """Write these columns of a row that exists.

    `save` makes its statement anew each time: for a game, 1.2 ms of CPU time instead of 0.5, and
    more in the database, which can't keep its plan.
    """
    fields = _fields_named(type(row), columns)
    with connection.cursor() as cursor:
        cursor.execute(_change(type(row), columns), [*_stored(row, fields, add=False), row.pk])


@cache
def _change(model: type[Model], columns: tuple[str, ...]) -> str:
    changes = ", ".join(f'"{field.column}" = %s' for field in _fields_named(model, columns))
    return f"UPDATE {table(model)} SET {changes} WHERE id = %s"  # noqa: S608 - names of our own


@cache
def insertion(model: type[Model], rows: int, update: tuple[str, ...] = ()) -> str:
    """The statement that writes so many rows, with the places of `values_of` them."""
    fields = _written_fields(model, with_key=bool(update))
    columns = ", ".join(f'"{field.column}"' for field in fields)
    places = ", ".join([f"({', '.join(['%s'] * len(fields))})"] * rows)
    statement = f"INSERT INTO {table(model)} ({columns}) VALUES {places}"  # noqa: S608
    if not update:
        return statement
    changed = [field.column for field in fields if field.name in update]
    changes = ", ".join(f'"{column}" = EXCLUDED."{column}"' for column in changed)
    return f"{statement} ON CONFLICT (id) DO UPDATE SET {changes}"


def values_of(rows: Sequence[Model], update: tuple[str, ...] = ()) -> list[Any]:
    """What these rows store, one after the other."""
    fields = _written_fields(type(rows[0]), with_key=bool(update))
    return [value for row in rows for value in _stored(row, fields, add=not update)]


def _stored(row: Model, fields: Sequence[Any], *, add: bool) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, add), connection) for field in fields]


@cache
def _fields_named(model: type[Model], names: tuple[str, ...]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]  # noqa: SLF001 (documented)


@cache
def _written_fields(model: type[Model], *, with_key: bool) -> list[Any]:
    fields = model._meta.concrete_fields  # noqa: SLF001 (documented)
    return [field for field in fields if with_key or not field.primary_key]


def select(statement: str, values: Mapping[str, Any] | Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a query. JSON comes as text."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def execute(statement: str, values: Mapping[str, Any]) -> int:
    """Change rows; how many were changed."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)
