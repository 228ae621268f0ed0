"""The form by which somebody asks the table something about the game."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Vote
from games.services.game.votes import MOST_DAYS, MOST_HOURS, Proposal

AMOUNTS = {Vote.Kind.PAUSE: "days", Vote.Kind.EXTEND: "hours"}


class ProposalForm(forms.Form):
    """A kind of vote, with the days, the hours or the seat that it needs."""

    kind = forms.ChoiceField(
        choices=[(kind, kind) for kind in Vote.Kind if kind != "rewind"], widget=forms.HiddenInput
    )
    days = forms.IntegerField(
        label=gettext_lazy("Days"), min_value=1, max_value=MOST_DAYS, required=False
    )
    hours = forms.IntegerField(
        label=gettext_lazy("Hours"), min_value=1, max_value=MOST_HOURS, required=False
    )
    seat = forms.IntegerField(min_value=0, max_value=4, required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        """Refuse a vote that lacks what it is about."""
        cleaned = super().clean() or self.cleaned_data
        needed = {**AMOUNTS, Vote.Kind.REPLACE: "seat"}.get(cleaned.get("kind", ""))
        if needed is not None and cleaned.get(needed) is None:
            raise ValidationError(
                _("Please enter the number of days or hours, or choose a player.")
            )
        return cleaned

    @property
    def proposal(self) -> Proposal:
        kind = Vote.Kind(self.cleaned_data["kind"])
        amount = self.cleaned_data[AMOUNTS[kind]] if kind in AMOUNTS else None
        seat = self.cleaned_data["seat"] if kind == Vote.Kind.REPLACE else None
        return Proposal(kind, amount, seat)
