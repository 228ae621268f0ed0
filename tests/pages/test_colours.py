"""The colours of the seats: whatever shows one has all of them, and can be told apart."""

import re
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


def values(name: str) -> tuple[str, str]:
    """A colour of the style sheet, by day and by night."""
    [pair] = re.findall(rf"^  --{name}: light-dark\((#\w{{6}}), (#\w{{6}})\);", CSS, re.MULTILINE)
    return pair


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
