"""Portraits of computer players, drawn from parts: a face, hair, a hat, a beard and a collar.

Each part is SVG in a square from -32 to 32, with the face around the middle; later ones lie on top.
`{hair}`, `{cloth}` and `{trim}` are the colours of the portrait.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from games.engine.characters import Role

INK: Final = "#1d1a16"

COLLARS: Final[Mapping[str, str]] = {
    "robe": '<path d="M-26,34Q-22,17 -8,15L0,24L8,15Q22,17 26,34Z" fill="{cloth}"/>'
    '<path d="M-8,15L0,24L8,15L5,12L0,17L-5,12Z" fill="{trim}"/>',
    "ruff": '<path d="M-25,34Q-20,20 0,20Q20,20 25,34Z" fill="{cloth}"/>'
    '<path d="M-17,19L-13,13L-9,18L-5,13L0,18L5,13L9,18L13,13L17,19L9,24L0,25L-9,24Z"'
    ' fill="{trim}"/>',
    "fur": '<path d="M-27,34Q-22,16 -9,15L9,15Q22,16 27,34Z" fill="{cloth}"/>'
    '<path d="M-20,21Q-12,12 -8,14L0,28L8,14Q12,12 20,21L4,34L-4,34Z" fill="{trim}"/>',
    "armour": '<path d="M-27,34L-24,20L-8,15L8,15L24,20L27,34Z" fill="{cloth}"/>'
    '<path d="M-10,13L10,13L8,20L-8,20Z" fill="{trim}"/>',
    "neckline": '<path d="M-24,34Q-21,21 -13,19L0,31L13,19Q21,21 24,34Z" fill="{cloth}"/>'
    '<circle cy="22" r="2.6" fill="{trim}"/>',
}

HAIR: Final[Mapping[str, str]] = {
    "none": "",
    "short": '<path d="M-14,1Q-16,-17 0,-18Q16,-17 14,1L11,-5Q0,-11 -11,-5Z" fill="{hair}"/>',
    "long": '<path d="M-15,20Q-19,-18 0,-19Q19,-18 15,20L10,16L11,-4Q0,-12 -11,-4L-10,16Z"'
    ' fill="{hair}"/>',
    "curls": '<path d="M-11,-6Q-19,-3 -16,4Q-20,9 -14,13Q-13,-2 -8,-8Q0,-11 8,-8Q13,-2 14,13'
    'Q20,9 16,4Q19,-3 11,-6Q10,-19 0,-19Q-10,-19 -11,-6Z" fill="{hair}"/>',
    "tonsure": '<path d="M-14,4Q-17,-6 -11,-11L-9,-4L-11,4Z M14,4Q17,-6 11,-11L9,-4L11,4Z"'
    ' fill="{hair}"/>',
}

HATS: Final[Mapping[str, str]] = {
    "none": "",
    "cap": '<path d="M-15,-9Q-15,-22 2,-22Q17,-21 16,-9Q0,-15 -15,-9Z" fill="{cloth}"/>',
    "coronet": '<path d="M-13,-12L-15,-25L-7,-18L0,-27L7,-18L15,-25L13,-12Q0,-16 -13,-12Z"'
    ' fill="{trim}"/>',
    "galero": '<path d="M-27,-10Q0,-20 27,-10Q20,-15 12,-15Q10,-25 0,-25Q-10,-25 -12,-15'
    'Q-20,-15 -27,-10Z" fill="{cloth}"/><path d="M-20,-12L-22,14M20,-12L22,14" stroke="{trim}"/>',
    "beret": '<path d="M-18,-10Q-20,-23 2,-23Q22,-22 18,-12Q0,-17 -18,-10Z" fill="{cloth}"/>'
    '<path d="M12,-19Q22,-32 27,-22Q20,-22 14,-16Z" fill="{trim}"/>',
    "helmet": '<path d="M-16,0Q-17,-24 0,-25Q17,-24 16,0L11,-6Q0,-10 -11,-6Z" fill="{trim}"/>'
    '<path d="M-3,-25Q0,-32 12,-30Q4,-28 3,-24Z" fill="{cloth}"/>',
    "pearls": '<path d="M-12,-12Q0,-18 12,-12" fill="none" stroke="{trim}" stroke-width="2.4"'
    ' stroke-dasharray="0.1 3.6" stroke-linecap="round"/>',
}

BEARDS: Final[Mapping[str, str]] = {
    "none": "",
    "full": '<path d="M-12,4Q-12,22 0,23Q12,22 12,4Q8,10 5,8Q0,6 -5,8Q-8,10 -12,4Z"'
    ' fill="{hair}"/>',
    "goatee": '<path d="M-3,12Q0,11 3,12L0,20Z M-6,7Q0,4 6,7Q0,8 -6,7Z" fill="{hair}"/>',
    "moustache": '<path d="M-10,9Q-6,3 0,6Q6,3 10,9Q4,8 0,8Q-4,8 -10,9Z" fill="{hair}"/>',
}

MOODS: Final[Mapping[str, str]] = {
    "calm": "M-8,-5Q-5,-7 -3,-5M3,-5Q5,-7 8,-5M-4,10Q0,12 4,10",
    "stern": "M-9,-7L-3,-4M9,-7L3,-4M-4,11L4,11",
    "sly": "M-8,-6Q-5,-8 -3,-5M3,-7Q6,-9 8,-6M-4,10Q1,12 5,8",
    "merry": "M-8,-6Q-5,-8 -3,-6M3,-6Q5,-8 8,-6M-5,9Q0,14 5,9",
}
"""Brows and mouth."""


class Portrait(NamedTuple):
    """A portrait by the names of its parts, and its colours."""

    collar: str
    hair_cut: str
    hat: str
    beard: str
    mood: str
    hair: str
    cloth: str
    trim: str
    skin: str = "#e8c39e"
    wall: str = "#d9cfb8"


PORTRAITS: Final[Mapping[Role, Portrait]] = {
    Role.MISER: Portrait(
        "fur", "none", "cap", "goatee", "stern", hair="#9b9488", cloth="#4b4a3a", trim="#8a6d45"
    ),
    Role.DUKE: Portrait(
        "ruff", "short", "coronet", "full", "calm", hair="#6b4426", cloth="#2f5c9e", trim="#e3c567"
    ),
    Role.CARDINAL: Portrait(
        "robe", "none", "galero", "none", "stern", hair="#55504a", cloth="#a8322a", trim="#f1ead9"
    ),
    Role.COUNTESS: Portrait(
        "neckline", "curls", "pearls", "none", "merry",
        hair="#c98a3c", cloth="#3c7a4a", trim="#fbf6e6",
    ),
    Role.MERCHANT: Portrait(
        "fur", "short", "beret", "moustache", "merry",
        hair="#33261c", cloth="#7a4a1e", trim="#d9a93a", skin="#c99a6e",
    ),
    Role.ABBOT: Portrait(
        "robe", "tonsure", "none", "none", "merry", hair="#7d7266", cloth="#5b4632", trim="#8d7658"
    ),
    Role.CAPTAIN: Portrait(
        "armour", "short", "helmet", "moustache", "stern",
        hair="#2b2723", cloth="#7f8790", trim="#b4bac0", skin="#d3a57c",
    ),
    Role.MARCHESA: Portrait(
        "neckline", "long", "none", "none", "sly", hair="#241d1d", cloth="#6f4a8e", trim="#d9a93a"
    ),
}  # fmt: skip


def drawn(portrait: Portrait) -> str:
    """The portrait as SVG, 64 units wide, in colours that look the same on all pages."""
    colours = {"hair": portrait.hair, "cloth": portrait.cloth, "trim": portrait.trim}
    behind = COLLARS[portrait.collar].format(**colours)
    parts = (BEARDS[portrait.beard], HAIR[portrait.hair_cut], HATS[portrait.hat])
    before = "".join(parts).format(**colours)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-32 -32 64 64">'
        '<clipPath id="c"><circle r="31"/></clipPath><g clip-path="url(#c)">'
        f'<circle r="31" fill="{portrait.wall}"/>'
        f'<g stroke="{INK}" stroke-width="1.2" stroke-linejoin="round">{behind}'
        f'<ellipse rx="12" ry="16" cy="1" fill="{portrait.skin}"/>{before}</g>'
        f'<path d="{MOODS[portrait.mood]}M0,-1L-2,5L1,5" fill="none" stroke="{INK}"'
        ' stroke-width="1.3" stroke-linecap="round"/>'
        f'<circle cx="-5" cy="-1.5" r="1.3" fill="{INK}"/>'
        f'<circle cx="5" cy="-1.5" r="1.3" fill="{INK}"/></g>'
        f'<circle r="31" fill="none" stroke="{INK}" stroke-width="1.6"/></svg>'
    )
