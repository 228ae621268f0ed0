"""The colours of the seats where there is no style sheet: in pictures and in email."""

from typing import Final

HEX: Final = {
    "red": "#bd2f12",
    "yellow": "#f2c230",
    "green": "#0b9974",
    "blue": "#2a67bd",
    "violet": "#8b3a80",
}
"""As in site.css by day."""
