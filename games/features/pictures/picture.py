"""A table as a picture for link previews (OpenGraph): 1200 by 630, drawn as SVG."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import resvg_py
from django.template.loader import get_template
from django.utils.html import escape

from games.presentation.board.board import Area, Board, Palace
from games.presentation.board.colours import HEX

WIDTH: Final = 1200
HEIGHT: Final = 630
MARGIN: Final = 50
GAP: Final = 22

FONTS: Final = Path(__file__).parent / "fonts"
PAPER: Final = "#faf7f0"
CARD: Final = "#fffefa"
INK: Final = "#1d1a16"
SOFT: Final = "#5f584d"
ACCENT: Final = "#7a1f2b"
LINE: Final = "#ded8cc"
STYLE: Final = f"""
pattern {{ stroke: {INK}; stroke-opacity: .55; stroke-width: .9 }}
pattern circle {{ fill: {INK}; fill-opacity: .55; stroke: none }}
#shield {{ stroke: {INK}; stroke-width: 1.2 }}
.disc {{ fill: {CARD}; stroke: {INK}; stroke-width: .8 }}
.emblem {{ fill: none; stroke: {INK}; stroke-width: 1.25; stroke-linecap: round }}
"""

SHIELD: Final = "M-13-15h26v13.5C13 7.5 8 13.5 0 18-8 13.5-13 7.5-13-1.5z"
CROWN: Final = "M-7.5 5v-9.5l4 4L0-7.5 3.5-.5l4-4V5z"


def as_png(svg: str) -> bytes:
    """An SVG as PNG, with our own fonts: Latin, Greek and Cyrillic, the same on every machine."""
    fonts = [str(FONTS / name) for name in ("DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf")]
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=fonts))


def table_picture(title: str, below: str, board: Board, breaches: str = "") -> str:
    """A table with its name, a sentence below it, and the board as the reader may see it.

    A broken seal stands before the sentence about `breaches`, if there were any.
    """
    wide = (WIDTH - 2 * MARGIN + GAP) / len(board.palaces) - GAP
    palaces = [
        f'<g transform="translate({MARGIN + number * (wide + GAP):.1f} 236)">'
        f"{_palace(palace, wide)}</g>"
        for number, palace in enumerate(board.palaces)
    ]
    heading = _text(MARGIN, 118, 58, title, 28, "serif")
    heading += _text(MARGIN, 180, 34, below, 56, "sans", SOFT)
    if breaches:
        heading += f'<g transform="translate({MARGIN + 13} 210) scale(1.4)" fill="{ACCENT}">'
        heading += '<use href="#seal-broken"/></g>'
        heading += _text(MARGIN + 38, 218, 24, breaches, 75, "sans", ACCENT)
    symbols = get_template("components/_symbols.html").render()
    return _page(symbols + heading + "".join(palaces) + _mark(WIDTH - 84, 74, 1.5))


def invitation_picture(title: str, below: Sequence[str], taken: int, size: int) -> str:
    """A table that waits for players: a title, sentences, and a shield for each seat.

    Which colours are whose is drawn at the start, so the shields have none.
    """
    heading = _text(MARGIN, 150, 58, title, 30, "serif")
    for line, sentence in enumerate(below):
        heading += _text(MARGIN, 226 + 48 * line, 30, sentence, 64, "sans", SOFT)
    wide = (WIDTH - 2 * MARGIN) / size
    shields = "".join(
        f'<g transform="translate({MARGIN + (number + 0.5) * wide:.1f} 478) scale(4.6)">'
        + (
            f'<path d="{SHIELD}" fill="{ACCENT}"/><path d="{CROWN}" fill="{PAPER}"/></g>'
            if number < taken
            else f'<path d="{SHIELD}" fill="{CARD}" stroke="{ACCENT}" stroke-dasharray="3 2"/></g>'
        )
        for number in range(size)
    )
    return _page(heading + shields)


@cache
def site_card(name: str, below: str) -> str:
    """The card of the site, for whatever strangers may not see."""
    return _page(
        _mark(WIDTH / 2, 220, 6)
        + f'<g text-anchor="middle">{_text(WIDTH / 2, 440, 92, name, 30, "serif")}'
        + f"{_text(WIDTH / 2, 520, 36, below, 60, 'sans', SOFT)}</g>"
    )


def _page(content: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        f' height="{HEIGHT}"><style>{STYLE}</style>'
        f'<rect width="100%" height="100%" fill="{PAPER}"/>{content}'
        f'<path d="M0 {HEIGHT - 12}H{WIDTH}" stroke="{ACCENT}" stroke-width="24"/></svg>'
    )


def _text(x: float, y: float, size: int, text: str, most: int, family: str, fill: str = INK) -> str:
    """A line of at most so many letters."""
    shown = text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
    font = "DejaVu Serif" if family == "serif" else "DejaVu Sans"
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{font}" font-weight="bold" font-size="{size}"'
        f' fill="{fill}">{escape(shown)}</text>'
    )


def _mark(x: float, y: float, scale: float) -> str:
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale({scale})">'
        f'<path d="{SHIELD}" fill="{ACCENT}"/><path d="{CROWN}" fill="{PAPER}"/></g>'
    )


def _palace(palace: Palace, wide: float) -> str:
    cell = wide / len(palace.areas)
    areas = "".join(
        f'<g transform="translate({(number + 0.5) * cell:.1f} 0)">{_area(area, cell)}</g>'
        for number, area in enumerate(palace.areas)
    )
    size = 26 if wide > 230 else 22
    name = _text(16, 54, size, palace.owner, int(wide / size * 1.35), "serif")
    money = _text(16, 92, 24, palace.cash, 12, "sans", ACCENT if palace.won else SOFT)
    edge = ACCENT if palace.won or palace.active else LINE
    return (
        f'<rect width="{wide:.1f}" height="300" fill="{CARD}" stroke="{edge}" stroke-width="3"/>'
        f'<rect width="{wide:.1f}" height="14" fill="{HEX[palace.colour]}"/>{name}{money}{areas}'
    )


def _area(area: Area, cell: float) -> str:
    scale = min(cell / 34, 2.1)
    niche = 13 * scale + 3
    drawn = (
        f'<text y="142" text-anchor="middle" font-family="DejaVu Sans" font-weight="bold"'
        f' font-size="20" fill="{SOFT}">{escape(area.short)}</text>'
        f'<path d="M{-niche:.1f} 252V{162 + niche:.1f}'
        f'a{niche:.1f} {niche:.1f} 0 0 1 {2 * niche:.1f} 0V252Z"'
        f' fill="{PAPER}" stroke="{LINE}" stroke-width="2"/>'
    )
    if area.resident is None:
        return drawn
    return drawn + (
        f'<g transform="translate(0 {250 - 19 * scale:.1f}) scale({scale:.2f})">'
        f'<g fill="{HEX[area.resident.colour]}"><use href="#arms-{area.resident.colour}"/></g>'
        f'<use href="#emblem-{area.resident.occupation}" class="emblem"/></g>'
    )
