"""Reports in the admin: the desk, the list, the page of each."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Message
from tests.support.client import browser, text_of
from tests.support.moderators import moderator
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


class TestTheQueue:
    def test_the_desk_shows_what_waits_with_the_next_step(self, game, message):
        marta, nora = moderator("Marta"), moderator("Nora")
        taken = reported("Anna", message)
        decide(nora, taken, "take")
        waits = reported("Clara", message)
        appealed = upheld(nora, reported("Anna", say(game, "Boris", "And a liar.")))
        page = browser(named("Boris"))
        hand_in(page, f"/reports/{appealed.pk}/appeal/", appeal="A joke.")
        desk = browser(marta).get("/admin/").content.decode().split("app-games")[0]
        order = re.findall(r"/admin/games/report/(\d+)/change/", desk)
        assert [int(key) for key in order] == [waits.pk, appealed.pk, taken.pk]
        assert report_act_url(waits, "take") in desk
        assert report_act_url(appealed, "grant-appeal") in desk
        assert f"/report/{taken.pk}/act/" not in desk
        assert "taken by Nora" in desk
        assert report_act_url(taken, "uphold") in browser(nora).get("/admin/").content.decode()

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

    def test_the_page_shows_what_was_said_around_it_and_earlier_reports(
        self, game, message, django_assert_max_num_queries
    ):
        marta = moderator("Marta")
        earlier = upheld(marta, reported("Clara", message), remove_message="on")
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

    def test_the_page_of_an_early_message_shows_what_was_removed(self, game, message):
        marta = moderator("Marta")
        report = upheld(marta, reported("Clara", message), remove_message="on")
        words = text_of(browser(marta).get(f"/admin/games/report/{report.pk}/change/"))
        assert "The message: Anna is a thief." in words
