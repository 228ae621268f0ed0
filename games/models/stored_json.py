"""JSON columns that hold what they are for, whatever is stored in them.

What one row has stored wrongly is its owner's matter: pages, email and the clock read the rows of
many, and none of them may stop for it. For the database and for migrations they are `JSONField`s.
"""

import logging
from functools import cache
from typing import Any

from django.db.models import JSONField
from django.db.models.fields.json import KeyTransform

logger = logging.getLogger(__name__)


class _SoundField(JSONField):
    def deconstruct(self) -> tuple[str, str, Any, dict[str, Any]]:
        name, _path, arguments, options = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, options

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if value is None:  # where a row that was joined isn't there
            return None
        found = super().from_db_value(value, expression, connection)
        return found if isinstance(expression, KeyTransform) else self.sound(found)

    def sound(self, found: Any) -> Any:
        """Return what the column holds, made sound; warns once in a process if it wasn't."""
        sound = self._sound(found)
        if sound is not found:
            _warn(str(self))
        return sound

    def _sound(self, found: Any) -> Any:
        raise NotImplementedError


class ListField(_SoundField):
    """A list whose items are `of` one type; items of another one are left out."""

    def __init__(self, *arguments: Any, of: type | None = None, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.of = of

    def _sound(self, found: Any) -> Any:
        if not isinstance(found, list):
            return []
        if self.of is None or all(type(item) is self.of for item in found):
            return found
        return [item for item in found if type(item) is self.of]


class DictField(_SoundField):
    """An object, by its keys; None where it may be null and is."""

    def _sound(self, found: Any) -> Any:
        if found is None and self.null:
            return None
        return found if isinstance(found, dict) else {}


@cache
def _warn(column: str) -> None:
    logger.warning("%s doesn't hold what it should in some row: that is read as nothing", column)
