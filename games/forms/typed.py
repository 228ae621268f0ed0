"""What somebody has typed into any form of the site, in labels they know.

For pages that cannot show the form itself again: a form that came without its token, or from
somebody who is not signed in any more.
"""

import re
from typing import Final, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import COLOURS
from games.forms.account import DeleteForm, ProfileForm, SignUpForm
from games.forms.chat import TalkForm
from games.forms.moderation.game_actions import (
    DeadlineForm,
    HousePlayerForm,
    PauseForm,
    RewindForm,
    SendAgainForm,
)
from games.forms.moderation.report_actions import UpholdForm
from games.forms.moderation.site_actions import DowntimeForm
from games.forms.notes import NotesForm
from games.forms.orders import BribeOrderForm
from games.forms.reports import AppealForm, ReportForm
from games.forms.sanctions import SanctionAppealForm
from games.forms.seats import DaysOffForm
from games.forms.table import InviteForm, StartForm, TableForm
from games.presentation.text.nouns import OCCUPATIONS
from games.presentation.text.tables import OPTION_LABELS, VALUE_LABELS
from games.presentation.text.words import colour_told, occupation_told

type Label = str | Promise

SECRET: Final = "password"  # noqa: S105 - a part of the names of such fields
"""Fields with this in their names are never kept nor shown."""

OWN: Final = "csrfmiddlewaretoken"

HIDDEN: Final = frozenset(
    {
        OWN,
        "next",
        "token",
        "phase_no",
        "opening_token",
        "about",
        "seat",
        "change",
        "scholar",
        "table",
        "sanction",
        "version",
        "previewed",
        "seen",
        "owner",
        "sure",
    }
)
"""Fields that the page filled in by itself: nobody has typed them."""

_SCHOLAR: Final = re.compile(rf"({'|'.join(COLOURS)})-({'|'.join(OCCUPATIONS)})-([12])")
_SENDING: Final = re.compile(r"(?:send|sending)-(scholar|palace)-([12])")

_FIELDS: Final[dict[str, forms.Field]] = {
    **DeadlineForm.base_fields,
    **PauseForm.base_fields,
    **RewindForm.base_fields,
    **HousePlayerForm.base_fields,
    **SendAgainForm.base_fields,
    **UpholdForm.base_fields,
    **DowntimeForm.base_fields,
    **SignUpForm.declared_fields,
    **ProfileForm.base_fields,
    **DeleteForm.base_fields,
    **TableForm.base_fields,
    **StartForm.base_fields,
    **InviteForm.base_fields,
    **DaysOffForm.base_fields,
    **SanctionAppealForm.base_fields,
    **BribeOrderForm.base_fields,
    **ReportForm.base_fields,
    **AppealForm.base_fields,
    "talk-text": TalkForm.base_fields["text"],
    "notes-text": NotesForm.base_fields["text"],
}

ACTS_WHY: Final = "why of an act"
"""Stands for `why` where it is the reason of a moderator's act, and not a player's."""

_LABELS: Final[dict[str, Label]] = {
    **OPTION_LABELS,
    "email": gettext_lazy("Email address"),
    "login": gettext_lazy("Email address"),
    "code": gettext_lazy("Code"),
    "hours": gettext_lazy("Hours"),
    "text": gettext_lazy("Text"),
    ACTS_WHY: gettext_lazy("Reason"),
    "first": gettext_lazy("Pay first for"),
    "winner": gettext_lazy("Who wins"),
    "send-later": gettext_lazy("Don't send anyone yet, so we can talk first"),
}

_VALUES: Final[dict[str, Label]] = {
    **VALUE_LABELS,
    "on": gettext_lazy("yes"),
    "minimum": gettext_lazy("the minimum"),
    "amount": gettext_lazy("this amount"),
    "above": gettext_lazy("more than the highest rival so far"),
    "nothing": gettext_lazy("nothing"),
}


class Typed(NamedTuple):
    """A field that somebody has filled in, and with what."""

    label: str
    value: str


def typed_in(data: QueryDict) -> list[Typed]:
    """What was typed or chosen, in words; no passwords, and nothing that was left empty."""
    return [
        Typed(_label(ACTS_WHY if name == "why" and "reason" in data else name), _value(name, value))
        for name, value in sendable(data)
        if value and name not in HIDDEN and not name.endswith(("-token", "-scholar"))
    ]


def sendable(data: QueryDict) -> list[tuple[str, str]]:
    """All fields that may be sent once more as they are: all but the passwords and the token."""
    return [
        (name, value)
        for name, values in data.lists()
        for value in values
        if name != OWN and SECRET not in name
    ]


def shown_again(data: QueryDict) -> dict[str, object]:
    """What a page needs to show what was typed, and to let it be sent once more."""
    return {
        "typed": typed_in(data),
        "fields": sendable(data),
        "passwords": [name for name in data if SECRET in name],
    }


def _label(name: str) -> str:
    if name in _LABELS:
        return str(_LABELS[name])
    if name in _FIELDS:
        return str(_FIELDS[name].label or name)
    if sending := _SENDING.fullmatch(name):
        told = _("Sending {number}") if sending[1] == "scholar" else _("Sending {number} goes to")
        return told.format(number=sending[2])
    if scholar := _SCHOLAR.match(name):
        part = _FIELDS.get(name[scholar.end() + 1 :])
        about = str(part.label) if part is not None else _("Bribe")
        return _("{scholar}: {about}").format(scholar=_called(scholar[0]), about=about)
    return _about_an_occupation(*name.rsplit("-", 1))


def _about_an_occupation(name: str, part: str = "") -> str:
    """The fields of a placement, "clerk-winner" and "clerk-area", and what no form here has."""
    if name not in OCCUPATIONS:
        return str(_FIELDS[part].label) if part in _FIELDS else _("Your entry")
    told = _("Which {occupation} is hired") if part == "winner" else _("Salary: {occupation}")
    return told.format(occupation=occupation_told(name))


def _value(name: str, value: str) -> str:
    choices = getattr(_FIELDS.get(name), "choices", ())
    chosen = next((label for key, label in choices if str(key) == value), None)
    if chosen is not None:
        return str(chosen)
    if value in COLOURS:
        return colour_told(value)
    return _called(value) or str(_VALUES.get(value, value))


def _called(name: str) -> str:
    """A scholar by its name in the record: "blue clerk 1"; empty for what is none."""
    scholar = _SCHOLAR.fullmatch(name)
    if scholar is None:
        return ""
    told = _("{colour} {occupation} {number}")
    return told.format(
        colour=colour_told(scholar[1]), occupation=occupation_told(scholar[2]), number=scholar[3]
    )
