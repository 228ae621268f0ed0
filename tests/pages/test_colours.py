"""The colours of the seats: whatever shows one has all of them, and can be told apart."""

import math
import re
from itertools import combinations
from pathlib import Path

import pytest

from games.engine import COLOURS
from games.presentation.board.board import LETTERS
from games.presentation.board.colours import HEX
from games.presentation.board.small_board import STYLES
from games.presentation.text import nouns

ROOT = Path(__file__).parents[2]
CSS = (ROOT / "games/static/games/site.css").read_text()
SYMBOLS = (ROOT / "templates/pages/components/_symbols.html").read_text()
CHARTS = (ROOT / "games/features/charts/static/charts/charts.css").read_text()
THEMES = ("by day", "by night")
LEAST_CONTRAST = 3.0
"""Of the line around a seat on the paper, as WCAG 2 counts it for what isn't text."""

DOCS = (ROOT / "docs/interface.md").read_text()
LEAST_APART = 9.0
"""Any two fills for a reader without one kind of cone, as a distance in Oklab, times 100."""

WITHOUT_CONES = {
    "red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado, Oliveira and Fernandes 2009, severity 1: linear RGB as such a reader sees it."""

TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
"""Ottosson 2020: from linear RGB, and from the cube roots of that."""


@pytest.mark.parametrize("table", [LETTERS, HEX, STYLES, nouns.COLOURS])
def test_each_table_has_all_colours(table):
    assert sorted(table) == sorted(COLOURS)


@pytest.mark.parametrize("colour", COLOURS)
def test_each_colour_has_its_style_and_its_sign(colour):
    assert f".{colour} {{ --seat: var(--{colour})" in CSS
    assert f'id="arms-{colour}"' in SYMBOLS
    assert f'id="hatch-{colour}"' in SYMBOLS


def test_lines_of_charts_are_told_apart_without_colour():
    dashed = set(re.findall(r"polyline\.(\w+) \{ stroke-dasharray", CHARTS))
    assert len(COLOURS) - len(dashed & set(COLOURS)) == 1


@pytest.mark.parametrize("colour", COLOURS)
def test_pictures_and_email_have_the_colour_of_the_day(colour):
    assert values(colour)[0] == HEX[colour]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("colour", COLOURS)
def test_the_line_around_a_seat_is_seen_on_the_paper(colour, theme):
    [line] = re.findall(rf"^\.{colour} \{{ .*--seat-line: var\(--([\w-]+)\)", CSS, re.MULTILINE)
    seat, paper = (values(name)[THEMES.index(theme)] for name in (line, "paper"))
    assert contrast(seat, paper) >= LEAST_CONTRAST


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("cones", WITHOUT_CONES)
def test_fills_are_told_apart_without_one_kind_of_cones(cones, theme):
    assert f"any two fills stay at least {LEAST_APART:.0f} apart" in DOCS
    seen = {
        colour: oklab(times(WITHOUT_CONES[cones], linear(values(colour)[THEMES.index(theme)])))
        for colour in COLOURS
    }
    apart = {(a, b): 100 * math.dist(seen[a], seen[b]) for a, b in combinations(COLOURS, 2)}
    assert {pair: far for pair, far in apart.items() if far < LEAST_APART} == {}


def test_the_docs_give_the_contrasts_of_the_style_sheet():
    ratios = r"(\d+\.\d)(?: \|)?,? (\d+\.\d)"
    tokens = re.findall(rf"^\| `--(\w+)` \| {ratios}", DOCS, re.MULTILINE)
    seats = re.findall(rf"^\| (\w+) \| [A-Z] \| [\w ]+ \| {ratios}", DOCS, re.MULTILINE)
    assert [name for name, *_ in seats] == list(COLOURS)
    assert len(tokens) == 7
    for name, *claimed in tokens + seats:
        pairs = zip(values(name), values("paper"), strict=True)
        assert [f"{contrast(one, paper):.1f}" for one, paper in pairs] == claimed, name


def values(name: str) -> tuple[str, str]:
    """A colour of the style sheet, by day and by night."""
    [pair] = re.findall(rf"^  --{name}: light-dark\((#\w{{6}}), (#\w{{6}})\);", CSS, re.MULTILINE)
    return pair


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(colour: str) -> list[float]:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]


def oklab(rgb: list[float]) -> list[float]:
    """Where a colour lies, from linear RGB; what no screen can show is cut off."""
    cones = times(TO_CONES, [min(1.0, max(0.0, one)) for one in rgb])
    return times(TO_OKLAB, [math.cbrt(one) for one in cones])


def times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    return [math.sumprod(row, vector) for row in matrix]
