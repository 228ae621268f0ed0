"""Rows that know what they held when they were read."""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any, Self

from django.db import DEFAULT_DB_ALIAS, connection, connections, models

type Column = models.Field[Any, Any]


class TracksChanges(models.Model):
    """A row that can be saved column by column: `save_changes` writes only what is different.

    A list or dict in a column has to be replaced, not changed in place.
    """

    _stored: dict[str, Any]

    class Meta:
        abstract = True

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **more: Any) -> None:
        names = None if update_fields is None else list(update_fields)
        super().save(*args, update_fields=names, **more)
        self._remember(names)

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any
    ) -> Self:
        row = super().from_db(db, field_names, values, **more)
        row._remember(None)  # noqa: SLF001 (it is our own)
        return row

    def refresh_from_db(
        self,
        using: str | None = None,
        fields: Iterable[str] | None = None,
        from_queryset: models.QuerySet[Self] | None = None,
    ) -> None:
        names = None if fields is None else list(fields)
        super().refresh_from_db(using, names, from_queryset)
        self._remember(names)

    def save_changes(self) -> None:
        """Save the columns that changed since the row was read; nothing if none did."""
        save_changes_of([self])

    def changed_fields(self) -> list[Column]:
        """The columns that changed since the row was read."""
        held, stored = self.__dict__, self._stored
        return [
            field
            for field in self._meta.concrete_fields
            if (name := field.attname) in held
            and (name not in stored or held[name] != stored[name])
        ]

    def _remember(self, names: list[str] | None) -> None:
        stored = self.__dict__.setdefault("_stored", {})
        for field in self._meta.concrete_fields:
            if field.attname not in self.__dict__:
                continue  # deferred
            if names is None or field.name in names or field.attname in names:
                stored[field.attname] = self.__dict__[field.attname]


def save_changes_of(rows: Iterable[TracksChanges]) -> None:
    """Save what changed in these rows of one table, in one statement; nothing if nothing did.

    A column that changed in one of the rows is written in each that changed.
    """
    changes = {row: changed for row in rows if (changed := row.changed_fields())}
    if not changes:
        return
    meta = next(iter(changes))._meta  # noqa: SLF001 (it is our own)
    columns = [
        field
        for field in meta.concrete_fields
        if any(field in changed for changed in changes.values())
    ]
    statement = _update(meta.model, tuple(columns), len(changes))
    with connection.cursor() as cursor:
        cursor.execute(statement, _values(changes, [meta.pk, *columns]))
    names = [field.attname for field in columns]
    for row in changes:
        row._remember(names)  # noqa: SLF001 (it is our own)


@cache
def _update(model: type[models.Model], columns: tuple[Column, ...], rows: int) -> str:
    """The statement that writes these columns of so many rows."""
    meta = model._meta  # noqa: SLF001 (documented)
    quote = connection.ops.quote_name
    table = quote(meta.db_table)
    names = [quote(str(field.column)) for field in columns]
    # Without the length of a text: a cast would cut off what the column refuses.
    types = [str(field.db_type(connection)).partition("(")[0] for field in columns]
    casts = [f"%s::{type_}" for type_ in types]
    first = f"(%s::{meta.pk.rel_db_type(connection)}, {', '.join(casts)})"
    more = f", ({', '.join(['%s'] * (1 + len(columns)))})" * (rows - 1)
    return (  # all of it names of our own columns
        f"UPDATE {table} SET {', '.join(f'{name} = new.{name}' for name in names)} "  # noqa: S608
        f"FROM (VALUES {first}{more}) AS new (row_id, {', '.join(names)}) "
        f"WHERE {table}.{quote(str(meta.pk.column))} = new.row_id"
    )


def _values(rows: Iterable[TracksChanges], fields: Sequence[Column]) -> list[Any]:
    database = connections[DEFAULT_DB_ALIAS]
    return [
        field.get_db_prep_save(getattr(row, field.attname), database)
        for row in rows
        for field in fields
    ]
