"""The form by which the host gives more time."""

from datetime import timedelta

from django import forms
from django.utils.translation import gettext_lazy

from games.services.lobby.settings import MOST_MOVE_TIME


class MoreTimeForm(forms.Form):
    """How many hours more, in the phase that the host saw."""

    phase_no = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    hours = forms.IntegerField(
        label=gettext_lazy("Hours"),
        min_value=1,
        max_value=MOST_MOVE_TIME // timedelta(hours=1),
    )

    @property
    def time(self) -> timedelta:
        return timedelta(hours=self.cleaned_data["hours"])
