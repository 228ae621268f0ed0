"""The form of the table talk."""

from django import forms

from games.services.talk import LONGEST


class TalkForm(forms.Form):
    """What somebody says. How long it may be is the service's matter, so that the text stays."""

    token = forms.UUIDField(widget=forms.HiddenInput)
    text = forms.CharField(
        label="Say something to all",
        required=False,
        strip=False,
        help_text="Everybody at the table reads it. Write @ and a name to send that person a mail.",
        widget=forms.Textarea(attrs={"rows": 3, "maxlength": LONGEST}),
    )
