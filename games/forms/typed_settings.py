"""The settings of a table as somebody would type them into its form."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import timedelta
from typing import Any, Final

from django import forms

from games.engine.editions import EDITIONS
from games.services.lobby.settings import TableSettings

UNITS: Final = {
    "minutes": timedelta(minutes=1),
    "hours": timedelta(hours=1),
    "days": timedelta(days=1),
}


def as_typed(form_fields: Mapping[str, forms.Field], settings: TableSettings) -> dict[str, Any]:
    """What the form begins with where a table has these settings."""
    typed = dict(_of_same_names(form_fields, settings))
    typed["answer_number"], typed["answer_unit"] = _time(settings.move_time)
    typed["bribing"] = EDITIONS[settings.edition].bribing
    return {**typed, **settings.options}


def _of_same_names(
    form_fields: Mapping[str, forms.Field], settings: TableSettings
) -> Iterator[tuple[str, Any]]:
    for name in {field.name for field in fields(settings)} & form_fields.keys():
        field, value = form_fields[name], getattr(settings, name)
        if type(field) is forms.TypedChoiceField:
            keys = [key for key, _label in field.widget.choices]
            value = next((key for key in keys if field.clean(key) == value), value)
        yield name, value


def _time(move_time: timedelta) -> tuple[int, str]:
    """The number and the unit: as few hours or days as there are, but 24 hours and not one day."""
    if move_time % UNITS["days"] == timedelta() and move_time > UNITS["days"]:
        return move_time // UNITS["days"], "days"
    unit = "minutes" if move_time % UNITS["hours"] else "hours"
    return move_time // UNITS[unit], unit
