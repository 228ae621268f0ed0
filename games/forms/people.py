"""The form for declaring that one knows somebody."""

from django import forms
from django.utils.translation import gettext_lazy

from games.forms.one_line import OneLineField
from games.services.people.acquaintances import LONGEST_NOTE


class KnownForm(forms.Form):
    """How two people know each other; it may stay empty."""

    note = OneLineField(
        label=gettext_lazy("How you know each other"),
        required=False,
        max_length=LONGEST_NOTE,
        help_text=gettext_lazy("Only the two of you and moderators can see this."),
    )
