"""The form of a new table: how players talk follows the time for a move, until it is chosen."""

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import new_context, sign_in
from tests.support.client import browser, person

pytestmark = pytest.mark.full


def test_private_talk_follows_the_time_for_a_move_until_the_host_chooses(chromium, site):
    with new_context(chromium, site) as context:
        sign_in(context, site, browser(person("Anna")))
        page = context.new_page()
        page.goto("/tables/new/")
        private = page.get_by_label("In public and privately")
        public = page.get_by_label("Only in public")
        number, unit = page.get_by_label("Time per move"), page.get_by_label("Unit")
        expect(private).to_be_checked()
        number.fill("23")
        expect(public).to_be_checked()
        unit.select_option("days")
        expect(private).to_be_checked()
        number.fill("")
        expect(private).to_be_checked()
        page.get_by_label("No messages, only offers").check()
        unit.select_option("minutes")
        number.fill("5")
        expect(page.get_by_label("No messages, only offers")).to_be_checked()


def test_a_refused_form_keeps_what_was_chosen(chromium, site):
    with new_context(chromium, site) as context:
        sign_in(context, site, browser(person("Anna")))
        page = context.new_page()
        page.goto("/tables/new/?preset=evening")
        page.get_by_label("In public and privately").check()
        page.get_by_label("Time per move").fill("4")
        page.get_by_role("button", name="Open the table").click()
        expect(page.get_by_text("must be between 5 minutes and 7 days")).to_be_visible()
        page.get_by_label("Time per move").fill("5")
        expect(page.get_by_label("In public and privately")).to_be_checked()
