"""The search of the audit log."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.forms.instants import DayField
from games.services.moderation.audit.queries import AuditSearch


class AuditSearchForm(forms.Form):
    """Everything may be left empty."""

    who = forms.CharField(label=_("Who (full name)"), required=False, max_length=60)
    act = forms.ChoiceField(label=_("Action"), required=False)
    game = forms.CharField(label=_("Game"), required=False, max_length=100)
    person = forms.CharField(label=_("Person affected"), required=False, max_length=100)
    words = forms.CharField(label=_("Words in the reason"), required=False, max_length=100)
    since = DayField(label=_("From (date)"), required=False)
    until = DayField(label=_("Until (date)"), required=False)

    def __init__(self, data: Any, *, titles: Mapping[str, Promise]) -> None:
        super().__init__(data)
        action: Any = self.fields["act"]
        action.choices = [("", "-"), *sorted(titles.items(), key=lambda one: str(one[1]))]

    def search(self, zone: str) -> AuditSearch:
        """What is looked for; what makes no sense is left out."""
        found = dict(self.cleaned_data if self.is_valid() else getattr(self, "cleaned_data", {}))
        action = found.pop("act", "")
        return AuditSearch(**found, action=action, zone=zone)
