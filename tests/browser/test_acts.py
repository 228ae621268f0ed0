"""A moderator on a phone: the most used acts in the admin, and what the table sees and gets."""

import re
from typing import NamedTuple

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.admin.actions import all_actions
from games.admin.actions.row import Group
from games.forms.moderation.base import PreviewedForm
from games.models import AuditLine, Game
from games.services.email import delivery
from tests.browser.chromium import Watch, new_context, sideways, sign_in
from tests.support.client import browser
from tests.support.moderators import moderator
from tests.support.servers import Inbox
from tests.support.tables import DAY, open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = pytest.mark.full

PHONE = {"width": 360, "height": 740}

TABLE = {"anna", "boris", "clara", "dora"}


class Step(NamedTuple):
    """An act, what is filled in, what the table then reads, and who gets an email.

    Without `emailed` it is the person who was asked when it was done.
    """

    slug: str
    filled: dict[str, str]
    text: str
    emailed: set[str] | None


STEPS = [
    Step("pause", {}, "The game is paused.", TABLE),
    Step("resume", {}, "The game resumes.", TABLE),
    Step("extend", {"seat": "", "hours": "30"}, "deadline is now", None),
    Step("deadline", {"seat": "", "at": "later"}, "deadline is now", None),
    Step("default", {"seat": "asked"}, "A moderator has ended", None),
    Step("absent", {"seat": "Clara"}, "absent: the game continues", {"clara"}),
    Step("present", {"seat": "Clara"}, "back.", {"clara"}),
    Step("pace", {"hours": "48"}, "players have 2 days per move", TABLE),
    Step("referee", {"text": "Please be kind."}, "Please be kind.", TABLE),
    Step("rewind", {"to_seq": "latest"}, "The game is rewound to step", TABLE),
    Step(
        "house-player",
        {"seat": "Clara", "computer_player": "courtier"},
        "A computer player takes over",
        TABLE,
    ),
    Step("cancel", {}, "The game is cancelled. Nobody wins.", TABLE - {"clara"}),
]
"""The acts in the order in which they are done."""


def fill(page: Page, game: Game, name: str, value: str) -> None:
    """Fill in a field as a moderator would."""
    control = page.locator(f"#id_{name}")
    if value == "later":
        control.fill((timezone.now() + 3 * DAY).strftime("%Y-%m-%dT%H:%M"))
    elif name == "to_seq" or value == "asked":
        control.select_option(index=1)
    elif name == "seat":
        control.select_option(str(seat_of(game, value).number) if value else "all")
    elif name == "computer_player":
        control.select_option(value)
    else:
        control.fill(value)


def do(page: Page, game: Game, slug: str, filled: dict[str, str]) -> None:
    """Do an act, from the page of the game on; afterwards that page says that it was done."""
    action = all_actions()[f"game.{slug}"]
    page.goto(f"/admin/games/game/{game.pk}/change/")
    assert sideways(page) == 0, "the page of the game"
    link = page.locator(f'a[href$="/act/{slug}/"]')
    if action.group is Group.SEAT:
        link = page.locator(f'a[href*="/act/{slug}/?seat="]').first
        page.locator("details", has=link).locator("summary").first.click()
    with page.expect_navigation():
        link.click()
    assert sideways(page) == 0, slug
    for name, value in filled.items():
        fill(page, game, name, value)
    if action.form.wants_reason:
        page.locator("[name=why]").first.check()
    send(page)
    if issubclass(action.form, PreviewedForm) and slug != "extend":
        expect(page.get_by_text("Nothing has been done yet")).to_be_visible()
        send(page)
    said = str(action.result).rpartition("}")[2] or "Everyone at the table gets an email."
    expect(page.get_by_text(said)).to_be_visible()


def send(page: Page) -> None:
    with page.expect_navigation():
        page.locator(".submit-row input[type=submit]").first.click()


def emailed_to(smtp: Inbox, words: str) -> set[str]:
    """The people emailed since the last call that something was done, in these words."""
    delivery.drain(now=timezone.now())
    texts = [(mail["To"], mail.get_body(("plain",)).get_content()) for mail in smtp.messages]
    smtp.messages.clear()
    message = [
        to
        for to, text in texts
        if words in text and re.search(r"^(News from|The ref)", text, re.MULTILINE)
    ]
    return {to.partition("@")[0] for to in message}


@pytest.mark.django_db(transaction=True)
def test_a_moderator_on_a_phone_does_what_is_done_most(chromium, site, smtp):
    tick(timezone.now())
    game = open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now())
    for _ in range(4):
        submit_move(game, seats_to_move(game)[0].user, timezone.now())
    delivery.drain(now=timezone.now())
    context = new_context(chromium, site, viewport=PHONE)
    sign_in(context, site, browser(moderator()))
    watch = Watch(context, site, 200)
    page = context.new_page()
    annas = new_context(chromium, site, viewport=PHONE)
    sign_in(annas, site, browser(seat_of(game, "Anna").user))
    table = annas.new_page()
    for step in STEPS:
        asked = [
            seat.user.email.partition("@")[0]
            for seat in seats_to_move(game)
            if seat.user is not None  # a computer player may wait for a reply
        ]
        do(page, game, step.slug, step.filled)
        table.goto(game.get_absolute_url())
        expect(table.locator("#log, #chat").get_by_text(step.text).first).to_be_visible()
        assert emailed_to(smtp, step.text) == (step.emailed or set(asked)), step.slug
    expect(table.get_by_text("This game was cancelled")).to_be_visible()
    expect(table.locator("q").first).to_be_visible()
    page.goto("/admin/games/auditline/")
    assert AuditLine.objects.filter(game=game).count() == len(STEPS)
    expect(page.locator(".rows tbody tr")).to_have_count(len(STEPS))
    assert watch.complaints == []
    context.close()
    annas.close()
