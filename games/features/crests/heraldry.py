"""Crests: the small round pictures by which people are recognized, built from heraldic parts.

Everybody has one, made up from the id of their account until they choose their own.
"""

from functools import lru_cache
from hashlib import sha256
from math import cos, pi, sin
from typing import Final, NamedTuple, Self

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.models import User


class Part(NamedTuple):
    """A part to choose from: what it is called, and how it is drawn.

    That is a colour (`#rrggbb`), or a path in a square from -20 to 20.
    """

    name: str | Promise
    drawn: str


def _rays(count: int, outer: float, inner: float) -> str:
    """A star with that many points."""
    corners = [
        (radius * sin(pi * step / count), -radius * cos(pi * step / count))
        for step, radius in enumerate([outer, inner] * count)
    ]
    return f"M{'L'.join(f'{x:.1f},{y:.1f}' for x, y in corners)}Z"


def _ring(radius: float, y: float = 0, x: float = 0) -> str:
    """A circle."""
    half = f"a{radius},{radius} 0 1 0"
    return f"M{x - radius:.1f},{y:.1f}{half} {2 * radius},0{half} {-2 * radius},0Z"


def _petals() -> str:
    """A rose with five petals."""
    angles = [2 * pi * one / 5 for one in range(5)]
    return "".join(_ring(4.2, -6 * cos(angle), 6 * sin(angle)) for angle in angles)


TINCTURES: Final = {
    "gules": Part(pgettext_lazy("crest", "red"), "#a8322a"),
    "azure": Part(pgettext_lazy("crest", "blue"), "#2f5c9e"),
    "vert": Part(pgettext_lazy("crest", "green"), "#3c7a4a"),
    "purpure": Part(pgettext_lazy("crest", "purple"), "#6f4a8e"),
    "sable": Part(pgettext_lazy("crest", "black"), "#2b2723"),
    "or": Part(pgettext_lazy("crest", "gold"), "#d9a93a"),
    "argent": Part(pgettext_lazy("crest", "silver"), "#f1ead9"),
}
METALS: Final = ("or", "argent")

DIVISIONS: Final = {
    "plain": Part(gettext_lazy("one colour"), ""),
    "pale": Part(gettext_lazy("side by side"), "M0,-20H20V20H0Z"),
    "fess": Part(gettext_lazy("one above the other"), "M-20,0H20V20H-20Z"),
    "bend": Part(gettext_lazy("diagonal"), "M-20,-20L20,20H-20Z"),
    "quarterly": Part(gettext_lazy("quarters"), "M0,-20H20V0H-20V20H0Z"),
    "saltire": Part(gettext_lazy("four triangles"), "M-20,-20L20,20V-20L-20,20Z"),
    "chevron": Part(gettext_lazy("chevron"), "M-20,20L0,0L20,20V8L0,-12L-20,8Z"),
    "chief": Part(gettext_lazy("band at the top"), "M-20,-20H20V-9H-20Z"),
    "bars": Part(gettext_lazy("stripes"), "M-20,-12H20V-4H-20ZM-20,4H20V12H-20Z"),
    "bordure": Part(gettext_lazy("border"), "M-20,-20H20V20H-20Z" + _ring(14)),
}

