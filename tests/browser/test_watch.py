"""Whoever watches the pages would see what must not be there."""

import pytest

from tests.browser.pages import Kind
from tests.browser.test_axe import faults_of
from tests.browser.visits import visit
from tests.browser.world import World

CARELESS = Kind("careless", "", "/wrong/careless/")


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_a_careless_page_is_found_out(chromium, site, javascript):
    with visit(chromium, site, World(), CARELESS, javascript=javascript) as (_, watch):
        found = "\n".join(watch.complaints)
    assert "404 for /static/missing.css" in found
    assert "asked somebody else: https://elsewhere.example/picture.png" in found
    assert "console: Applying inline style violates" in found
    assert ("policy style-src-attr violated" in found) == javascript


def test_axe_and_the_width_of_the_window_find_their_faults(chromium, site):
    with visit(chromium, site, World(), CARELESS) as (page, _):
        found = "\n".join(faults_of(page))
    for fault in ("html-has-lang", "image-alt", "landmark-one-main", "stand beside the window"):
        assert fault in found
