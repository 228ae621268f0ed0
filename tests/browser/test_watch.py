"""Whoever watches the pages would see what must not be there."""

import time

import pytest

from tests.browser.chromium import PATIENCE
from tests.browser.pages import Kind
from tests.browser.test_axe import faults_of
from tests.browser.visits import visit
from tests.browser.world import World

CARELESS = Kind("careless", "", "/wrong/careless/")


def wait_for_complaint(page, watch, text):
    """A browser tells of some faults only after the page has been loaded."""
    end = time.monotonic() + PATIENCE / 1000
    while not any(text in complaint for complaint in watch.complaints):
        assert time.monotonic() < end, (text, watch.complaints)
        page.wait_for_timeout(50)


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_a_careless_page_is_found_out(chromium, site, javascript):
    with visit(chromium, site, World(), CARELESS, javascript=javascript) as (page, watch):
        wait_for_complaint(page, watch, "404 for /static/missing.css")
        wait_for_complaint(
            page, watch, "asked somebody else: https://elsewhere.example/picture.png"
        )
        wait_for_complaint(page, watch, "console: Applying inline style violates")
        if javascript:
            wait_for_complaint(page, watch, "policy style-src-attr violated")


def test_axe_and_the_width_of_the_window_find_their_faults(chromium, site):
    with visit(chromium, site, World(), CARELESS) as (page, _):
        found = "\n".join(faults_of(page))
    for fault in ("html-has-lang", "image-alt", "landmark-one-main", "stand beside the window"):
        assert fault in found