CHARGES: Final = {
    "star": Part(gettext_lazy("star"), _rays(5, 11, 4.4)),
    "sun": Part(gettext_lazy("sun"), _rays(12, 11.5, 7)),
    "crescent": Part(gettext_lazy("crescent"), "M5,-9A10.3,10.3 0 1 0 5,9A9.6,9.6 0 0 1 5,-9Z"),
    "tower": Part(
        gettext_lazy("tower"),
        "M-7,10V-4H-8.5V-10H-5V-7.5H-2V-10H2V-7.5H5V-10H8.5V-4H7V10H2.5V4.5"
        "A2.5,2.5 0 0 0 -2.5,4.5V10Z",
    ),
    "key": Part(
        gettext_lazy("key"),
        "M-1.5,-1.5A5,5 0 1 1 1.5,-1.5V4H5V7H1.5V11H-1.5Z" + _ring(2.2, -6),
    ),
    "lily": Part(
        gettext_lazy("lily"),
        "M0,-12C4,-7 4,-3 1.6,1H5.6C5.6,-3 10,-6 11,-1.5C11.6,2.5 7,5 2,4.2L3.4,10H-3.4L-2,4.2"
        "C-7,5 -11.6,2.5 -11,-1.5C-10,-6 -5.6,-3 -5.6,1H-1.6C-4,-3 -4,-7 0,-12Z",
    ),
    "rose": Part(gettext_lazy("rose"), _petals()),
    "book": Part(
        gettext_lazy("book"),
        "M-11,-8Q-5,-10 0,-6.5Q5,-10 11,-8V7Q5,5 0,8.5Q-5,5 -11,7ZM-.5,-5H.5V7H-.5Z",
    ),
    "crown": Part(gettext_lazy("crown"), "M-9,8L-11,-6L-5,0L0,-9L5,0L11,-6L9,8Z"),
    "bell": Part(
        gettext_lazy("bell"),
        "M0,-10C6,-10 6,-3 6.6,2L10,6H-10L-6.6,2C-6,-3 -6,-10 0,-10Z"
        "M-2.6,7H2.6A2.6,3.4 0 0 1 -2.6,7Z",
    ),
    "goblet": Part(
        gettext_lazy("goblet"),
        "M-8,-10H8C8,-3 5.5,0 1.6,1.4V6.5L6,10H-6L-1.6,6.5V1.4C-5.5,0 -8,-3 -8,-10Z",
    ),
    "tree": Part(
        gettext_lazy("tree"),
        "M-1.6,11V6H-8L-3.5,0H-6.5L-2.4,-5H-4.4L0,-11L4.4,-5H2.4L6.5,0H3.5L8,6H1.6V11Z",
    ),
}

INK: Final = "#1d1a16"


class Crest(NamedTuple):
    """A crest by the names of its parts. As text, they are joined: "pale-gules-or-star"."""

    division: str
    first: str
    second: str
    charge: str

    def __str__(self) -> str:
        return "-".join(self)

    @classmethod
    def read(cls, text: str) -> Self:
        """The crest of this text; ValueError unless all four parts are known."""
        parts = text.split("-")
        known = DIVISIONS, TINCTURES, TINCTURES, CHARGES
        if len(parts) != len(known) or any(
            part not in among for part, among in zip(parts, known, strict=True)
        ):
            raise ValueError(f"No crest is called {text!r}.")
        return cls(*parts)

    @classmethod
    def of_account(cls, number: int) -> Self:
        """The crest of an account that has not chosen one: always the same one.

        It follows the rule of tincture: a metal beside a colour.
        """
        draw = iter(sha256(f"crest {number}".encode()).digest())

        def one_of(names: tuple[str, ...]) -> str:
            return names[next(draw) % len(names)]

        colours = tuple(name for name in TINCTURES if name not in METALS)
        pair = one_of(colours), one_of(METALS)
        first, second = pair if next(draw) % 2 else pair[::-1]
        return cls(one_of(tuple(DIVISIONS)), first, second, one_of(tuple(CHARGES)))

    @property
    def charged_with(self) -> str:
        """The tincture of the charge: a metal that is not in the field, else black."""
        return next((one for one in METALS if one not in self[1:3]), "sable")


def crest_of(person: User) -> str:
    """The text of the crest that somebody has chosen, or else of that of their account."""
    return person.crest or str(Crest.of_account(person.pk))


@lru_cache(maxsize=1_000)
def drawn(crest: Crest) -> str:
    """The crest as SVG, 40 units wide, in colours that look the same on light and dark pages."""
    first, second, third = (
        TINCTURES[one].drawn for one in (crest.first, crest.second, crest.charged_with)
    )
    division = DIVISIONS[crest.division].drawn
    field = f'<path d="{division}" fill="{second}" fill-rule="evenodd"/>' if division else ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 40 40">'
        '<clipPath id="c"><circle r="19"/></clipPath>'
        f'<g clip-path="url(#c)"><circle r="19" fill="{first}"/>{field}</g>'
        f'<circle r="19" fill="none" stroke="{INK}" stroke-width="1.4"/>'
        f'<path d="{CHARGES[crest.charge].drawn}" fill="{third}" fill-rule="evenodd" stroke="{INK}"'
        ' stroke-width="1.3" stroke-linejoin="round"/></svg>'
    )
