"""On a phone: somebody without an account takes a seat, and its host invites by name."""

import pytest
from playwright.sync_api import expect

from games.models import User
from tests.browser.chromium import new_context, sideways, sign_in
from tests.support.client import browser, person
from tests.support.sent_emails import code_in
from tests.support.tables import open_table

pytestmark = pytest.mark.full

PHONE = {"width": 360, "height": 740}


@pytest.mark.parametrize("javascript", [True, False])
def test_from_the_link_to_the_seat_in_three_screens(chromium, site, smtp, javascript):
    game = open_table("Anna", size=4, listed=True, strangers="everyone")
    User.objects.update(named_to_strangers=True)
    context = new_context(
        chromium,
        site,
        viewport=PHONE,
        has_touch=True,
        java_script_enabled=javascript,
        timezone_id="Europe/Vienna",
    )
    page = context.new_page()
    page.goto(f"{site}{game.get_absolute_url()}")
    expect(page.locator("h1")).to_have_text("Anna invites you to a game of Intrigue")
    assert context.cookies() == []
    assert sideways(page) == 0
    page.fill("[name=name]", "Nina")
    page.fill("[name=email]", "nina@example.org")
    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator("h1")).to_have_text("Confirm your email address")
    assert sideways(page) == 0
    page.fill("[name=code]", code_in(smtp.messages[-1]))
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".messages")).to_contain_text("You have a seat at")
    assert page.url == f"{site}{game.get_absolute_url()}"
    assert sideways(page) == 0
    nina = User.objects.get(name="Nina")
    assert game.seats.filter(user=nina).exists()
    assert nina.time_zone == ("Europe/Vienna" if javascript else "UTC")
    context.close()


def test_names_are_completed_while_the_host_types(chromium, site):
    game = open_table("Anna", size=4)
    for name in ("Maria Zett", "Marek"):
        person(name)
    context = new_context(chromium, site, viewport=PHONE, has_touch=True)
    sign_in(context, site, browser(game.host))
    page = context.new_page()
    page.goto(f"{site}{game.get_absolute_url()}")
    link, settings = page.locator(".share"), page.locator("#settings")
    assert link.bounding_box()["y"] < settings.bounding_box()["y"]
    field = page.locator("[name=addresses]")
    field.press_sequentially("boris@example.org, mar")
    names = page.locator(".completions button")
    expect(names).to_have_text(["Marek", "Maria Zett"])
    names.nth(1).click()
    expect(field).to_have_value("boris@example.org, Maria Zett, ")
    expect(field).to_be_focused()
    expect(page.locator(".completions")).to_be_hidden()
    assert sideways(page) == 0
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.locator("#lobby")).to_contain_text("Maria Zett: not answered")
    context.close()
