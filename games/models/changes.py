"""Rows that know what they held when they were read."""

from collections.abc import Collection, Iterable
from typing import Any, Self

from django.db import models


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
        held = self.__dict__
        columns = [field.attname for field in self._meta.concrete_fields if field.attname in held]
        stored = self._stored
        changed = [name for name in columns if name not in stored or held[name] != stored[name]]
        if changed:
            self.save(update_fields=changed)

    def _remember(self, names: list[str] | None) -> None:
        stored = self.__dict__.setdefault("_stored", {})
        for field in self._meta.concrete_fields:
            if field.attname not in self.__dict__:
                continue  # deferred
            if names is None or field.name in names or field.attname in names:
                stored[field.attname] = self.__dict__[field.attname]
