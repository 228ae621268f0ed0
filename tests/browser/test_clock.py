"""What is left of the time is told by the server's clock, whatever the device's says."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.chromium import new_context, sign_in
from tests.support.client import browser
from tests.support.tables import awaited_seats, open_table

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


@pytest.mark.parametrize("hours", [-30, 0, 30])
def test_a_device_whose_clock_is_wrong_shows_the_time_that_is_left(chromium, site, hours):
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    [seat] = awaited_seats(game)
    with new_context(chromium, site) as context:
        sign_in(context, site, browser(seat.user))
        context.add_init_script(SHIFT % hours)
        page = context.new_page()
        page.goto(game.get_absolute_url())
        left = page.locator(".time-left").first
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(left).to_have_text(IN_TIME)
        page.evaluate("window.ahead += 5 * 3600000")  # somebody sets it while the page is open
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_timeout(1000)
        expect(left).to_have_text(IN_TIME)
