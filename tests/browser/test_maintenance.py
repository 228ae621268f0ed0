"""An administrator on a phone: maintenance, and what becomes of what somebody sends meanwhile."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.admin.actions import all_actions
from games.models import Message, User
from games.services.operations import clock
from tests.browser.chromium import new_context, sideways, sign_in
from tests.browser.players import PHONE
from tests.support.client import browser
from tests.support.sites import nadja
from tests.support.tables import DAY, open_table, seat_of, seats_to_move, tick

pytestmark = pytest.mark.full


def phone(chromium: Browser, site: str, user: User, *, javascript: bool) -> Page:
    """Somebody's phone."""
    context = new_context(chromium, site, viewport=PHONE, java_script_enabled=javascript)
    sign_in(context, site, browser(user))
    return context.new_page()


def do(page: Page, slug: str, title: str) -> None:
    """An act with a ready reason, from the page of the site on; once more after its preview."""
    page.goto("/admin/site/")
    with page.expect_navigation():
        page.get_by_role("link", name=title, exact=True).click()
    page.locator("[name=why]").first.check()
    send(page)
    if page.get_by_text("Nothing has been done yet").is_visible():
        send(page)
    expect(page.get_by_text(str(all_actions()[f"site.{slug}"].result))).to_be_visible()
    assert page.url.endswith("/admin/site/")
    assert sideways(page) == 0, slug


def send(page: Page) -> None:
    assert sideways(page) == 0, page.url
    with page.expect_navigation():
        page.locator(".submit-row input[type=submit]").first.click()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("javascript", [True, False])
def test_what_is_sent_during_maintenance_is_sent_again_afterwards(chromium, site, javascript):
    tick(timezone.now())
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    [before] = seats_to_move(game)
    desk, table = (
        phone(chromium, site, user, javascript=javascript)
        for user in (nadja(), seat_of(game, "Anna").user)
    )
    table.goto(f"{game.get_absolute_url()}talk/")
    table.locator("[name=talk-text]").fill("Who offers more?")

    do(desk, "maintenance", "Begin maintenance")
    with table.expect_navigation() as navigation:
        table.locator("form:has([name=talk-text]) button").first.click()
    assert navigation.value.status == 503
    expect(table.get_by_text("This site has been read-only since")).to_be_visible()
    expect(table.get_by_text("Who offers more?")).to_be_visible()
    assert sideways(table) == 0
    clock.sweep(now=timezone.now() + 2 * DAY)
    assert not Message.objects.exists()
    assert not game.moves.exists()

    do(desk, "maintenance-over", "End maintenance")
    with table.expect_navigation():
        table.get_by_role("button", name="Send again").click()
    assert Message.objects.get().text == "Who offers more?"
    clock.sweep(now=timezone.now())
    [after] = seats_to_move(game)
    assert after.deadline_at > before.deadline_at
    table.goto(f"{game.get_absolute_url()}history/")
    expect(table.get_by_text("the site was under maintenance.")).to_be_visible()
    desk.goto("/admin/site/")
    expect(desk.get_by_text("Games checked: 1; changed: 1.")).to_be_visible()
    for page in (desk, table):
        page.context.close()
