"""Forms by which players report something, and appeal. How long is the service's matter."""

from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from games.services.reports.filing import LONGEST


class WhereForm(forms.Form):
    """At which table it was, by the table's token; perhaps at none."""

    table = forms.SlugField(widget=forms.HiddenInput, required=False, max_length=32)


class ReportForm(WhereForm):
    """Why somebody reports what the page shows."""

    token = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
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


class AppealForm(forms.Form):
    """Why something should be decided otherwise."""

    appeal = forms.CharField(
        label=_("Why should the decision be changed?"),
        required=False,
        strip=False,
        help_text=_("Only moderators see this. You can appeal only once."),
        widget=forms.Textarea(attrs={"rows": 6, "maxlength": LONGEST}),
    )
