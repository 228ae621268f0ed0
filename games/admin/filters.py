"""Filters of lists, in the words of moderators."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.utils.translation import gettext as _


class Parked(admin.EmptyFieldListFilter):
    """Whether a game is parked."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.title = _("parked")

    def choices(self, changelist: Any) -> Iterator[Any]:
        """All games, the parked ones, and the others."""
        for value, told in ((None, _("All")), ("0", _("yes")), ("1", _("no"))):
            address = changelist.get_query_string({self.lookup_kwarg: value})
            selected = self.lookup_val == value
            yield {"selected": selected, "query_string": address, "display": told}
