"""The form that asks others to a table."""

import re
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.names import LONGEST as LONGEST_NAME
from games.presentation.text.tables import time_text_lazy
from games.services.lobby.email_invitees import SAME_PERSON_AFTER
from games.services.people.addresses import known_spelling

LONGEST_ADDRESS: Final = 254


class TickedNames(forms.MultipleChoiceField):
    """Names that a page showed. Those ticked may have sat down meanwhile: the service says
    what has become of them.
    """

    def valid_value(self, value: str) -> bool:
        return len(value) <= LONGEST_NAME


class InviteForm(forms.Form):
    """Names and addresses to invite, one or many, and players to tick.

    Cleaned, `addresses` are in small letters, and `names` are all public names.
    """

    people = TickedNames(label=gettext_lazy("Players you've played with recently"), required=False)
    addresses = forms.CharField(
        label=gettext_lazy("Names or email addresses"),
        max_length=4000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=format_lazy(
            gettext_lazy(
                "One or more, separated by commas or new lines. Anyone who has blocked someone "
                "at this table, or been blocked by them, won't get an email. Someone without an "
                "account can get only one invitation from you within {time}, and none if they've "
                "opted out; you can send them the table's link yourself."
            ),
            time=time_text_lazy(SAME_PERSON_AFTER),
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Tell names from addresses; the first that is neither is quoted."""
        cleaned = super().clean() or {}
        parts = re.split(r"[,;\n]", cleaned.get("addresses", ""))
        names = [part.strip() for part in parts if part.strip() and "@" not in part]
        addresses = " ".join(part for part in parts if "@" in part).lower().split()
        for address in addresses:
            try:
                forms.EmailField(max_length=LONGEST_ADDRESS).clean(address)
            except ValidationError:
                message = _("“{address}” isn't a valid email address.").format(address=address)
                self.add_error("addresses", message)
                break
        names += cleaned.get("people", [])
        if not names and not addresses and not self.errors:
            self.add_error("addresses", _("Please enter at least one name or address."))
        spelled = [known_spelling(address) for address in addresses] if not self.errors else []
        return {**cleaned, "addresses": spelled, "names": names}
