"""The form that asks others to a table."""

import re
from collections.abc import Mapping
from typing import Any, Final, Self

from django import forms
from django.core.exceptions import ValidationError
from django.urls import reverse_lazy
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

    Cleaned, `addresses` are in small letters, and `names` are all public names. What is neither is
    in `wrong`, with the reason; it keeps nobody from being invited.
    """

    wrong: dict[str, str]

    people = TickedNames(
        label=gettext_lazy("People you know or have recently played with"), required=False
    )
    addresses = forms.CharField(
        label=gettext_lazy("Names or email addresses"),
        max_length=4000,
        required=False,
        # complete-names.js completes names.
        widget=forms.Textarea(
            attrs={
                "rows": 2,
                "autocomplete": "off",
                "data-names": reverse_lazy("games:names"),
                "data-names-label": gettext_lazy("Matching names"),
            }
        ),
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

    @classmethod
    def of_wrong(cls, wrong: Mapping[str, str]) -> Self:
        """A form with what could not be invited, and the reasons."""
        form = cls({"addresses": "\n".join(wrong)})
        for reason in wrong.values():
            form.add_error("addresses", reason)
        return form

    def clean(self) -> dict[str, Any]:
        """Tell names from addresses."""
        cleaned = super().clean() or {}
        parts = re.split(r"[,;\n]", cleaned.get("addresses", ""))
        names = [part.strip() for part in parts if part.strip() and "@" not in part]
        names += cleaned.get("people", [])
        typed = " ".join(part for part in parts if "@" in part).lower().split()
        self.wrong = {one: reason for one in typed if (reason := _why_not(one))}
        if not names and not typed and not self.errors:
            self.add_error("addresses", _("Please enter at least one name or address."))
        addresses = [known_spelling(one) for one in typed if one not in self.wrong]
        return {**cleaned, "addresses": addresses, "names": names}


def _why_not(address: str) -> str:
    """Why this is no address; "" if it may be one."""
    try:
        forms.EmailField(max_length=LONGEST_ADDRESS).clean(address)
    except ValidationError:
        return _("“{address}” isn't a valid email address.").format(address=address)
    return ""
