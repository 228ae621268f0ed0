"""Forms by which players report something, and appeal. How long is the service's matter."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from games.models import Report
from games.services.reports.filing import LONGEST


class WhereForm(forms.Form):
    """At which table it was, by the table's token; perhaps at none."""

    table = forms.SlugField(widget=forms.HiddenInput, required=False, max_length=32)


class ReportForm(WhereForm):
    """Why somebody reports what the page shows, and of which kind it is; they have to choose."""

    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    kind = forms.ChoiceField(
        label=_("What kind of problem is it?"),
        widget=forms.RadioSelect,
        help_text=_("We look at threats and hate first."),
        error_messages={"required": _("Please choose what kind of problem it is.")},
    )
    why = forms.CharField(
        label=_("What is wrong?"),
        required=False,
        strip=False,
        help_text=_(
            "Only moderators see this. Say what happened, and where. The person you report is "
            "never told it was you."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "maxlength": LONGEST}),
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        kind: Any = self.fields["kind"]
        kind.choices = [(one.value, capfirst(one.label)) for one in Report.Kind]


class AppealForm(forms.Form):
    """Why something should be decided otherwise."""

    appeal = forms.CharField(
        label=_("Why should the decision be changed?"),
        required=False,
        strip=False,
        help_text=_("Only moderators see this. You can appeal only once."),
        widget=forms.Textarea(attrs={"rows": 6, "maxlength": LONGEST}),
    )
