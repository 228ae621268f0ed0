"""The form by which somebody appeals what a moderator decided about them."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games.services.people.sanctions import LONGEST_APPEAL
from games.services.public_ids import number_of


class SanctionAppealForm(forms.Form):
    """Why a decision is wrong; a page has one of these for each decision.

    Cleaned, `sanction` is the number of the row, 0 where it has none.
    """

    sanction = forms.CharField(widget=forms.HiddenInput)
    objection = forms.CharField(
        label=gettext_lazy("Why you think this is wrong"),
        max_length=LONGEST_APPEAL,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Only moderators see this. You get only one appeal."),
    )

    def __init__(self, data: Any = None, *, sanction: str) -> None:
        super().__init__(
            data,
            initial={"sanction": sanction},
            auto_id=f"id_{sanction}_%s",
        )

    def clean_sanction(self) -> int:
        return number_of("sanction", self.cleaned_data["sanction"]) or 0
