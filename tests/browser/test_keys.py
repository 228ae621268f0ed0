"""Keyboard shortcuts: "?" lists them, they follow links, and they can be turned off."""

import pytest
from django.utils import timezone

from games.services.lobby import tables
from tests.browser.players import Player
from tests.support.client import verified
from tests.support.patience import wait_until
from tests.support.tables import table_settings

pytestmark = pytest.mark.full


@pytest.fixture
def anna(chromium, site):
    host, *others = [verified(name) for name in ("Anna", "Boris", "Clara")]
    now = timezone.now()
    game = tables.open_table(host=host, settings=table_settings(size=3), now=now)
    for user in others:
        tables.join(game_id=game.pk, user=user, now=now)
    player = Player(chromium, site, "Anna", javascript=True)
    player.sign_in()
    player.open(game.get_absolute_url())
    yield player
    player.context.close()


def test_they_are_listed_and_lead_to_the_parts_of_the_page(anna):
    page = anna.page
    page.keyboard.press("?")
    listed = page.locator("#keys li").all_inner_texts()
    assert [line.split()[0] for line in listed][-4:] == ["m", "b", "c", "l"]
    assert "h My games" in listed[0]
    page.keyboard.press("Escape")
    page.locator("#keys").wait_for(state="hidden")
    page.keyboard.press("c")
    wait_until(lambda: page.evaluate("location.hash") == "#chat")
    page.keyboard.press("h")
    page.wait_for_url("**/")
    assert page.title() in {"My games", "(1) My games"}


def test_typing_is_typing_and_they_can_be_turned_off(anna):
    page = anna.page
    field = page.locator("#chat textarea").first
    field.click()
    page.keyboard.type("chb?l")
    assert field.input_value() == "chb?l"
    assert not page.locator("#keys").is_visible()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("?")
    page.get_by_label("Turn on keyboard shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("b")
    page.reload()
    page.keyboard.press("b")
    assert page.evaluate("location.hash") == ""
    page.keyboard.press("?")
    assert not page.locator("#keys").is_visible()
    page.locator("#keys-opener").click()
    page.get_by_label("Turn on keyboard shortcuts").check()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("b")
    wait_until(lambda: page.evaluate("location.hash") == "#board")
