"""How long something lasts: a ready number of days, or until an instant."""

from datetime import timedelta
from typing import Any, ClassVar, Final

from django import forms
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.forms.instants import InstantField
from games.forms.moderation.base import ActionForm

LENGTHS: Final = (1, 3, 7, 30)
"""So many days are offered."""

OR_AN_INSTANT: Final = gettext_lazy("Instead of a number of days; in your time zone.")
NO_NUMBER: Final = gettext_lazy("none of these")
OR_NO_END: Final = gettext_lazy(
    "Instead of a number of days; in your time zone. Leave both blank for no end time."
)


def days_text(days: int) -> str:
    """So many days."""
    return ngettext("{days} day", "{days} days", days).format(days=days)


def ready_lengths() -> list[tuple[int, str]]:
    """The choices of a field."""
    return [(days, days_text(days)) for days in LENGTHS]


class LastingForm(ActionForm):
    """An action that lasts some days or until an instant; without `needs_end` perhaps for ever."""

    needs_end: ClassVar[bool] = True

    lasts = forms.TypedChoiceField(
        label=gettext_lazy("For how many days"), required=False, coerce=int, empty_value=None,
        widget=forms.RadioSelect,
    )  # fmt: skip
    until = InstantField(label=gettext_lazy("Until"), required=False, help_text=OR_AN_INSTANT)

    def prepare(self) -> None:
        super().prepare()
        self._fields["lasts"].choices = [*ready_lengths(), ("", NO_NUMBER)]

    def clean(self) -> dict[str, Any]:
        """Take the end from the number of days; refuse both, and neither if one is needed."""
        days, until = self.cleaned_data.get("lasts"), self.cleaned_data.get("until")
        if days and until:
            self.add_error("until", _("Please choose either a number of days or a date."))
        elif days:
            self.cleaned_data["until"] = timezone.now() + timedelta(days=days)
        elif until is None and self.needs_end and not {"lasts", "until"} & set(self.errors):
            self.add_error("until", _("Please choose a number of days or a date."))
        return super().clean()

    def arguments(self) -> dict[str, Any]:
        return {name: value for name, value in super().arguments().items() if name != "lasts"}


class ShorterForm(ActionForm):
    """How long a sanction holds from now, in place of its end."""

    templates: ClassVar[tuple[Promise, ...]] = (
        gettext_lazy("We took another look. The rules were broken, but a shorter time is enough."),
    )

    ends_in = forms.TypedChoiceField(
        label=gettext_lazy("Ends in"), coerce=int, widget=forms.RadioSelect
    )

    def prepare(self) -> None:
        self._fields["ends_in"].choices = ready_lengths()

    def values(self) -> dict[str, Any]:
        return super().values() | {"time": days_text(self.cleaned_data["ends_in"])}

    def arguments(self) -> dict[str, Any]:
        return {"days": self.cleaned_data["ends_in"]}
