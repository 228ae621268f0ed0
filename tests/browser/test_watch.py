"""Watching the pages would show what must not be there; and what is left gets a response."""

import time
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from tests.browser.chromium import PATIENCE
from tests.browser.pages import Kind
from tests.browser.test_axe import LOOKS, faults_of
from tests.browser.visits import new_window
from tests.browser.world import World

pytestmark = pytest.mark.full

CARELESS = Kind("careless", "", "/wrong/careless/")
RULES = Kind("rules", "", "/rules/")


def wait_for_complaint(page, watch, text):
    """A browser reports some faults only after the page has been loaded."""
    end = time.monotonic() + PATIENCE / 1000
    while not any(text in complaint for complaint in watch.complaints):
        assert time.monotonic() < end, (text, watch.complaints)
        page.wait_for_timeout(50)


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without"])
def test_a_careless_page_is_found_out_and_the_next_is_not_blamed(chromium, site, javascript):
    with new_window(chromium, site, javascript=javascript) as window:
        page, watch = window.visit(World(), CARELESS), window.watch
        wait_for_complaint(page, watch, "404 for /static/missing.css")
        wait_for_complaint(
            page, watch, "asked somebody else: https://elsewhere.example/picture.png"
        )
        wait_for_complaint(page, watch, "console: Applying inline style violates")
        if javascript:
            wait_for_complaint(page, watch, "policy style-src-attr violated")
        window.visit(World(), RULES)
        assert watch.complaints == []


def test_axe_and_the_width_of_the_window_find_their_faults(chromium, site):
    with new_window(chromium, site) as window:
        found = "\n".join(faults_of(window.visit(World(), CARELESS), LOOKS, all_rules_always=True))
    for fault in ("html-has-lang", "image-alt", "landmark-one-main", "stand beside the window"):
        assert fault in found


def test_the_site_stops_when_what_a_browser_left_has_been_answered(site):
    """A server that stops earlier would leave a thread that can give nobody its response."""
    connection = HTTPConnection(urlsplit(site).netloc)
    connection.request("GET", "/wrong/slow/")
    connection.close()
