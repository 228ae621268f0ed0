"""Every kind of page, in both themes, on a small phone and on a desk.

axe finds nothing, nothing stands beside the window, and no word or sentence is broken.
"""

import json
from pathlib import Path

import axe_playwright_python
import pytest
from django.conf import settings as site_settings
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Page

from tests.browser.chromium import broken_words, sideways, torn_sentences
from tests.browser.pages import GROUPS, NO_PAGE
from tests.browser.visits import DESK, PHONE, new_window
from tests.browser.world import World

pytestmark = [pytest.mark.full, pytest.mark.slow]

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = [(DESK, "light"), (PHONE, "dark"), (DESK, "dark"), (PHONE, "light")]
"""A width and a theme. Each page is looked at in one of the first two, in turn, and with `--long`
in all."""
ALIKE = {"asked", "not-asked", "admin", "reports"}
"""Groups of which every second page is looked at, and with `--long` each: they show a game, or are
for moderators."""

ALL_RULES = {"type": "tag", "values": TAGS}
RULES_OF_A_LOOK = {
    "type": "rule",
    "values": [
        "color-contrast",
        "link-in-text-block",
        "meta-viewport",
        "scrollable-region-focusable",
        "target-size",
    ],
}
"""The rules whose answer depends on the width or the theme: the others are asked once a page."""


def found_by_axe(page: Page, rules: dict[str, object]) -> list[str]:
    # Without this axe calls into frames, which it isn't in; sandboxed ones make a browser complain.
    options = {"runOnly": rules, "resultTypes": ["violations"], "iframes": False}
    found = page.evaluate(f"axe.run({json.dumps(options)})")["violations"]
    return [
        f"{fault['id']} at {node['target']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for fault in found
        for node in fault["nodes"]
    ]


UNFOLD = "document.querySelectorAll('details').forEach((part) => { part.open = true; })"


def faults_of(
    page: Page, looks: list[tuple[dict[str, int], str]], *, all_rules_always: bool
) -> list[str]:
    """What is wrong with the page that is open, at each of these widths and in these themes.

    Everything that is folded is unfolded: axe looks only at what is seen. It is looked at from the
    end of the page, where no bar that sticks to the bottom edge covers what one can scroll to.
    """
    page.evaluate(UNFOLD)
    page.evaluate(AXE)
    found = []
    for number, (size, theme) in enumerate(looks):
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=theme)
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        rules = ALL_RULES if all_rules_always or number == 0 else RULES_OF_A_LOOK
        found += [f"{size['width']} {theme}: {fault}" for fault in found_by_axe(page, rules)]
        if (beside := sideways(page)) > 0:
            found.append(f"{size['width']}: {beside} pixels stand beside the window")
        found += [f"{size['width']}: a broken word: {word}" for word in broken_words(page)]
        found += [f"{size['width']}: a torn sentence: {one}" for one in torn_sentences(page)]
    return found


@pytest.mark.parametrize("group", GROUPS)
def test_pages_of(group, chromium, site, request):
    long = request.config.getoption("--long")
    world = World()
    faults = []
    with new_window(chromium, site) as window:
        kinds = GROUPS[group][::2] if group in ALIKE and not long else GROUPS[group]
        for place, kind in enumerate(kinds):
            looks = LOOKS if long else [LOOKS[place % 2]]
            page = window.visit(world, kind)
            found = faults_of(page, looks, all_rules_always=long) + window.watch.complaints
            faults += [f"{kind.name}: {fault}" for fault in found]
    assert not faults, "\n".join(faults)


def routes(resolver: URLResolver, space: str = "") -> set[str]:
    """The names of all addresses of the site but Django's own admin and our broken pages."""
    found = set()
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            found |= {f"{space}{pattern.name}"} if pattern.name else set()
        elif pattern.namespace != "admin":
            found |= routes(pattern, f"{space}{pattern.namespace}:" if pattern.namespace else space)
    return found


def test_every_address_is_looked_at_or_shows_no_page():
    shown = {kind.route for kinds in GROUPS.values() for kind in kinds} - {""}
    assert shown | set(NO_PAGE) == routes(get_resolver("tests.support.demo_urls"))
    assert not shown & set(NO_PAGE)
    assert site_settings.ROOT_URLCONF == "intrigue_site.urls"
