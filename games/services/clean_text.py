"""What somebody typed, as it is kept."""

import re
import unicodedata
from typing import Final

from games.unseen import shows_something

TURNS: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""What nobody sees and turns the direction of all that follows."""


def tidy(text: str) -> str:
    """The text with plain ends of lines, and nothing blank around it; "" if nothing of it shows."""
    text = "\n".join(text.splitlines()).strip()
    return text if shows_something(text) else ""


def on_one_line(text: str) -> str:
    """The text with single spaces instead of breaks, and nothing that governs what follows it."""
    kept = (one for one in text if one.isspace() or unicodedata.category(one) not in {"Cc", "Cs"})
    return " ".join(TURNS.sub("", "".join(kept)).split())
