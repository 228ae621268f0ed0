"""What somebody typed, as it is kept."""

import re
import unicodedata
from typing import Final

from django.utils.translation import gettext as _

from games.presentation.text.words import money
from games.services.refused import Refused
from games.unseen import shows_something

DIRECTION_SIGNS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""What nobody sees and turns the direction of all that follows."""


def tidy(text: str) -> str:
    """The text with plain ends of lines, and nothing blank around it; "" if nothing of it shows."""
    text = "\n".join(text.splitlines()).strip()
    return text if shows_something(text) else ""


def fitting(text: str, most: int) -> str:
    """The text, tidy; `Refused` where nothing of it shows, or it is longer than `most`."""
    text = tidy(text)
    if not text:
        raise Refused(_("Please write something first."))
    if len(text) > most:
        message = _("That's too long: the limit is {most} characters, and you've used {length}.")
        raise Refused(message.format(most=money(most), length=money(len(text))))
    return text


def on_one_line(text: str) -> str:
    """The text with single spaces instead of breaks, and nothing that governs what follows it."""
    kept = (one for one in text if one.isspace() or unicodedata.category(one) not in {"Cc", "Cs"})
    return " ".join(DIRECTION_SIGNS.sub("", "".join(kept)).split())
