"""The form of the table talk."""

from django import forms
from django.utils.translation import gettext_lazy

from games.services.chat.messages import LONGEST


class TalkForm(forms.Form):
    """What somebody says. How long it may be is the service's matter, so that the text stays."""

    prefix = "talk"

    token = forms.UUIDField(widget=forms.HiddenInput)
    text = forms.CharField(
        label=gettext_lazy("Message to everyone"),
        required=False,
        strip=False,
        help_text=gettext_lazy(
            "Everyone at the table can read it. Type @ followed by a name to email that player."
        ),
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": LONGEST, "required": True}),
    )
