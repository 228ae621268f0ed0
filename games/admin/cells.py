"""What stands in a row, value by value: for the lists, the pages of rows, and the seats of a game.

In words: yes and no, instants on the reader's clock, and other rows by their names and pages.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.contrib.admin import ModelAdmin
from django.contrib.admin.utils import label_for_field
from django.db.models import Model
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.text import Truncator, capfirst
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _

from games.presentation.text.words import calendar_day, dated

MOST: Final = 200
"""How many characters of a text a list shows; the page of the row shows all."""

type Admin = ModelAdmin[Any]

type Words = Mapping[int, Mapping[str, str]]
"""What stands in some columns, by the key of the row and the name of the column."""


class Cell(NamedTuple):
    """A value with its label; `link` is the page of the row that it names, "" for none."""

    label: str
    value: str
    link: str = ""


class Row(NamedTuple):
    """A line of a list; `link` is its page, `menu` what can be done, None for nothing ever."""

    link: str
    cells: list[Cell]
    menu: Sequence[Any] | None = None


class Rows(NamedTuple):
    """A list: what its columns are called, and its lines."""

    labels: list[str]
    rows: list[Row]


class Column:
    """A field of a model, or a method of its admin: its label and its text."""

    def __init__(self, admin: Admin, name: str) -> None:
        self.admin = admin
        self.name = name
        label: Any = label_for_field(name, admin.model, admin)
        self.label = str(capfirst(label))
        self.method = getattr(admin, name, None)
        self.choices: Mapping[Any, Any] = {}
        if self.method is None:
            field: Any = admin.model._meta.get_field(name)  # noqa: SLF001 (Django's own way)
            self.choices = dict(field.flatchoices)

    def cell(self, row: Model) -> Cell:
        """What stands there; "" for nothing."""
        value = getattr(row, self.name) if self.method is None else self.method(row)
        link = page_of(self.admin, value) if isinstance(value, Model) else ""
        return Cell(self.label, self._text(value), link)

    def _text(self, value: object) -> str:
        if isinstance(value, SafeString):
            return value
        if value is None or (self.choices and value in self.choices):
            return str(capfirst(str(self.choices.get(value, ""))))
        if isinstance(value, bool):
            return _("yes") if value else _("no")
        if isinstance(value, datetime):
            return dated(value, get_current_timezone_name())
        return calendar_day(value) if isinstance(value, date) else str(value)


def read_rows(admin: Admin, rows: Iterable[Model], names: Sequence[str]) -> Rows:
    """These columns of these rows; what is read for all at once comes from the admin's `words`."""
    found = list(rows)
    words: Words = getattr(admin, "words", lambda _rows: {})(found)
    columns = [Column(admin, name) for name in names]
    lines = [
        Row(
            page_of(admin, row),
            [_shown(column, row, words.get(row.pk, {}).get(column.name)) for column in columns],
        )
        for row in found
    ]
    return Rows([column.label for column in columns], lines)


def _shown(column: Column, row: Model, words: str | None) -> Cell:
    """A value in a list: what is long is shortened."""
    if words is not None:
        return Cell(column.label, words)
    cell = column.cell(row)
    if isinstance(cell.value, SafeString) or len(cell.value) <= MOST:
        return cell
    return cell._replace(value=Truncator(cell.value).chars(MOST))


def read_cells(admin: Admin, row: Model, names: Iterable[str]) -> list[Cell]:
    """All these fields of one row."""
    return [Column(admin, name).cell(row) for name in names]


def page_of(admin: Admin, row: Model) -> str:
    """The page of a row; "" where the admin has none."""
    if not admin.admin_site.is_registered(type(row)):
        return ""
    key: Any = getattr(admin.admin_site.get_model_admin(type(row)), "key_of", None)
    name = f"admin:games_{type(row).__name__.lower()}_change"
    return reverse(name, args=[row.pk if key is None else key(row)])
