"""The form that announces days off."""

from django import forms


class DaysOffForm(forms.Form):
    """The first and the last day, both included, on the player's own calendar."""

    first_day = forms.DateField(widget=forms.DateInput(attrs={"type": "date"}))
    last_day = forms.DateField(widget=forms.DateInput(attrs={"type": "date"}))
