"""What was reported stays as it was: names, coats of arms and the words of tables; and is found."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Game, Report, User
from games.services.accounts.account import delete_account
from games.services.operations import trim
from tests.support.client import browser, person, text_of
from tests.support.moderators import marta_acts, marta_acts_on, moderator
from tests.support.reporting import decide, hand_in, person_page, reported, say
from tests.support.tables import open_table

pytestmark = [pytest.mark.full, pytest.mark.django_db]
BAD = "Adolf H."


@pytest.fixture
def adolf() -> User:
    return person(BAD)


def renamed(somebody: User, name: str) -> None:
    """As somebody does it on their own page."""
    form = {"name": name, "time_zone": "UTC"}
    assert browser(somebody).post("/accounts/profile/", form).status_code == 302


def reported_person(somebody: User) -> Report:
    hand_in(browser(person("Alice")), person_page(somebody), why="Offensive name.")
    return Report.objects.get()


def admin_page(report: Report) -> str:
    return text_of(browser(moderator("Nora")).get(f"/admin/games/report/{report.pk}/change/"))


def test_the_name_and_the_crest_are_those_that_were_reported(adolf):
    crest = adolf.shown_crest
    report = reported_person(adolf)
    renamed(adolf, "Nice")
    User.objects.filter(pk=adolf.pk).update(crest="pale-gules-or-star")
    client = browser(moderator("Nora"))
    page = client.get(f"/admin/games/report/{report.pk}/change/")
    words = text_of(page)
    assert BAD in words
    assert "This person is now called Nice." in words
    assert f"/crests/{crest}.svg" in page.content.decode()
    assert BAD in text_of(client.get("/admin/"))  # among what waits
    assert f"{BAD}" in text_of(browser(User.objects.get(name="Alice")).get("/reports/"))


def test_also_of_who_wrote_a_message():
    game = open_table(BAD, "Boris", "Clara", now=timezone.now())
    report = reported("Boris", say(game, BAD, "Heil!"))
    renamed(User.objects.get(name=BAD), "Nice")
    assert f"A message from {BAD} at" in admin_page(report)


def test_the_words_of_a_table_are_as_they_were():
    game = open_table("Anna", "Boris", size=3, name="Death to all", description="Join us.")
    hand_in(browser(person("Alice")), f"{game.get_absolute_url()}report/", why="Hate.")
    report = Report.objects.get()
    marta_acts(game, "rename", name="The quiet table")
    assert "Death to all" in admin_page(report)
    assert "“Death to all”" in text_of(browser(User.objects.get(name="Alice")).get("/reports/"))
    assert Game.objects.get().name == "The quiet table"


class TestFound:
    def found(self, words: str, name: str) -> bool:
        nora = User.objects.filter(name="Nora").first() or moderator("Nora")
        client = browser(nora)
        desk = client.get("/admin/", {"q": words}).content.decode()
        desk = desk.partition('id="piles"')[0]
        listed = client.get("/admin/games/user/", {"q": words}).content.decode()
        page = f"/admin/games/user/{User.objects.get(name=name).pk}/change/"
        assert (page in desk) == (page in listed)
        return page in desk

    def test_by_a_name_that_was_reported(self, adolf):
        reported_person(adolf)
        User.objects.filter(pk=adolf.pk).update(email="nice@example.org")
        assert self.found("Adol", BAD)
        renamed(User.objects.get(pk=adolf.pk), "Nice")
        assert self.found("Adol", "Nice")
        assert self.found("nice", "Nice")
        assert not self.found("Adol", "Alice")
        nora = browser(User.objects.get(name="Nora"))
        number = Report.objects.get().pk
        listed = nora.get("/admin/games/report/?q=adolf").content.decode()
        assert f"/report/{number}/change/" in listed

    def test_by_a_name_that_a_moderator_took_away(self, adolf):
        User.objects.filter(pk=adolf.pk).update(email="nice@example.org")
        marta_acts_on(adolf, "rename", name="Player of the day")
        assert self.found("adolf", "Player of the day")
        nora = browser(User.objects.get(name="Nora"))
        assert "Player of the day" in text_of(nora.get("/admin/games/auditline/?words=adolf"))
        assert "No results" in text_of(nora.get("/admin/games/auditline/?words=rudolf"))


class TestForgotten:
    def test_with_the_account(self, adolf):
        report = reported_person(adolf)
        delete_account(adolf, timezone.now())
        report.refresh_from_db()
        assert (report.person_name, report.person_crest) == ("", "")
        assert BAD not in admin_page(report)

    def test_when_it_was_decided_long_ago(self, adolf):
        report = reported_person(adolf)
        marta = moderator("Marta")
        decide(marta, report, "take")
        decide(marta, report, "reject", reason="It's his name.")
        renamed(adolf, "Nice")
        trim.trim(now=timezone.now() + timedelta(days=89))
        report.refresh_from_db()
        assert report.person_name == BAD
        trim.trim(now=timezone.now() + timedelta(days=91))
        report.refresh_from_db()
        assert report.person_name == ""


def test_a_report_of_before_has_the_name_of_now(adolf):
    report = reported_person(adolf)
    Report.objects.update(person_name="", person_crest="")
    renamed(adolf, "Nice")
    assert "Nice" in admin_page(report)
    assert "is now called" not in text_of(
        browser(User.objects.get(name="Nora")).get(f"/admin/games/report/{report.pk}/change/")
    )
