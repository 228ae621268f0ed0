"""Forms about seats."""

from django import forms
from django.utils.translation import gettext_lazy

from games.forms.instants import DayField


class DaysOffForm(forms.Form):
    """The first and the last day, both included, on the player's own calendar."""

    first_day = DayField(label=gettext_lazy("First day"))
    last_day = DayField(label=gettext_lazy("Last day"))


class SeatForm(forms.Form):
    """A seat of a table that is still open, by its id."""

    seat = forms.IntegerField(min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
