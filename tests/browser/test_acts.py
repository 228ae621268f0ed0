"""A moderator on a phone: the most used acts in the admin, and what the table sees of them."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.admin import acts
from games.models import AuditLine, Game
from tests.browser.chromium import Watch, new_context, sideways, sign_in
from tests.moderators import moderator
from tests.tables import DAY, answer, awaited_seats, open_table, seat_of, tick
from tests.web import browser

PHONE = {"width": 360, "height": 740}

STEPS = [
    ("pause", {}),
    ("resume", {}),
    ("extend", {"hours": "30"}),
    ("deadline", {"at": "later"}),
    ("default", {}),
    ("absent", {"seat": "Clara"}),
    ("present", {}),
    ("pace", {"hours": "48"}),
    ("referee", {"text": "Please be kind."}),
    ("rewind", {}),
    ("house-player", {"seat": "Clara", "house_player": "courtier"}),
    ("cancel", {}),
]
"""The acts in the order in which they are done, each with what is filled in."""


def fill(page: Page, game: Game, name: str, value: str) -> None:
    """Fill in a field as a moderator would."""
    control = page.locator(f"#id_{name}")
    if value == "later":
        control.fill((timezone.now() + 3 * DAY).strftime("%Y-%m-%dT%H:%M"))
    elif name == "seat":
        control.select_option(str(seat_of(game, value).number))
    elif name == "house_player":
        control.select_option(value)
    else:
        control.fill(value)


def do(page: Page, game: Game, slug: str, filled: dict[str, str]) -> None:
    """Do an act, from the page of the game on; afterwards that page says that it was done."""
    act = acts.BY_SLUG[slug]
    page.goto(f"/admin/games/game/{game.pk}/change/")
    with page.expect_navigation():
        page.locator(f'a[href$="/act/{slug}/"]').click()
    assert sideways(page) == 0, slug
    for name, value in filled.items():
        fill(page, game, name, value)
    if act.form.wants_reason:
        page.locator("#id_why").select_option(index=1)
    send(page)
    if slug == "rewind":
        expect(page.get_by_text("Nothing was done yet")).to_be_visible()
        send(page)
    expect(page.get_by_text(f"Done: {act.title}.")).to_be_visible()


def send(page: Page) -> None:
    with page.expect_navigation():
        page.locator(".submit-row input[type=submit]").click()


@pytest.mark.django_db(transaction=True)
def test_a_moderator_on_a_phone_does_what_is_done_most(chromium, site):
    tick(timezone.now())
    game = open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now())
    for _ in range(4):
        answer(game, awaited_seats(game)[0].user, timezone.now())
    context = new_context(chromium, site, viewport=PHONE)
    sign_in(context, site, browser(moderator()))
    watch = Watch(context, site, 200)
    page = context.new_page()
    for slug, filled in STEPS:
        do(page, game, slug, filled)
    page.goto("/admin/games/auditline/")
    assert AuditLine.objects.filter(game=game).count() == len(STEPS)
    expect(page.locator("#result_list tbody tr")).to_have_count(len(STEPS))
    context.clear_cookies()
    sign_in(context, site, browser(seat_of(game, "Anna").user))
    page.goto(game.get_absolute_url())
    expect(page.get_by_text("This game was cancelled")).to_be_visible()
    expect(page.get_by_text("Please be kind.")).to_be_visible()
    expect(page.locator("q").first).to_be_visible()
    assert watch.complaints == []
    context.close()
