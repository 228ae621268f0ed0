"""The labels of the fields of moves where their game isn't at hand."""

import re
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import COLOURS
from games.forms.moves import PAID_FIRST
from games.presentation.text.nouns import OCCUPATIONS
from games.presentation.text.words import colour_text, occupation_text

_SCHOLAR: Final = re.compile(rf"({'|'.join(COLOURS)})-({'|'.join(OCCUPATIONS)})-([12])")
_SENDING: Final = re.compile(r"(?:send|sending)-(scholar|palace)-([12])")
_LABELS_WITHOUT_GAME: Final = {
    PAID_FIRST: gettext_lazy("Pay first for"),
    "winner": gettext_lazy("Who wins"),
    "send-later": gettext_lazy("Not yet: I'll send them later"),
}


def label_without_game(name: str) -> str:
    """The label of a field that these forms add, where its game isn't at hand; "" for others."""
    if sending := _SENDING.fullmatch(name):
        label = (
            _("Scholar {number} to send")
            if sending[1] == "scholar"
            else _("Scholar {number} goes to")
        )
        return label.format(number=sending[2])
    if scholar := scholar_named(name):
        return _("{scholar}: {about}").format(scholar=scholar, about=_("Bribe"))
    occupation, _dash, part = name.rpartition("-")
    if occupation in OCCUPATIONS and part in {"winner", "area"}:
        label = _("Which {occupation} is hired") if part == "winner" else _("Salary: {occupation}")
        return label.format(occupation=occupation_text(occupation))
    return str(_LABELS_WITHOUT_GAME.get(name, ""))


def scholar_named(name: str) -> str:
    """A scholar by its name in the record: "blue clerk 1"; "" for what is none."""
    scholar = _SCHOLAR.fullmatch(name)
    if scholar is None:
        return ""
    return _("{colour} {occupation} {number}").format(
        colour=colour_text(scholar[1]), occupation=occupation_text(scholar[2]), number=scholar[3]
    )
