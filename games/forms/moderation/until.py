"""How long something lasts: a ready number of days, or until an instant."""

from datetime import timedelta
from typing import Any, ClassVar, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.forms.instants import InstantField
from games.forms.moderation.base import ActionForm

READY: Final = (1, 3, 7, 30)
"""So many days are offered."""

OR_AN_INSTANT: Final = gettext_lazy("In your time zone, instead of a number of days.")
OR_NO_END: Final = gettext_lazy(
    "In your time zone, instead of a number of days. Leave both blank for no end time."
)


class LastingForm(ActionForm):
    """An action that lasts some days or until an instant; without `needs_end` perhaps for ever."""

    needs_end: ClassVar[bool] = True

    lasts = forms.TypedChoiceField(
        label=gettext_lazy("For how many days"), required=False, coerce=int, empty_value=None
    )
    until = InstantField(label=gettext_lazy("Until"), required=False, help_text=OR_AN_INSTANT)

    def prepare(self) -> None:
        super().prepare()
        days = ((count, ngettext("{count} day", "{count} days", count)) for count in READY)
        self.offer("lasts", [(count, text.format(count=count)) for count, text in days])

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
