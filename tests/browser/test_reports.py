"""A report on a phone, from the chat of a table to the appeal: three people and their browsers."""

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from games.models import AuditLine, Game, Report, User
from tests.browser.chromium import Watch, new_context, sideways, sign_in
from tests.support.client import browser
from tests.support.moderators import moderator
from tests.support.reporting import named, reported, say
from tests.support.tables import open_table, tick

pytestmark = pytest.mark.full

PHONE = {"width": 360, "height": 740}
DESK = "/admin/"


def press(page: Page, name: str) -> None:
    """Press a button, and wait for the page it leads to."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).first.click()
    assert sideways(page) == 0, name


def follow(page: Page, name: str) -> None:
    with page.expect_navigation():
        page.get_by_role("link", name=name).first.click()
    assert sideways(page) == 0, name


def decide(page: Page, act: str, words: str, result: str, **chosen: str) -> None:
    """Do the act of this name from the page of a report; what will happen may be shown first."""
    follow(page, act)
    page.get_by_label("Only in my own words").check()
    page.get_by_label("In your own words").fill(words)
    for name, value in chosen.items():
        page.locator(f"[name={name}][value='{value}']").check()
    press(page, act)
    if page.get_by_text("Nothing has been done yet").is_visible():
        press(page, f"Confirm: {act}")
    expect(page.get_by_text(result)).to_be_visible()


@pytest.fixture
def phone_of(chromium, site):
    """Gives the phone of a person; at the end none of them has complained."""
    opened: list[tuple[BrowserContext, Watch]] = []

    def phone(user: User) -> Page:
        context = new_context(chromium, site, viewport=PHONE)
        sign_in(context, site, browser(user))
        opened.append((context, Watch(context, site, 200)))
        return context.new_page()

    yield phone
    for context, watch in opened:
        assert watch.complaints == []
        context.close()


def report_it(page: Page, game: Game) -> None:
    page.goto(game.get_absolute_url())
    page.locator("summary", has_text="Message from Boris").first.click()
    follow(page, "Report this message from Boris")
    page.get_by_label("Insult").check()
    page.get_by_label("What is wrong?").fill("He insults me.")
    press(page, "Send report")
    expect(page.get_by_text("Your report is waiting for a moderator.")).to_be_visible()


def appeal(page: Page) -> None:
    page.goto("/reports/")
    follow(page, "Appeal")
    page.get_by_label("Why should the decision be changed?").fill("It was a joke.")
    press(page, "Appeal")
    expect(page.get_by_text("Your appeal is waiting for another moderator.")).to_be_visible()


@pytest.mark.django_db(transaction=True)
def test_a_message_is_reported_removed_and_shown_again_after_an_appeal(phone_of):
    tick(timezone.now())
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    say(game, "Boris", "Anna is a thief.")
    anna, marta, nora = (
        phone_of(user) for user in (named("Anna"), moderator("Marta"), moderator("Nora"))
    )
    report_it(anna, game)
    marta.goto(DESK)
    follow(marta, "A message from Boris")
    press(marta, "Take the report")
    decide(
        marta,
        "Uphold the report",
        "No insults, please.",
        "Upheld. Boris is muted for 7 days. The message is removed. Boris and Anna get an email.",
        consequence="mute:7",
        remove_message="this",
    )
    anna.goto(game.get_absolute_url())
    removed = "The referee has removed this message. Reason: No insults, please."
    expect(anna.get_by_text(removed)).to_be_visible()
    expect(anna.get_by_text("Anna is a thief.")).to_have_count(0)
    appeal(phone_of(named("Boris")))
    nora.goto(DESK)
    follow(nora, "Decide the appeal")
    decide(nora, "Grant the appeal", "A joke it was.", "The appeal is granted and the decision")
    assert named("Boris").muted_until is None
    anna.goto(game.get_absolute_url())
    expect(anna.get_by_text("Anna is a thief.")).to_be_visible()
    assert AuditLine.objects.filter(game=game).count() == 7


@pytest.mark.django_db(transaction=True)
def test_reports_of_one_message_are_upheld_together(phone_of):
    tick(timezone.now())
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    said = say(game, "Boris", "Anna is a thief.")
    for name in ("Anna", "Clara"):
        reported(name, said)
    marta = phone_of(moderator("Marta"))
    marta.goto(DESK)
    follow(marta, "Open reports and appeals")
    marta.get_by_role("checkbox", name="A message from Boris").check()
    press(marta, "Uphold these reports")
    marta.get_by_label("Insults and personal threats have no place here.").check()
    marta.get_by_label("Remove the reported messages").check()
    press(marta, "Uphold these reports")
    press(marta, "Confirm: Uphold these reports")
    expect(
        marta.get_by_text("Boris and the people who made the reports get an email.")
    ).to_be_visible()
    expect(marta.get_by_text("Nothing is waiting.")).to_be_visible()
    assert {report.state for report in Report.objects.all()} == {"upheld"}
