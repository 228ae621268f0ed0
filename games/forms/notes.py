"""Forms of what people write for themselves at a table."""

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.chat import MessageForm
from games.forms.submitted import is_entered
from games.models import Draft
from games.services.game.notes import LONGEST_NOTES


class NotesForm(forms.Form):
    """Private notes. How long they may be is the service's matter, so that the text stays."""

    prefix = "notes"

    absent = forms.BooleanField(required=False, widget=forms.HiddenInput)
    """Whether the page knew that its reader is absent."""

    text = forms.CharField(
        label=_("Your notes"),
        required=False,
        strip=False,
        help_text=_(
            "Only you can see your notes. Other players, moderators and substitutes can't."
        ),
        widget=forms.Textarea(attrs={"rows": 5, "maxlength": LONGEST_NOTES}),
    )


class DraftForm(forms.Form):
    """What a draft is about. All other fields that come with it are the draft."""

    about = forms.ChoiceField(choices=Draft.About.choices, widget=forms.HiddenInput)
    phase_no = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    absent = forms.BooleanField(required=False, widget=forms.HiddenInput)
    conversation = forms.RegexField(r"^[\d-]*$", required=False, widget=forms.HiddenInput)
    """The private one that a message is for, as `threads.place_of`."""

    @property
    def token(self) -> UUID | None:
        """That of the message that is being written."""
        try:
            return UUID(self.data.get(MessageForm().add_prefix("token"), ""))
        except ValueError:
            return None

    @property
    def entered(self) -> dict[str, Any]:
        """The fields that were filled in, by name."""
        return {name: value for name, value in self.data.items() if is_entered(name)}
