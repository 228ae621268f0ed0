"""What stands in a row, value by value: for the lists, the pages of rows, and the seats of a game.

In words: yes and no, instants on the reader's clock, and other rows by their names and pages.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.contrib.admin import ModelAdmin
from django.contrib.admin.utils import label_for_field, lookup_field
from django.db.models import Field, Model
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.text import Truncator, capfirst
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _

from games.presentation.words import dated

MOST: Final = 200
"""How many characters of a text a list shows; the page of the row shows all."""

type Admin = ModelAdmin[Any]
type AnyField = Field[Any, Any]

type Words = Mapping[int, Mapping[str, str]]
"""What stands in some columns, by the key of the row and the name of the column."""


class Cell(NamedTuple):
    """A value with its label; `link` is the page of the row that it names, "" for none."""

    label: str
    value: str
    link: str = ""


class Row(NamedTuple):
    """A line of a list; `link` is its page."""

    link: str
    cells: list[Cell]


class Rows(NamedTuple):
    """A list: what its columns are called, and its lines."""

    labels: list[str]
    rows: list[Row]


def read_rows(admin: Admin, rows: Iterable[Model], names: Sequence[str]) -> Rows:
    """These columns of these rows; what is read for all at once comes from the admin's `words`."""
    found = list(rows)
    words: Words = getattr(admin, "words", lambda _rows: {})(found)
    labels = [label_of(admin, name) for name in names]
    return Rows(labels, [_row(admin, row, names, words.get(row.pk, {})) for row in found])


def _row(admin: Admin, row: Model, names: Sequence[str], words: Mapping[str, str]) -> Row:
    cells = [
        Cell(label_of(admin, name), words[name])
        if name in words
        else _shortened(read_cell(admin, row, name))
        for name in names
    ]
    return Row(page_of(admin, row), cells)


def _shortened(cell: Cell) -> Cell:
    if isinstance(cell.value, SafeString):
        return cell
    return cell._replace(value=Truncator(cell.value).chars(MOST))


def read_cell(admin: Admin, row: Model, name: str) -> Cell:
    """What stands there; "" for nothing."""
    field, _attribute, value = lookup_field(name, row, admin)
    link = page_of(admin, value) if isinstance(value, Model) else ""
    return Cell(label_of(admin, name), _told(field, value), link)


def label_of(admin: Admin, name: str) -> str:
    """What a column is called."""
    label: Any = label_for_field(name, admin.model, admin)
    return str(capfirst(label))


def page_of(admin: Admin, row: Model) -> str:
    """The page of a row; "" where the admin has none."""
    if not admin.admin_site.is_registered(type(row)):
        return ""
    return reverse(f"admin:games_{type(row).__name__.lower()}_change", args=[row.pk])


def _told(field: AnyField | None, value: object) -> str:
    if isinstance(value, SafeString):
        return value
    choices = dict(getattr(field, "flatchoices", None) or ())
    if value is None or value in choices:
        return str(capfirst(str(choices.get(value, ""))))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, datetime):
        return dated(value, get_current_timezone_name())
    return date_format(value) if isinstance(value, date) else str(value)
