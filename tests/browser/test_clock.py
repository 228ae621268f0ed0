"""What is left of the time is shown by the server's clock, whatever the device's is."""

import re
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.chromium import new_context, sign_in
from tests.support.client import browser
from tests.support.tables import open_table, seats_to_move

pytestmark = pytest.mark.full

SHIFT = """
const real = Date.now, Plain = Date;
window.ahead = %d * 3600000;
Date.now = () => real() + window.ahead;
window.Date = new Proxy(Plain, {
  construct: (made, given) => (given.length ? new made(...given) : new made(Date.now())),
});
"""
IN_TIME = re.compile(r"^23 hours 5\d minutes left$")


def test_a_device_whose_clock_is_wrong_shows_the_time_that_is_left(chromium, site):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now() - timedelta(minutes=5))
    [seat] = seats_to_move(game)
    with ExitStack() as opened:
        pages = []
        for hours in (-30, 0, 30):
            context = opened.enter_context(new_context(chromium, site))
            sign_in(context, site, browser(seat.user))
            context.add_init_script(SHIFT % hours)
            page = context.new_page()
            page.goto(game.get_absolute_url())
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            expect(page.locator(".time-left").first).to_have_text(IN_TIME)
            page.evaluate("window.ahead += 5 * 3600000")  # somebody sets it while the page is open
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            pages.append(page)
        pages[-1].wait_for_timeout(1000)
        for page in pages:
            expect(page.locator(".time-left").first).to_have_text(IN_TIME)
