"""Forms of what people write for themselves at a table."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.models import Draft
from games.services.game.notes import LONGEST_NOTES


class NotesForm(forms.Form):
    """Private notes. How long they may be is the service's matter, so that the text stays."""

    text = forms.CharField(
        label=_("Your notes"),
        required=False,
        strip=False,
        help_text=_("Only you can see these. Other players, moderators and substitutes can't."),
        widget=forms.Textarea(attrs={"rows": 5, "maxlength": LONGEST_NOTES}),
    )


class DraftForm(forms.Form):
    """What a draft is about. All other fields that come with it are what was typed."""

    about = forms.ChoiceField(choices=Draft.About.choices)
    phase_no = forms.IntegerField(min_value=0, required=False)

    NOT_TYPED = frozenset({"csrfmiddlewaretoken", "about", "phase_no", "token", "talk-token"})

    @property
    def typed(self) -> dict[str, Any]:
        """The fields that were typed, by name."""
        return {name: value for name, value in self.data.items() if name not in self.NOT_TYPED}
