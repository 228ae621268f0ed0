"""The time zone of the browser, offered once to those whose profile has another one."""

import pytest
from playwright.sync_api import expect

from games.models import User
from tests.browser.chromium import new_context, sign_in
from tests.support.client import browser, person

pytestmark = pytest.mark.full


def test_the_browsers_zone_is_offered_once_and_chosen_in_the_profile(chromium, site):
    anna = person("Anna", time_zone="UTC")
    with new_context(chromium, site, timezone_id="Europe/Vienna") as context:
        sign_in(context, site, browser(anna))
        page = context.new_page()
        page.goto("/")
        page.get_by_role("link", name="Change it").click()
        expect(page.get_by_label("Time zone")).to_have_value("Europe/Vienna")
        page.goto("/")
        page.get_by_role("button", name="Keep it").click()
        page.reload()
        expect(page.get_by_role("heading", name="My games")).to_be_visible()
        expect(page.get_by_role("link", name="Change it")).to_be_hidden()


def test_a_zone_with_the_same_clock_is_as_good(chromium, site):
    anna = person("Anna", time_zone="Europe/Berlin")
    with new_context(chromium, site, timezone_id="Europe/Vienna") as context:
        sign_in(context, site, browser(anna))
        page = context.new_page()
        page.goto("/")
        expect(page.get_by_role("link", name="Change it")).to_be_hidden()
        User.objects.update(time_zone="America/New_York")
        page.reload()
        expect(page.get_by_role("link", name="Change it")).to_be_visible()
