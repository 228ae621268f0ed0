"""A moderator and a player, each on a phone: a warning, a suspension, an appeal, and its end."""

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from games.models import AuditLine, User
from tests.browser.chromium import Watch, new_context, sideways, sign_in
from tests.support.client import browser
from tests.support.moderators import moderator
from tests.support.tables import DAY, open_table, seat_of, tick

pytestmark = pytest.mark.full

PHONE = {"width": 360, "height": 740}


def do(page: Page, user: User, act: str, result: str, until: str = "") -> None:
    """Do the act of this name, from the page of the person on; it says what was done."""
    page.goto(f"/admin/games/user/{user.pk}/change/")
    with page.expect_navigation():
        page.get_by_role("link", name=act, exact=True).click()
    assert sideways(page) == 0, act
    if until:
        page.get_by_label("Until").fill(until)
    page.locator("[name=why]").first.check()
    press(page, act)
    press(page, f"Confirm: {act}")
    expect(page.get_by_text(result)).to_be_visible()


def press(page: Page, name: str) -> None:
    """Press a button, and wait for the page it leads to."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).first.click()
    assert sideways(page) == 0, name


@pytest.fixture
def phone_of(chromium, site):
    """Gives the phone of a person, with pages in this way; none of them complains."""
    opened: list[tuple[BrowserContext, Watch]] = []

    def phone(user: User, status: int = 200) -> Page:
        context = new_context(chromium, site, viewport=PHONE)
        sign_in(context, site, browser(user))
        opened.append((context, Watch(context, site, status)))
        return context.new_page()

    yield phone
    for context, watch in opened:
        assert watch.complaints == []
        context.close()


@pytest.mark.django_db(transaction=True)
def test_anna_is_warned_and_suspended_and_objects(phone_of):
    tick(timezone.now())
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    anna = seat_of(game, "Anna").user
    marta, hers = phone_of(moderator("Marta")), phone_of(anna, status=403)
    do(marta, anna, "Warn", "Anna has been warned and gets an email.")
    hers.goto("/")
    expect(
        hers.get_by_role("heading", name="You've received a warning from a moderator")
    ).to_be_visible()
    press(hers, "I've read this")
    expect(
        hers.get_by_role("heading", name="You've received a warning from a moderator")
    ).to_have_count(0)
    hers.goto(game.get_absolute_url())
    hers.locator("[name=talk-text]").fill("I am not rude!")
    until = (timezone.now() + 3 * DAY).strftime("%Y-%m-%dT%H:%M")
    do(marta, anna, "Suspend", "Anna is suspended until", until)
    assert seat_of(game, "Anna").absent_since is not None
    press(hers, "Send")
    expect(hers.get_by_role("heading", name="Nothing was changed")).to_be_visible()
    expect(hers.get_by_text("I am not rude!")).to_be_visible()
    hers.get_by_role("link", name="Account standing and how to appeal").click()
    hers.get_by_text("Appeal this decision", exact=True).first.click()
    hers.get_by_label("Why you think this is wrong").first.fill("Boris began.")
    press(hers, "Send appeal")
    expect(hers.get_by_text("A moderator will review your appeal.")).to_be_visible()
    marta.goto("/admin/")
    expect(marta.get_by_text("Boris began.")).to_be_visible()
    do(marta, anna, "Lift the suspension", "Anna is no longer suspended and gets an email.")
    hers.goto(game.get_absolute_url())
    press(hers, "I'm back")
    assert seat_of(game, "Anna").absent_since is None
    acts = AuditLine.objects.filter(person=anna).order_by("pk").values_list("action", flat=True)
    assert list(acts) == ["person.warn", "person.suspend", "person.lift-suspension"]
