"""Shields, their emblems, and seals: once on a page, `components/_symbols.html` comes before."""

from functools import lru_cache

from django.utils.html import format_html
from django.utils.safestring import SafeString


@lru_cache(maxsize=10_000)  # saves 1 ms of a game's page
def shield(colour: str, occupation: str = "", letter: str = "", name: str = "") -> SafeString:
    """The shield of a seat, with the emblem of an occupation or a letter.

    It is hidden from screen readers unless it has a name.
    """
    sign = SafeString("")
    if occupation:
        sign = format_html('<use href="#emblem-{}" class="emblem"/>', occupation)
    elif letter:
        sign = format_html('<text y="4.4">{}</text>', letter)
    label = format_html(' role="img"><title>{}</title>', name) if name else ' aria-hidden="true">'
    return format_html(
        '<svg class="shield {}" viewBox="-14 -16 28 35"{}<use href="#arms-{}"/>{}</svg>',
        colour,
        SafeString(label),
        colour,
        sign,
    )


def seal(which: str, name: str = "") -> SafeString:
    """The seal of a promise: "broken", or "kept" although it cost something.

    It is hidden from screen readers unless it has a name: otherwise words stand beside it.
    """
    label = format_html(' role="img"><title>{}</title>', name) if name else ' aria-hidden="true">'
    return format_html(
        '<svg class="seal" viewBox="-10 -10 20 20"{}<use href="#seal-{}"/></svg>',
        SafeString(label),
        which,
    )
