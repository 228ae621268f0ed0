"""In how few clicks a moderator learns why the clock played, and mends what one bug broke."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from games.models import OutboxEmail
from games.services.operations import clock
from tests.browser.chromium import new_context, sideways, sign_in
from tests.support.client import browser
from tests.support.moderators import moderator
from tests.support.tables import DAY, open_table, seats_to_move, tick

pytestmark = [pytest.mark.full, pytest.mark.django_db(transaction=True)]

BUG = "/app/games/promise_story.py:71\nKeyError"


@pytest.fixture
def page(chromium: Browser, site: str) -> Iterator[Page]:
    """A page of a moderator."""
    context = new_context(chromium, site, viewport={"width": 390, "height": 844})
    sign_in(context, site, browser(moderator("Nora")))
    yield context.new_page()
    context.close()


def send(page: Page) -> None:
    with page.expect_navigation():
        page.locator(".submit-row input[type=submit]").first.click()


def test_why_the_clock_played_is_two_clicks_from_the_page_of_the_game(page):
    began = timezone.now() - DAY - timedelta(hours=1)
    game = open_table("Anna", "Boris", "Clara", now=began)
    [seat] = seats_to_move(game)
    tick(began + DAY)
    clock.sweep(now=began + DAY)
    name = seat.user.name
    page.goto(f"/admin/games/game/{game.pk}/change/")
    page.get_by_role("link", name="Open decisions").click()
    page.locator(".lines li", has_text="The deadline passed").get_by_role("link", name=name).click()
    expect(page.get_by_text("The deadline passed without a move")).to_be_visible()
    expect(page.get_by_text(f"{name}'s turn began.")).to_be_visible()
    assert sideways(page) == 0
    page.get_by_role("link", name="It was our fault").click()
    page.locator("[name=why]").first.check()
    send(page)
    expect(page.get_by_text(f"{name}'s missed deadline won't count.")).to_be_visible()
    send(page)
    assert game.moves.get().abandoned


def test_all_emails_that_one_bug_broke_go_again_in_three_clicks(page):
    tick(timezone.now())
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    emails = OutboxEmail.objects.filter(game=game, kind="game_started")
    emails.update(status="failed", error=BUG)
    page.goto("/admin/")
    page.get_by_role("link", name="Resend all that failed for the same reason").click()
    expect(page.get_by_text("3 emails will be sent again")).to_be_visible()
    page.get_by_label("The problem has been fixed.").check()
    send(page)
    assert not emails.filter(status="failed").exists()
