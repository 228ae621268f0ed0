"""The first game on a phone: two sentences, then the board and the decision."""

import pytest
from django.test import Client
from playwright.sync_api import Locator, Page

from tests.browser.chromium import new_context, sign_in

pytestmark = pytest.mark.full

PHONE = {"width": 360, "height": 740}
ROOM = {"en": 155, "de": 180, "ru": 180}
"""How high the guide may be above the board, in pixels: the languages differ in length."""

MEASURES = """() => {
  const edges = (selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return box ? [box.top, box.bottom] : null;
  };
  return {
    guide: edges(".guide"), board: edges(".board"), heading: edges(".decision h2"),
    tabs: edges(".tabs"), field: edges(".move-form .field"),
  };
}"""


def guest_who_reads(language: str) -> Client:
    client = Client(headers={"accept-language": language})
    client.post("/first-game/")
    return client


def go_on(page: Page) -> None:
    """Decline the offer of this page, or submit its form as it is, also after a second thought."""
    decline = page.locator(".promises [formaction$='/decline/']")
    submit = page.locator(".move-form [formaction$='/move/']")
    press((decline if decline.count() else submit).first)
    if page.url.endswith("/move/"):
        press(page.locator(".decision .actions button").first)


def press(button: Locator) -> None:
    """Press the button, and wait until the page that it leads to is there as a whole."""
    with button.page.expect_navigation():
        button.click()


@pytest.mark.long(after=1)
@pytest.mark.parametrize("language", ROOM)
def test_on_a_phone_the_guide_leaves_room_for_the_board_and_the_decision(site, chromium, language):
    """At every step, without any script."""
    context = new_context(chromium, site, viewport=PHONE, java_script_enabled=False)
    sign_in(context, site, guest_who_reads(language))
    page = context.new_page()
    page.goto("/")
    steps = 0
    while not page.locator(".victory").count():
        seen = page.evaluate(MEASURES)
        top, bottom = seen["guide"]
        assert bottom - top <= ROOM[language], page.locator(".guide").inner_text()
        assert bottom <= seen["board"][0]
        assert seen["board"][1] <= seen["tabs"][0]
        if seen["field"]:
            page.locator(".tabs a[href='#now']").click()
            seen = page.evaluate(MEASURES)
            assert seen["board"][0] >= 0
            assert seen["heading"][1] <= seen["tabs"][0]
            assert seen["field"][0] <= seen["tabs"][0]
        steps += 1
        go_on(page)
    assert steps >= 6
    context.close()


def test_whoever_asks_why_reads_more_and_may_close_the_guide_without_any_script(site, chromium):
    context = new_context(chromium, site, viewport=PHONE, java_script_enabled=False)
    sign_in(context, site, guest_who_reads("en"))
    page = context.new_page()
    page.goto("/")
    why = page.get_by_text("At the end of your turn, two of your scholars go")
    assert not why.is_visible()
    page.get_by_text("Why?").click()
    assert why.is_visible()
    press(page.get_by_role("button", name="Got it: close the guide"))
    assert not page.locator(".guide").count()
    context.close()
