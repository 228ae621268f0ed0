"""The form that announces days off."""

from django import forms
from django.utils.translation import gettext_lazy


def _day() -> forms.DateInput:
    """A control for a day. Browsers want its value as 2026-03-09 in every language."""
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class DaysOffForm(forms.Form):
    """The first and the last day, both included, on the player's own calendar."""

    first_day = forms.DateField(label=gettext_lazy("First day"), widget=_day())
    last_day = forms.DateField(label=gettext_lazy("Last day"), widget=_day())
