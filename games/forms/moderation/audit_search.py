"""What is looked for in the audit log."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.instants import DayField
from games.services.moderation.audit.queries import ACTS, AuditSearch


class AuditSearchForm(forms.Form):
    """Everything may be left empty."""

    who = forms.CharField(label=_("Who (full name)"), required=False, max_length=60)
    act = forms.ChoiceField(label=_("Action"), required=False)
    game = forms.CharField(label=_("Game"), required=False, max_length=100)
    person = forms.CharField(label=_("Person affected"), required=False, max_length=100)
    words = forms.CharField(label=_("Words in the reason"), required=False, max_length=100)
    since = DayField(label=_("From (date)"), required=False)
    until = DayField(label=_("Until (date)"), required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        named: Any = self.fields["act"]
        named.choices = [("", "-"), *sorted(ACTS.items(), key=lambda act: str(act[1]))]

    def search(self, zone: str) -> AuditSearch:
        """What is looked for; what cannot be meant is left out."""
        found = self.cleaned_data if self.is_valid() else getattr(self, "cleaned_data", {})
        return AuditSearch(**found, zone=zone)
