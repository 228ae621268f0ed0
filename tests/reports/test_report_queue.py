"""Reports in the admin: the desk, the list, the page of each."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Message, Report, Sanction
from tests.support.client import browser, text_of
from tests.support.moderators import marta_acts_on, moderator
from tests.support.reporting import (
    decide,
    hand_in,
    named,
    report_act_url,
    reported,
    say,
    upheld,
)

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def linked(page):
    """The reports to whose pages a page leads, in order."""
    return [int(key) for key in re.findall(r"/admin/games/report/(\d+)/change/", page)]


def hand_over(name, message, kind):
    """Somebody reports a message as of this kind."""
    report = reported(name, message)
    Report.objects.filter(pk=report.pk).update(kind=kind)
    return report


class TestTheQueue:
    @pytest.mark.full
    def test_the_desk_shows_what_waits_with_the_next_step(self, game, message):
        marta, nora = moderator("Marta"), moderator("Nora")
        taken = reported("Anna", message)
        decide(nora, taken, "take")
        waits = reported("Clara", say(game, "Boris", "Clara is one, too."))
        appealed = upheld(nora, reported("Anna", say(game, "Boris", "And a liar.")))
        page = browser(named("Boris"))
        hand_in(page, f"/reports/{appealed.pk}/appeal/", appeal="A joke.")
        desk = browser(marta).get("/admin/").content.decode().split("app-games")[0]
        assert linked(desk) == [appealed.pk, appealed.pk, taken.pk, waits.pk]
        assert report_act_url(waits, "uphold") in desk
        assert "Decide the appeal" in desk
        assert f"/report/{appealed.pk}/act/" not in desk
        assert f"/report/{taken.pk}/act/" not in desk
        assert "“Anna is a thief.” · 0\xa0minutes · Nora" in desk
        assert report_act_url(taken, "uphold") in browser(nora).get("/admin/").content.decode()

    @pytest.mark.full
    def test_a_decided_report_leads_back_to_it(self, message):
        marta, report = moderator("Marta"), reported("Anna", message)
        decide(marta, report, "reject", reason="Not a rule.")
        page = browser(marta).get(f"/admin/games/report/{report.pk}/change/").content.decode()
        assert '<a href="/admin/reports/">Open reports and appeals</a>' in page

    @pytest.mark.full
    def test_the_button_to_take_a_report_says_what_it_does(self, message):
        report = reported("Anna", message)
        page = text_of(browser(moderator("Marta")).get(f"/admin/games/report/{report.pk}/change/"))
        assert "Take the report Assigns the report to you. The other moderators can see" in page

    @pytest.mark.full
    def test_the_queue_begins_with_appeals_and_threats(self, game):
        """Of each kind first what has waited longest, and what is about one thing in one row."""
        marta, now = moderator("Marta"), timezone.now()
        thief, cow, threat, other = (
            say(game, "Boris", words) for words in ("Thief!", "Cow!", "I know where you live.", "?")
        )
        thieves = [reported(name, thief) for name in ("Anna", "Clara")]
        cows = reported("Anna", cow)
        threats = hand_over("Clara", threat, kind="threat")
        appealed = upheld(moderator("Nora"), reported("Clara", other))
        hand_in(browser(named("Boris")), f"/reports/{appealed.pk}/appeal/", appeal="A joke.")
        for days, report in enumerate([appealed, threats, cows, *thieves]):
            Report.objects.filter(pk=report.pk).update(at=now - days * DAY)
        page = browser(marta).get("/admin/reports/")
        rows = linked(page.content.decode())
        assert rows == [appealed.pk, threats.pk, thieves[1].pk, cows.pk]
        words = text_of(page)
        assert "2 reports by 2 people" in words
        assert "“Thief!” He insults me. 4 days" in words
        assert "Threat or hate “I know where you live.”" in words
        assert "Appeal “?” A joke." in words
        both = f'value="{thieves[1].pk} {thieves[0].pk}"'
        assert both in page.content.decode()
        desk = browser(marta).get("/admin/").content.decode()
        assert report_act_url(thieves[1], "uphold") in desk
        assert linked(desk)[:5] == [appealed.pk, *rows]

    @pytest.mark.full
    def test_the_queue_has_appeals_against_sanctions(self, game):
        boris = named("Boris")
        marta_acts_on(boris, "warn")
        Sanction.objects.update(appeal="I did nothing.", appealed_at=timezone.now())
        page = browser(moderator("Nora")).get("/admin/reports/")
        assert "Boris Appeal “You were rude.” I did nothing." in text_of(page)
        assert f"/admin/games/user/{boris.pk}/change/" in page.content.decode()

    @pytest.mark.full
    def test_the_queue_asks_the_database_as_often_for_many_reports(
        self, game, django_assert_max_num_queries
    ):
        said = [say(game, "Boris", f"Cow {number}!") for number in range(6)]
        for message in said:
            for name in ("Anna", "Clara"):
                reported(name, message)
        client = browser(moderator("Marta"))
        client.get("/admin/reports/")
        with django_assert_max_num_queries(8):
            page = client.get("/admin/reports/")
        assert text_of(page).count("2 reports by 2 people") == 6
        with django_assert_max_num_queries(15):
            client.get("/admin/")

    def test_where_nothing_waits_it_says_so(self, game):
        assert "Nothing is waiting." in text_of(browser(moderator()).get("/admin/reports/"))

    @pytest.mark.full
    def test_the_list_shows_mine_and_nobodys(self, game, message):
        marta = moderator("Marta")
        mine, nobodys = reported("Anna", message), reported("Clara", message)
        decide(marta, mine, "take")
        client = browser(marta)

        def listed(query):
            html = client.get(f"/admin/games/report/?{query}").content.decode()
            return set(map(int, re.findall(r"/admin/games/report/(\d+)/change/", html)))

        assert listed("whose=mine") == {mine.pk}
        assert listed("whose=nobodys") == {nobodys.pk}
        assert listed("state__exact=open") == {nobodys.pk}
        assert listed("q=Boris") == {mine.pk, nobodys.pk}
        assert listed("kind__exact=insult") == {mine.pk, nobodys.pk}
        assert listed("kind__exact=threat") == set()
        words = text_of(client.get("/admin/games/report/"))
        assert "Insult “Anna is a thief.” He insults me." in words

    @pytest.mark.full
    def test_the_page_shows_what_was_said_around_it_and_earlier_reports(
        self, game, message, django_assert_max_num_queries
    ):
        marta = moderator("Marta")
        earlier = upheld(marta, reported("Clara", message), remove_message="this")
        for number in range(20):
            talk_later = say(game, "Boris" if number == 10 else "Anna", f"Word {number}.")
            if number == 10:
                second = talk_later
            Message.objects.filter(pk=talk_later.pk).update(at=timezone.now() - DAY)
        report = reported("Anna", second)
        client = browser(marta)
        client.get("/admin/")
        with django_assert_max_num_queries(15):
            page = client.get(f"/admin/games/report/{report.pk}/change/")
        words = text_of(page)
        shown = [number for number in range(20) if f"Word {number}." in words]
        assert shown == list(range(5, 16))
        assert "reported Boris" in words
        assert f"/admin/games/report/{earlier.pk}/change/" in page.content.decode()
        assert report_act_url(report, "take") in page.content.decode()

    @pytest.mark.full
    def test_the_page_of_an_early_message_shows_what_was_removed(self, game, message):
        marta = moderator("Marta")
        report = upheld(marta, reported("Clara", message), remove_message="this")
        words = text_of(browser(marta).get(f"/admin/games/report/{report.pk}/change/"))
        assert "The message: Anna is a thief." in words
