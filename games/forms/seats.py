"""Forms about seats."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games.forms.instants import DayField
from games.services.public_ids import number_of


class DaysOffForm(forms.Form):
    """The first and the last day, both included, on the player's own calendar."""

    first_day = DayField(label=gettext_lazy("First day"))
    last_day = DayField(label=gettext_lazy("Last day"))


class SeatForm(forms.Form):
    """A seat of a table that is still open; cleaned, it is the number of the row, or None."""

    seat = forms.CharField(widget=forms.HiddenInput)

    def clean_seat(self) -> int | None:
        return number_of("seat", self.cleaned_data["seat"])


class SettingsSeenForm(forms.Form):
    """The version of a table's settings that a page showed; 0 until they are changed."""

    settings = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)


def settings_seen(data: Mapping[str, Any]) -> int:
    """The version of the settings that somebody has seen who posts this."""
    form = SettingsSeenForm(data)
    return (form.cleaned_data["settings"] if form.is_valid() else None) or 0
