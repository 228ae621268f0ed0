"""How long a sanction holds, in days."""

from typing import Any, ClassVar, Final

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, ngettext

from games.forms.moderation.base import ActionForm

LENGTHS: Final = (1, 3, 7, 30)


def days_text(days: int) -> str:
    """So many days."""
    return ngettext("{days} day", "{days} days", days).format(days=days)


class LengthForm(ActionForm):
    """How long a sanction holds from now, in place of its end."""

    templates: ClassVar[tuple[Promise, ...]] = (
        gettext_lazy("We took another look. The rules were broken, but a shorter time is enough."),
    )

    ends_in = forms.TypedChoiceField(label=gettext_lazy("Ends in"), coerce=int)

    def prepare(self) -> None:
        self.offer("ends_in", [(days, days_text(days)) for days in LENGTHS])

    def values(self) -> dict[str, Any]:
        return super().values() | {"time": days_text(self.cleaned_data["ends_in"])}

    def arguments(self) -> dict[str, Any]:
        return {"days": self.cleaned_data["ends_in"]}
