"""The form that announces days off."""

from django import forms
from django.utils.translation import gettext_lazy

from games.forms.instants import DayField


class DaysOffForm(forms.Form):
    """The first and the last day, both included, on the player's own calendar."""

    first_day = DayField(label=gettext_lazy("First day"))
    last_day = DayField(label=gettext_lazy("Last day"))
