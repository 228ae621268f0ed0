"""Every noun that is declined, as one message each: its forms in the reader's language.

A translation lists the forms with "|" between, in the order of `words.CASES`; where all cases
are alike, as in English, it has one. Edition and record name things in English: these tables find
the noun by that name.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

type Forms = str | Promise


class PalaceNouns(NamedTuple):
    palace: Forms
    the_palace: Forms
    your_palace: Forms
    palaces: Forms


class ScholarNouns(NamedTuple):
    scholar: Forms
    scholars: Forms
    your_scholars: Forms


class AreaNouns(NamedTuple):
    area: Forms
    the_area: Forms
    which_area: Forms
    areas: Forms


class ColourForms(NamedTuple):
    """The colour before a noun, before a noun with "the", and as the name of a seat."""

    plain: Forms
    with_the: Forms
    seat: Forms


PALACES: Final[Mapping[str, PalaceNouns]] = {
    "palace": PalaceNouns(
        pgettext_lazy("forms", "palace"),
        pgettext_lazy("forms", "the palace"),
        pgettext_lazy("forms", "your palace"),
        pgettext_lazy("forms", "palaces"),
    ),
    "palazzo": PalaceNouns(
        pgettext_lazy("forms", "palazzo"),
        pgettext_lazy("forms", "the palazzo"),
        pgettext_lazy("forms", "your palazzo"),
        pgettext_lazy("forms", "palazzi"),
    ),
}

SCHOLARS: Final[Mapping[str, ScholarNouns]] = {
    "scholar": ScholarNouns(
        pgettext_lazy("forms", "scholar"),
        pgettext_lazy("forms", "scholars"),
        pgettext_lazy("forms", "your scholars"),
    ),
    "relative": ScholarNouns(
        pgettext_lazy("forms", "relative"),
        pgettext_lazy("forms", "relatives"),
        pgettext_lazy("forms", "your relatives"),
    ),
    "worker": ScholarNouns(
        pgettext_lazy("forms", "worker"),
        pgettext_lazy("forms", "workers"),
        pgettext_lazy("forms", "your workers"),
    ),
}

AREAS: Final[Mapping[str, AreaNouns]] = {
    "area": AreaNouns(
        pgettext_lazy("forms", "area"),
        pgettext_lazy("forms", "the area"),
        pgettext_lazy("forms", "which area"),
        pgettext_lazy("forms", "areas"),
    ),
    "building": AreaNouns(
        pgettext_lazy("forms", "building"),
        pgettext_lazy("forms", "the building"),
        pgettext_lazy("forms", "which building"),
        pgettext_lazy("forms", "buildings"),
    ),
    "place": AreaNouns(
        pgettext_lazy("forms", "place"),
        pgettext_lazy("forms", "the place"),
        pgettext_lazy("forms", "which place"),
        pgettext_lazy("forms", "places"),
    ),
    "position": AreaNouns(
        pgettext_lazy("forms", "position"),
        pgettext_lazy("forms", "the position"),
        pgettext_lazy("forms", "which position"),
        pgettext_lazy("forms", "positions"),
    ),
}

COLOURS: Final[Mapping[str, ColourForms]] = {
    "red": ColourForms(
        pgettext_lazy("forms", "red"),
        pgettext_lazy("forms after the", "red"),
        pgettext_lazy("forms of a seat", "red"),
    ),
    "yellow": ColourForms(
        pgettext_lazy("forms", "yellow"),
        pgettext_lazy("forms after the", "yellow"),
        pgettext_lazy("forms of a seat", "yellow"),
    ),
    "green": ColourForms(
        pgettext_lazy("forms", "green"),
        pgettext_lazy("forms after the", "green"),
        pgettext_lazy("forms of a seat", "green"),
    ),
    "blue": ColourForms(
        pgettext_lazy("forms", "blue"),
        pgettext_lazy("forms after the", "blue"),
        pgettext_lazy("forms of a seat", "blue"),
    ),
    "violet": ColourForms(
        pgettext_lazy("forms", "violet"),
        pgettext_lazy("forms after the", "violet"),
        pgettext_lazy("forms of a seat", "violet"),
    ),
}

OCCUPATIONS: Final[Mapping[str, Forms]] = {
    "alchemist": pgettext_lazy("forms", "alchemist"),
    "banker": pgettext_lazy("forms", "banker"),
    "clerk": pgettext_lazy("forms", "clerk"),
    "doctor": pgettext_lazy("forms", "doctor"),
    "healer": pgettext_lazy("forms", "healer"),
    "lawyer": pgettext_lazy("forms", "lawyer"),
    "minister": pgettext_lazy("forms", "minister"),
    "priest": pgettext_lazy("forms", "priest"),
    "scholar": pgettext_lazy("forms of an occupation", "scholar"),
    "scientist": pgettext_lazy("forms", "scientist"),
    "scribe": pgettext_lazy("forms", "scribe"),
    "soldier": pgettext_lazy("forms", "soldier"),
}

EDITION_NAMES: Final[Mapping[str, Forms]] = {
    "mayfair-2005": gettext_lazy("Intrigue, Mayfair 2005"),
    "fx-schmid-1994": gettext_lazy("Intrige, F.X. Schmid 1994"),
    "russian": gettext_lazy("Интрига, Russian rules"),
    "reference-manual": gettext_lazy("Intrigue, reference manual"),
}
