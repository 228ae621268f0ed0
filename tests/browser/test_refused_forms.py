"""What is wrong with the form of an action is read first, and the keyboard leads to its field."""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import new_context, sign_in
from tests.browser.test_axe import LOOKS, faults_of
from tests.support.client import browser
from tests.support.moderators import moderator, person_act_url
from tests.support.tables import open_table, seat_of

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """A page of a moderator on a phone."""
    context = new_context(chromium, site, viewport={"width": 390, "height": 844})
    sign_in(context, site, browser(moderator("Nora")))
    yield context.new_page()
    context.close()


def test_from_the_summary_of_errors_the_keyboard_leads_to_the_field(page):
    anna = seat_of(open_table("Anna", "Boris", "Clara", now=timezone.now()), "Anna").user
    page.goto(person_act_url(anna, "clear-up"))
    page.locator("[name=seats][value=free]").check()
    page.locator("#id_reason").fill("Gone.")
    with page.expect_navigation():
        page.locator(".submit-row input[type=submit]").click()
    summary = page.locator(".errornote")
    expect(summary).to_be_focused()
    expect(summary).to_be_in_viewport()
    expect(summary).to_contain_text("Nothing has been done. Please look at this again:")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="In which games")).to_be_focused()
    page.keyboard.press("Enter")
    for part in (page.get_by_text("In which games", exact=True).last, page.locator("#id_where")):
        expect(part).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(page.locator("[name=where]").first).to_be_focused()
    page.keyboard.press("Space")
    expect(page.get_by_label("Only where they are absent now")).to_be_checked()
    assert faults_of(page, LOOKS[:2], all_rules_always=True) == []
