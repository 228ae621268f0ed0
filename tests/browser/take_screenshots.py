"""Takes pictures of every kind of page, in both themes and at both widths: bin/screenshots.

No test: pytest brings the servers, the browser and the same people and tables as for the tests.
"""

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page

from tests.browser.pages import GROUPS, MORE_PICTURES
from tests.browser.visits import DESK, PHONE, THEMES, new_window
from tests.browser.world import World

FOLDER = Path(__file__).resolve().parent.parent.parent / "var" / "screenshots"


class ForReadme(NamedTuple):
    """A picture for the README: of the top of a page, as large as this window."""

    kind: str
    theme: str
    width: int
    height: int


README = {
    "game.png": ForReadme("game-external-bribes-other", "light", 1280, 900),
    "step-dark.png": ForReadme("history-step-finished", "dark", 1180, 900),
    "phone.png": ForReadme("game-joined-awaited", "light", 360, 740),
    "phone-dark.png": ForReadme("game-sealed-awaited", "dark", 360, 740),
    "home.png": ForReadme("home", "light", 360, 740),
    "dashboard.png": ForReadme("admin-desk", "light", 1180, 760),
}


PICTURES = GROUPS | {"more": MORE_PICTURES}


@pytest.mark.parametrize("group", PICTURES)
def test_take(group, chromium, site):
    FOLDER.mkdir(parents=True, exist_ok=True)
    world = World()
    with new_window(chromium, site) as window:
        for kind in PICTURES[group]:
            page = window.visit(world, kind)
            for size in (DESK, PHONE):
                for theme in THEMES:
                    name = f"{kind.name}-{size['width']}-{theme}.png"
                    take(page, size, theme, FOLDER / name, full_page=True)
            for name, wanted in README.items():
                if wanted.kind == kind.name:
                    size = {"width": wanted.width, "height": wanted.height}
                    take(page, size, wanted.theme, FOLDER / "readme" / name, full_page=False)


def take(page: Page, size: dict[str, int], theme: str, file: Path, *, full_page: bool) -> None:
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme)
    page.screenshot(path=file, full_page=full_page)
