"""Reports: from a table's page to the moderators, and who may deal with it."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from games.models import AuditLine, Message, OutboxEmail, Report
from games.services.lobby import tables
from games.services.moderation.actions import reports as reports_actions
from games.services.moderation.actions.messages import write_as_referee
from games.services.moderation.actions.requests import ActionRequest
from games.services.public_ids import public_id
from games.services.refused import Refused
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.moderators import moderator, request_of_nora
from tests.support.reporting import (
    hand_in,
    message_page,
    named,
    own_page,
    person_page,
    report_act_url,
    reported,
    upheld,
)
from tests.support.sent_emails import emailed, sent
from tests.support.tables import open_table

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


class TestReporting:
    @pytest.mark.full
    def test_a_message_of_somebody_else_is_reported_from_the_talk(self, game, message, smtp):
        moderator("Marta")
        anna = browser(named("Anna"))
        page = anna.get(game.get_absolute_url()).content.decode()
        assert message_page(message) in page
        shown = text_of(anna.get(message_page(message)))
        assert "Report this message from Boris" in shown
        assert "Anna is a thief." in shown
        answered = hand_in(anna, message_page(message), why="He insults me.\r\nAgain.")
        assert answered["Location"] == "/reports/"
        report = Report.objects.get()
        assert (report.reporter, report.person) == (named("Anna"), named("Boris"))
        assert (report.game, report.message, report.state) == (game, message, "open")
        assert report.text == "He insults me.\nAgain."
        assert "A message from Boris at “The Venice table”" in own_page("Anna")
        assert "Your report is waiting for a moderator." in own_page("Anna")
        text = sent(smtp)
        assert list(text) == ["marta"]
        assert "Anna reported this to the moderators: A message from Boris" in text["marta"]
        assert "Reported text: Anna is a thief." in text["marta"]
        assert "Reason for the report: He insults me. Again." in text["marta"]
        assert f"/admin/games/report/{report.pk}/change/" in text["marta"]

    @pytest.mark.full
    def test_a_person_is_reported_from_the_seats_of_the_table(self, game):
        anna, boris = browser(named("Anna")), named("Boris")
        page = anna.get(game.get_absolute_url()).content.decode()
        assert person_page(boris, game) in unescape(page)
        assert person_page(named("Anna"), game) not in unescape(page)
        assert "Table: “The Venice table”" in text_of(anna.get(person_page(boris, game)))
        hand_in(anna, person_page(boris, game), why="He plays with two accounts.")
        report = Report.objects.get()
        assert (report.person, report.game, report.message) == (boris, game, None)
        hand_in(anna, person_page(named("Clara")), why="Her name.")
        assert Report.objects.get(person=named("Clara")).game is None

    def test_a_table_at_which_the_person_never_sat_is_not_noted(self, game):
        emil = person("Emil")
        hand_in(browser(named("Anna")), person_page(emil, game), why="His name.")
        assert Report.objects.get(person=emil).game is None

    def test_the_same_form_twice_is_one_report(self, message):
        anna = browser(named("Anna"))
        form = as_shown(forms_of(anna.get(message_page(message)).content.decode())[""])
        form |= {"kind": "insult", "why": "He insults me."}
        codes = [anna.post(message_page(message), form).status_code for _ in "ab"]
        assert codes == [302, 302]
        assert Report.objects.count() == 1

    @pytest.mark.full
    def test_one_report_of_a_message_at_a_time(self, message):
        reported("Anna", message)
        again = hand_in(browser(named("Anna")), message_page(message), why="Once more.")
        assert again.status_code == 422
        assert "You've already reported this" in text_of(again)
        assert "Once more." in text_of(again)
        reported("Clara", message)
        assert Report.objects.count() == 2

    def test_one_report_of_a_person_at_a_time(self, game):
        anna, page = browser(named("Anna")), person_page(named("Boris"))
        assert hand_in(anna, page, why="He cheats.").status_code == 302
        assert hand_in(anna, page, why="He still cheats.").status_code == 422

    def test_ten_reports_a_day_are_the_limit(self, game):
        anna, now = named("Anna"), timezone.now()
        for number in range(11):
            emil = person(f"Emil {number}")
            complaint = Complaint(anna, "His name.", uuid4(), now)
            if number < 10:
                filing.report_person(complaint, person=emil)
                continue
            with pytest.raises(Refused, match="You can send up to 10 reports in 24 hours"):
                filing.report_person(complaint, person=emil)
            later = complaint._replace(now=now + DAY)
            filing.report_person(later, person=emil)
        assert Report.objects.count() == 11

    @pytest.mark.sample(1)
    @pytest.mark.parametrize(
        ("why", "reason"),
        [
            ("", "Please give a reason."),
            (" \r\n", "Please give a reason."),
            ("x" * 2001, "you've used 2,001"),
        ],
    )
    def test_without_a_reason_or_endless_it_is_refused_and_kept(self, message, why, reason):
        answered = hand_in(browser(named("Anna")), message_page(message), why=why)
        assert answered.status_code == 422
        assert reason in text_of(answered)
        assert why in answered.content.decode()
        assert not Report.objects.exists()

    @pytest.mark.full
    def test_ones_own_the_referees_and_removed_messages_are_not_reported(self, game, message):
        write_as_referee(request_of_nora(game), text="Be kind.", token=uuid4())
        referees = Message.objects.get(by_referee=True)
        upheld(moderator("Marta"), reported("Clara", message), remove_message="this")
        for one, name in ((message, "Boris"), (referees, "Anna"), (message, "Anna")):
            client = browser(named(name))
            page = client.get(game.get_absolute_url()).content.decode()
            assert message_page(one) not in page
            form = {"why": "Because.", "token": str(uuid4())}
            for answered in (client.get(message_page(one)), client.post(message_page(one), form)):
                assert answered["Location"] == f"{game.get_absolute_url()}#chat"
        assert Report.objects.count() == 1

    def test_nobody_reports_themselves(self, game):
        anna = named("Anna")
        form = {"why": "Because.", "token": str(uuid4())}
        assert browser(anna).post(person_page(anna), form)["Location"] == "/reports/"
        with pytest.raises(Refused, match="can't report yourself"):
            filing.report_person(Complaint(anna, "Because.", uuid4(), timezone.now()), person=anna)
        assert not Report.objects.exists()

    def test_who_is_not_signed_in_signs_in_first(self, message):
        form = {"why": "Because.", "token": str(uuid4())}
        for page in (message_page(message), person_page(named("Anna")), "/reports/"):
            for answered in (Client().get(page), Client().post(page, form)):
                assert answered.status_code == 302
                assert "/accounts/login/" in answered["Location"]
        assert not Report.objects.exists()

    @pytest.mark.full
    def test_what_is_not_there_is_not_found(self, game, message):
        other = open_table("Dora", "Emil", "Fanny", now=timezone.now())
        anna = browser(named("Anna"))
        gone = f"{other.get_absolute_url()}talk/{message.pk}/report/"
        for page in (gone, "/people/999999/report/", "/reports/999999/appeal/"):
            assert anna.get(page).status_code == 404
        page = f"/people/{named('Boris').pk}/report/?table=%00"
        assert anna.get(page).status_code == 200

    def test_the_kind_has_to_be_chosen_and_none_is_at_first(self, message):
        anna, page = browser(named("Anna")), message_page(message)
        shown = as_shown(forms_of(anna.get(page).content.decode())[""])
        assert shown["kind"] == ""
        for kind, words in (
            ("", "Please choose what kind of problem it is."),
            ("murder", "Select a valid choice."),
        ):
            refused = anna.post(page, shown | {"why": "He insults me.", "kind": kind})
            assert refused.status_code == 422
            assert words in text_of(refused)
            assert "out of date" not in text_of(refused)
            assert "He insults me." in refused.content.decode()
        assert anna.post(page, shown | {"why": "Hm.", "kind": "threat"}).status_code == 302
        assert Report.objects.get().kind == "threat"

    def test_moderators_are_told_the_kind(self, message, smtp):
        moderator("Marta")
        reported("Anna", message)
        assert "Kind: Insult" in sent(smtp)["marta"]

    @pytest.mark.parametrize("form", [{}, {"why": "a\x00b"}, {"why": "x", "token": "y"}])
    def test_a_broken_form_is_no_error_page(self, message, form):
        answered = browser(named("Anna")).post(message_page(message), form)
        assert answered.status_code == 422
        assert not Report.objects.exists()


class TestWhoMayDealWithIt:
    @pytest.mark.full
    def test_emailed_are_moderators_without_a_part_in_it(self, game, message):
        moderator("Marta")
        sits = moderator("Nora")
        other = open_table("Dora", size=3, now=timezone.now())
        tables.join(game_id=other.pk, user=sits, now=timezone.now())
        reported("Anna", message)
        assert emailed("report") == ["Marta", "Nora"]
        OutboxEmail.objects.all().delete()
        hand_in(browser(named("Anna")), person_page(named("Dora"), other), why="She cheats.")
        assert emailed("report") == ["Marta"]
        OutboxEmail.objects.all().delete()
        hand_in(browser(named("Anna")), person_page(sits), why="She is unfair.")
        assert emailed("report") == ["Marta"]
        OutboxEmail.objects.all().delete()
        hand_in(browser(sits), person_page(named("Boris")), why="He is unfair.")
        assert emailed("report") == ["Marta"]

    @pytest.mark.full
    def test_a_report_is_not_there_for_moderators_whom_it_concerns(self, game, message):
        """Not in a list, nor on the desk, nor its page, acts, emails: who reported stays hidden."""
        now = timezone.now()
        marta, nora, otto = (moderator(name) for name in ("Marta", "Nora", "Otto"))
        other = open_table("Dora", size=3, now=now)
        tables.join(game_id=other.pk, user=otto, now=now)
        filing.report_person(Complaint(nora, "Unfair.", uuid4(), now), person=marta)
        first = Report.objects.get()
        filing.report_person(
            Complaint(named("Anna"), "Unfair.", uuid4(), now), person=named("Dora"), game=other
        )
        second = Report.objects.latest("pk")
        assert len(visible(marta, first)) == 0
        assert len(visible(nora, first)) == 0
        assert len(visible(otto, second)) == 0
        assert len(visible(otto, first)) == len(visible(marta, second)) == 5
        for person_, report in ((marta, first), (nora, first), (otto, second)):
            form = {"reason": "Because."}
            page = report_act_url(report, "take")
            assert browser(person_).post(page, form).status_code == 404
            with pytest.raises(Refused, match="another moderator has to handle it"):
                reports_actions.take(ActionRequest(person_, "", now), report_id=report.pk)
        assert not AuditLine.objects.exists()

    @pytest.mark.full
    def test_a_mail_that_fails_tells_a_moderator_nothing_of_a_report_about_them(self, game):
        marta, now = moderator("Marta"), timezone.now()
        filing.report_person(Complaint(named("Anna"), "Unfair.", uuid4(), now), person=marta)
        upheld(moderator("Nora"), Report.objects.get())
        OutboxEmail.objects.filter(kind="report_decided").update(status="failed", error="550 no")
        text = "outcome of a report : 550 no. 1 more email failed for the same reason."
        assert text in text_of(browser(moderator("Otto")).get("/admin/"))
        assert text not in text_of(browser(marta).get("/admin/"))

    @pytest.mark.full
    def test_the_page_of_a_person_shows_what_was_reported_to_those_who_may_know(
        self, game, message
    ):
        marta, nora = moderator("Marta"), moderator("Nora")
        report = reported("Anna", message)
        now = timezone.now()
        filing.report_person(Complaint(nora, "Unfair.", uuid4(), now), person=named("Boris"))
        page = f"/admin/games/user/{named('Boris').pk}/change/"
        own = Report.objects.get(reporter=nora)
        for reader, seen in ((marta, {report.pk, own.pk}), (nora, {report.pk})):
            html = browser(reader).get(page).content.decode()
            found = re.findall(r"/admin/games/report/(\d+)/change/", html)
            assert set(map(int, found)) == seen
        assert "A message from Boris at “The Venice table”, waiting for a moderator" in html

    @pytest.mark.full
    def test_players_and_strangers_may_nothing(self, message):
        report = reported("Anna", message)
        for client in (browser(named("Boris")), browser(person("Emil")), Client()):
            for slug in ("take", "uphold", "reject", "take-back", "grant-appeal"):
                page = report_act_url(report, slug)
                for answered in (client.get(page), client.post(page, {"reason": "So."})):
                    assert answered.status_code == 302
                    assert "login/" in answered["Location"]
        with pytest.raises(Refused, match="Only moderators"):
            reports_actions.take(
                ActionRequest(named("Boris"), "", timezone.now()), report_id=report.pk
            )
        report.refresh_from_db()
        assert report.state == "open"

    def test_an_act_that_there_is_not(self, message):
        report = reported("Anna", message)
        assert browser(moderator()).get(report_act_url(report, "bake")).status_code == 404


def visible(moderator_, report):
    """Where a moderator finds a report: the list, its page, the page of an act, the emails."""
    client = browser(moderator_)
    page = f"/admin/games/report/{report.pk}/change/"
    emails = client.get("/admin/games/outboxemail/").content.decode()
    keys = OutboxEmail.objects.filter(kind="report", about=report.pk).values_list("pk", flat=True)
    found = {
        "list": page in client.get("/admin/games/report/").content.decode(),
        "page": client.get(page).status_code == 200,
        "act": client.get(report_act_url(report, "take")).status_code == 200,
        "emails": any(
            f"/outboxemail/{public_id('outboxemail', key)}/change/" in emails for key in keys
        ),
        "desk": page in client.get("/admin/").content.decode(),
    }
    return {place for place, there in found.items() if there}
