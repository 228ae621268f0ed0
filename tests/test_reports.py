"""Reports: from a table's page to the queue, a decision, an appeal, and the mails of it all."""

import re
from datetime import timedelta
from functools import partial
from html import unescape
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from games.models import AuditLine, Game, Message, OutboxMail, Report
from games.services import lobby, outbox, reports
from games.services.accounts import delete_account
from games.services.moderation import report_acts
from games.services.moderation.acting import Decision
from games.services.moderation.word_acts import write_as_referee
from games.services.refused import Refused
from games.services.reports import Complaint
from tests.moderators import moderator
from tests.reporting import (
    decide,
    hand_in,
    message_page,
    named,
    person_page,
    race,
    report_act_url,
    reported,
    say,
    upheld,
)
from tests.tables import open_table
from tests.test_mails import asked_by_nora
from tests.web import as_shown, browser, forms_of, person

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
WORDS = "Insults and threats have no place here."


@pytest.fixture
def game() -> Game:
    """A running game; the mails of its start are gone."""
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    OutboxMail.objects.all().delete()
    return game


@pytest.fixture
def message(game) -> Message:
    return say(game, "Boris", "Anna is a thief.")


def words_of(page):
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.content.decode())))


def own_page(name):
    return words_of(browser(named(name)).get("/reports/"))


def mailed(kind):
    mails = OutboxMail.objects.filter(kind=kind).select_related("person")
    return sorted(mail.person.name for mail in mails)


def sent(smtp):
    """What is mailed now: the address and the words of each mail, by name of the person."""
    before = len(smtp.messages)
    outbox.drain(now=timezone.now())
    return {
        mail["To"].partition("@")[0]: " ".join(mail.get_body(("plain",)).get_content().split())
        for mail in smtp.messages[before:]
    }


def acts_of():
    return [(line.who, line.act) for line in AuditLine.objects.order_by("pk")]


class TestReporting:
    def test_a_message_of_somebody_else_is_reported_from_the_talk(self, game, message, smtp):
        moderator("Marta")
        anna = browser(named("Anna"))
        page = anna.get(game.get_absolute_url()).content.decode()
        assert message_page(message) in page
        shown = words_of(anna.get(message_page(message)))
        assert "Report what Boris said" in shown
        assert "Anna is a thief." in shown
        answered = hand_in(anna, message_page(message), why="He insults me.\r\nAgain.")
        assert answered["Location"] == "/reports/"
        report = Report.objects.get()
        assert (report.reporter, report.person) == (named("Anna"), named("Boris"))
        assert (report.game, report.message, report.state) == (game, message, "open")
        assert report.text == "He insults me.\nAgain."
        assert "A message of Boris at “The Venice table”" in own_page("Anna")
        assert "It waits for a moderator." in own_page("Anna")
        told = sent(smtp)
        assert list(told) == ["marta"]
        assert "Anna has reported this to the moderators: A message of Boris" in told["marta"]
        assert "What the message says: Anna is a thief." in told["marta"]
        assert "Why it is reported: He insults me. Again." in told["marta"]
        assert f"/admin/games/report/{report.pk}/change/" in told["marta"]

    def test_a_person_is_reported_from_the_seats_of_the_table(self, game):
        anna, boris = browser(named("Anna")), named("Boris")
        page = anna.get(game.get_absolute_url()).content.decode()
        assert person_page(boris, game) in unescape(page)
        assert person_page(named("Anna"), game) not in unescape(page)
        assert "At the table “The Venice table”" in words_of(anna.get(person_page(boris, game)))
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
        form |= {"why": "He insults me."}
        codes = [anna.post(message_page(message), form).status_code for _ in "ab"]
        assert codes == [302, 302]
        assert Report.objects.count() == 1

    def test_one_report_of_a_message_at_a_time(self, message):
        reported("Anna", message)
        again = hand_in(browser(named("Anna")), message_page(message), why="Once more.")
        assert again.status_code == 422
        assert "You have reported this already" in words_of(again)
        assert "Once more." in words_of(again)
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
                reports.report_person(complaint, person=emil)
                continue
            with pytest.raises(Refused, match="10 reports in a day are the limit"):
                reports.report_person(complaint, person=emil)
            later = complaint._replace(now=now + DAY)
            reports.report_person(later, person=emil)
        assert Report.objects.count() == 11

    @pytest.mark.parametrize(
        ("why", "reason"),
        [("", "Please write why."), (" \r\n", "write why"), ("x" * 2001, "yours has 2,001")],
    )
    def test_without_a_reason_or_endless_it_is_refused_and_kept(self, message, why, reason):
        answered = hand_in(browser(named("Anna")), message_page(message), why=why)
        assert answered.status_code == 422
        assert reason in words_of(answered)
        assert why in answered.content.decode()
        assert not Report.objects.exists()

    def test_ones_own_the_referees_and_removed_messages_are_not_reported(self, game, message):
        write_as_referee(asked_by_nora(game), text="Be kind.", token=uuid4())
        referees = Message.objects.get(by_referee=True)
        upheld(moderator("Marta"), reported("Clara", message), remove_message="on")
        for one, name in ((message, "Boris"), (referees, "Anna"), (message, "Anna")):
            client = browser(named(name))
            page = client.get(game.get_absolute_url()).content.decode()
            assert message_page(one) not in page
            form = {"why": "Because.", "token": str(uuid4())}
            for answered in (client.get(message_page(one)), client.post(message_page(one), form)):
                assert answered["Location"] == f"{game.get_absolute_url()}talk/"
        assert Report.objects.count() == 1

    def test_nobody_reports_themselves(self, game):
        anna = named("Anna")
        form = {"why": "Because.", "token": str(uuid4())}
        assert browser(anna).post(person_page(anna), form)["Location"] == "/reports/"
        with pytest.raises(Refused, match="cannot report yourself"):
            reports.report_person(Complaint(anna, "Because.", uuid4(), timezone.now()), person=anna)
        assert not Report.objects.exists()

    def test_who_is_not_signed_in_signs_in_first(self, message):
        form = {"why": "Because.", "token": str(uuid4())}
        for page in (message_page(message), person_page(named("Anna")), "/reports/"):
            for answered in (Client().get(page), Client().post(page, form)):
                assert answered.status_code == 302
                assert "/accounts/login/" in answered["Location"]
        assert not Report.objects.exists()

    def test_what_is_not_there_is_not_found(self, game, message):
        other = open_table("Dora", "Emil", "Fanny", now=timezone.now())
        anna = browser(named("Anna"))
        gone = f"{other.get_absolute_url()}talk/{message.pk}/report/"
        for page in (gone, "/people/999999/report/", "/reports/999999/appeal/"):
            assert anna.get(page).status_code == 404
        page = f"/people/{named('Boris').pk}/report/?table=%00"
        assert anna.get(page).status_code == 200

    @pytest.mark.parametrize("form", [{}, {"why": "a\x00b"}, {"why": "x", "token": "y"}])
    def test_a_broken_form_is_no_error_page(self, message, form):
        answered = browser(named("Anna")).post(message_page(message), form)
        assert answered.status_code == 422
        assert not Report.objects.exists()


class TestWhoMayDealWithIt:
    def test_mailed_are_moderators_without_a_part_in_it(self, game, message):
        moderator("Marta")
        sits = moderator("Nora")
        other = open_table("Dora", size=3, now=timezone.now())
        lobby.join(game_id=other.pk, user=sits, now=timezone.now())
        reported("Anna", message)
        assert mailed("report") == ["Marta", "Nora"]
        OutboxMail.objects.all().delete()
        hand_in(browser(named("Anna")), person_page(named("Dora"), other), why="She cheats.")
        assert mailed("report") == ["Marta"]
        OutboxMail.objects.all().delete()
        hand_in(browser(named("Anna")), person_page(sits), why="She is unfair.")
        assert mailed("report") == ["Marta"]
        OutboxMail.objects.all().delete()
        hand_in(browser(sits), person_page(named("Boris")), why="He is unfair.")
        assert mailed("report") == ["Marta"]

    def test_a_report_is_not_there_for_moderators_whom_it_concerns(self, game, message):
        """Not in a list, nor on the desk, nor its page, acts, mails: who reported stays hidden."""
        now = timezone.now()
        marta, nora, otto = (moderator(name) for name in ("Marta", "Nora", "Otto"))
        other = open_table("Dora", size=3, now=now)
        lobby.join(game_id=other.pk, user=otto, now=now)
        reports.report_person(Complaint(nora, "Unfair.", uuid4(), now), person=marta)
        first = Report.objects.get()
        reports.report_person(
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
            with pytest.raises(Refused, match="another moderator deals with it"):
                report_acts.take(Decision(person_, "", now), report_id=report.pk)
        assert not AuditLine.objects.exists()

    def test_a_mail_that_fails_tells_a_moderator_nothing_of_a_report_about_them(self, game):
        marta, now = moderator("Marta"), timezone.now()
        reports.report_person(Complaint(named("Anna"), "Unfair.", uuid4(), now), person=marta)
        upheld(moderator("Nora"), Report.objects.get())
        OutboxMail.objects.filter(kind="report_decided").update(status="failed", error="550 no")
        told = "what came of a report to Anna: 550 no"
        assert told in words_of(browser(moderator("Otto")).get("/admin/"))
        assert told not in words_of(browser(marta).get("/admin/"))

    def test_the_page_of_a_person_shows_what_was_reported_to_those_who_may_know(
        self, game, message
    ):
        marta, nora = moderator("Marta"), moderator("Nora")
        report = reported("Anna", message)
        now = timezone.now()
        reports.report_person(Complaint(nora, "Unfair.", uuid4(), now), person=named("Boris"))
        page = f"/admin/games/user/{named('Boris').pk}/change/"
        own = Report.objects.get(reporter=nora)
        for reader, seen in ((marta, {report.pk, own.pk}), (nora, {report.pk})):
            html = browser(reader).get(page).content.decode()
            found = re.findall(r"/admin/games/report/(\d+)/change/", html)
            assert set(map(int, found)) == seen
        assert "A message of Boris at “The Venice table”, waits for a moderator" in html

    def test_players_and_strangers_may_nothing(self, message):
        report = reported("Anna", message)
        for client in (browser(named("Boris")), browser(person("Emil")), Client()):
            for slug in ("take", "uphold", "reject", "take-back", "grant-appeal"):
                page = report_act_url(report, slug)
                for answered in (client.get(page), client.post(page, {"reason": "So."})):
                    assert answered.status_code == 302
                    assert "login/" in answered["Location"]
        with pytest.raises(Refused, match="Only moderators"):
            report_acts.take(Decision(named("Boris"), "", timezone.now()), report_id=report.pk)
        report.refresh_from_db()
        assert report.state == "open"

    def test_an_act_that_there_is_not(self, message):
        report = reported("Anna", message)
        assert browser(moderator()).get(report_act_url(report, "bake")).status_code == 404


def visible(moderator_, report):
    """Where a moderator finds a report: the list, its page, the page of an act, the mails."""
    client = browser(moderator_)
    page = f"/admin/games/report/{report.pk}/change/"
    mails = client.get("/admin/games/outboxmail/").content.decode()
    keys = OutboxMail.objects.filter(kind="report", about=report.pk).values_list("pk", flat=True)
    found = {
        "list": page in client.get("/admin/games/report/").content.decode(),
        "page": client.get(page).status_code == 200,
        "act": client.get(report_act_url(report, "take")).status_code == 200,
        "mails": any(f"/outboxmail/{key}/change/" in mails for key in keys),
        "desk": page in client.get("/admin/").content.decode(),
    }
    return {place for place, there in found.items() if there}


class TestDeciding:
    def test_taken_upheld_and_both_hear_of_it(self, game, message, smtp):
        marta, report = moderator("Marta"), reported("Anna", message)
        sent(smtp)
        decide(marta, report, "take")
        assert "A moderator looks into it." in own_page("Anna")
        decide(marta, report, "uphold", reason="Say sorry.", remove_message="")
        report.refresh_from_db()
        assert (report.state, report.owner, report.outcome) == ("upheld", marta, "Say sorry.")
        told = sent(smtp)
        assert sorted(told) == ["anna", "boris"]
        assert "They agree with you. Their words: Say sorry." in told["anna"]
        assert "A message of yours at “The Venice table”" in told["boris"]
        assert "Their words: Say sorry." in told["boris"]
        assert f"/reports/{report.pk}/appeal/" in told["boris"]
        assert "> Anna is a thief." in told["boris"]
        assert "Anna" not in told["boris"].replace("Anna is a thief.", "")
        assert "Marta" not in told["anna"] + told["boris"]
        assert "The moderators agree with you. Their words: Say sorry." in own_page("Anna")
        assert "The moderators agree with what was reported." in own_page("Boris")
        assert "Anna" not in own_page("Boris").replace("Anna is a thief", "")
        assert acts_of() == [("Marta", "take report"), ("Marta", "uphold report")]
        line = AuditLine.objects.latest("pk")
        assert (line.person, line.game, line.reason) == (named("Boris"), game, "Say sorry.")
        assert (line.before, line.after) == (f"report {report.pk}: taken", "upheld")
        message.refresh_from_db()
        assert message.text == "Anna is a thief."

    def test_rejected_and_only_who_reported_hears_of_it(self, message, smtp):
        marta, report = moderator("Marta"), reported("Anna", message)
        sent(smtp)
        decide(marta, report, "take")
        why = "It was not kind, but it breaks no rule."
        decide(marta, report, "reject", why=why)
        told = sent(smtp)
        assert list(told) == ["anna"]
        assert f"They see it otherwise. Their words: {why}" in told["anna"]
        assert "The moderators see it otherwise." in own_page("Anna")
        assert "decided about you" not in own_page("Boris")
        assert browser(named("Boris")).get(f"/reports/{report.pk}/appeal/").status_code == 404

    def test_a_decision_needs_words_and_the_owner(self, message):
        marta, nora, report = moderator("Marta"), moderator("Nora"), reported("Anna", message)
        decide(marta, report, "take")
        for slug in ("uphold", "reject"):
            answered = hand_in(browser(marta), report_act_url(report, slug), reason="")
            assert answered.status_code == 422
            answered = browser(nora).post(report_act_url(report, slug), {"reason": "So."})
            assert answered.status_code == 422
            assert "Marta has taken this report." in words_of(answered)
        report.refresh_from_db()
        assert report.state == "taken"

    def test_who_did_not_take_it_cannot_decide(self, message):
        report = reported("Anna", message)
        answered = browser(moderator()).post(report_act_url(report, "reject"), {"reason": "So."})
        assert "Take the report first." in words_of(answered)

    def test_given_back_and_taken_by_another(self, message):
        marta, nora, report = moderator("Marta"), moderator("Nora"), reported("Anna", message)
        decide(marta, report, "take")
        answered = browser(nora).post(report_act_url(report, "take"), {})
        assert (answered.status_code, "Marta has taken this report." in words_of(answered)) == (
            422,
            True,
        )
        decide(marta, report, "give-back", reason="I know Boris.")
        decide(nora, report, "take")
        report.refresh_from_db()
        assert report.owner == nora

    def test_taken_over_from_somebody_who_does_nothing(self, message):
        marta, nora, report = moderator("Marta"), moderator("Nora"), reported("Anna", message)
        decide(marta, report, "take")
        page = report_act_url(report, "take-over")
        form = as_shown(forms_of(browser(nora).get(page).content.decode())[""])
        form |= {"reason": "Marta is away."}
        assert browser(nora).post(page, form).status_code == 302
        assert browser(moderator("Otto")).post(page, form).status_code == 422
        report.refresh_from_db()
        assert report.owner == nora

    def test_twice_is_once(self, message):
        marta, report = moderator("Marta"), reported("Anna", message)
        decide(marta, report, "take")
        form = {"reason": WORDS}
        page = report_act_url(report, "uphold")
        codes = [browser(marta).post(page, form).status_code for _ in "ab"]
        assert codes == [302, 422]
        assert acts_of() == [("Marta", "take report"), ("Marta", "uphold report")]
        assert mailed("report_decided") == ["Anna", "Boris"]

    def test_who_has_gone_meanwhile_is_mailed_nothing(self, message):
        marta, report = moderator("Marta"), reported("Anna", message)
        for name in ("Anna", "Boris"):
            delete_account(named(name), timezone.now())
        OutboxMail.objects.all().delete()
        upheld(marta, report)
        assert mailed("report_decided") == []
        page = browser(marta).get(f"/admin/games/report/{report.pk}/change/")
        assert "Somebody who has left" in words_of(page)

    def test_the_page_says_who_has_it_and_first_of_all_why_it_is_reported(self, message):
        marta, report = moderator("Marta"), reported("Anna", message, why="He insults me.")
        decide(marta, report, "take")
        client = browser(marta)
        page = client.get(f"/admin/games/report/{report.pk}/change/").content.decode()
        assert f"<h1>Report {report.pk}</h1>" in page
        assert "Marta has taken this report." in page
        assert page.index("Why it is reported: He insults me.") < page.index("Acts</h2>")
        assert "field-owner" in page
        assert "field-last_word" not in page
        back = client.get(report_act_url(report, "give-back")).content.decode()
        assert "Only moderators read it." in back
        assert "<select" not in back.partition('id="content-main"')[2].partition("</form>")[0]
        decide(marta, report, "give-back", reason="I know him.")
        boris = client.get(f"/admin/games/user/{named('Boris').pk}/change/").content.decode()
        story = boris.partition("What was done about this person")[2]
        assert f'<a href="/admin/games/report/{report.pk}/change/">' in story

    def test_the_owner_who_goes_leaves_it_to_the_others(self, message):
        marta, nora, report = moderator("Marta"), moderator("Nora"), reported("Anna", message)
        decide(marta, report, "take")
        delete_account(marta, timezone.now())
        decide(nora, report, "take")
        report.refresh_from_db()
        assert (report.state, report.owner) == ("taken", nora)

    def test_a_moderators_mail_is_dropped_once_somebody_has_taken_it(self, message, smtp):
        marta, _nora, report = moderator("Marta"), moderator("Nora"), reported("Anna", message)
        decide(marta, report, "take")
        assert sent(smtp) == {}


class TestAppeals:
    def appeal(self, report, name="Boris", text="It was a joke."):
        return hand_in(browser(named(name)), f"/reports/{report.pk}/appeal/", appeal=text)

    @pytest.fixture
    def marta(self):
        return moderator("Marta")

    @pytest.fixture
    def nora(self):
        return moderator("Nora")

    @pytest.fixture
    def report(self, message, marta, nora):
        report = upheld(marta, reported("Anna", message), remove_message="on")
        OutboxMail.objects.all().delete()
        return report

    def test_another_moderator_grants_it_and_the_message_is_back(self, report, nora, game, smtp):
        assert "You may appeal once, until" in own_page("Boris")
        assert self.appeal(report)["Location"] == "/reports/"
        assert "Your appeal waits for another moderator." in own_page("Boris")
        assert "An appeal is looked into." in own_page("Anna")
        told = sent(smtp)
        assert list(told) == ["nora"]
        assert "The appeal: It was a joke." in told["nora"]
        assert "The referee has removed this message" in the_talk(game)
        decide(nora, report, "grant-appeal", reason="A joke it was.")
        report.refresh_from_db()
        assert (report.state, report.closed_by) == ("taken_back", nora)
        assert "Anna is a thief." in the_talk(game)
        told = sent(smtp)
        assert sorted(told) == ["anna", "boris"]
        assert all("They have taken their decision back." in words for words in told.values())
        assert "You have appealed." in told["boris"]
        assert "Anna" not in told["boris"]
        assert "A joke it was." in own_page("Anna")
        assert "The decision was taken back." in own_page("Boris")
        assert acts_of()[-2:] == [("Nora", "restore"), ("Nora", "grant appeal")]

    def test_another_moderator_denies_it_and_that_is_the_last_word(self, report, nora, game, smtp):
        self.appeal(report)
        sent(smtp)
        decide(nora, report, "deny-appeal", reason="No joke.")
        told = sent(smtp)
        assert "The decision stands, and that is the last word." in told["boris"]
        assert "There was an appeal. The decision stands" in told["anna"]
        assert "After your appeal the decision stands." in own_page("Boris")
        assert "The referee has removed this message" in the_talk(game)
        again = browser(named("Boris")).post(f"/reports/{report.pk}/appeal/", {"appeal": "No!"})
        assert again.status_code == 422
        assert "You have appealed already." in words_of(again)

    def test_who_decided_does_not_decide_the_appeal(self, report, marta):
        self.appeal(report)
        page = report_act_url(report, "deny-appeal")
        answered = browser(marta).post(page, {"reason": "No joke."})
        assert answered.status_code == 422
        assert "another moderator decides the appeal" in words_of(answered)

    def test_where_there_is_no_other_moderator_the_same_one_decides(self, report, marta, nora):
        delete_account(nora, timezone.now())
        self.appeal(report)
        assert mailed("appeal") == ["Marta"]
        decide(marta, report, "deny-appeal", reason="No joke.")

    def test_only_the_person_appeals(self, report):
        page = f"/reports/{report.pk}/appeal/"
        for name in ("Anna", "Clara", "Nora"):
            assert browser(named(name)).get(page).status_code == 404
            assert browser(named(name)).post(page, {"appeal": "No!"}).status_code == 404
        assert "/accounts/login/" in Client().get(page)["Location"]

    def test_the_same_appeal_twice_is_one(self, report):
        codes = [
            browser(named("Boris"))
            .post(f"/reports/{report.pk}/appeal/", {"appeal": "A joke."})
            .status_code
            for _ in "ab"
        ]
        assert codes == [302, 302]
        assert mailed("appeal") == ["Nora"]

    def test_without_words_it_is_refused(self, report):
        assert "Please write why." in words_of(self.appeal(report, text=" "))
        report.refresh_from_db()
        assert report.state == "upheld"

    def test_after_thirty_days_it_is_too_late(self, report):
        decided_at = timezone.now() - 30 * DAY - timedelta(minutes=1)
        Report.objects.update(decided_at=decided_at)
        page = f"/reports/{report.pk}/appeal/"
        boris = browser(named("Boris"))
        assert "An appeal is not possible here, or not any more." in words_of(boris.get(page))
        assert "You may appeal" not in own_page("Boris")
        answered = boris.post(page, {"appeal": "A joke."})
        assert "An appeal is possible for 30 days, and they are over." in words_of(answered)

    def test_a_mistake_is_taken_back_without_an_appeal(self, report, marta, game, smtp):
        decide(marta, report, "take-back", reason="Wrong message.")
        assert "Anna is a thief." in the_talk(game)
        told = sent(smtp)
        assert "You have appealed." not in told["boris"]
        assert "They have taken their decision back." in told["boris"]
        assert self.post_appeal(report).status_code == 422

    def post_appeal(self, report):
        return browser(named("Boris")).post(f"/reports/{report.pk}/appeal/", {"appeal": "Why?"})


def the_talk(game):
    return words_of(browser(named("Clara")).get(game.get_absolute_url()))


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
        words = words_of(page)
        shown = [number for number in range(20) if f"Word {number}." in words]
        assert shown == list(range(5, 16))
        assert "reported Boris" in words
        assert f"/admin/games/report/{earlier.pk}/change/" in page.content.decode()
        assert report_act_url(report, "take") in page.content.decode()

    def test_the_page_of_an_early_message_shows_what_was_removed(self, game, message):
        marta = moderator("Marta")
        report = upheld(marta, reported("Clara", message), remove_message="on")
        words = words_of(browser(marta).get(f"/admin/games/report/{report.pk}/change/"))
        assert "The message: Anna is a thief." in words


class TestTheDatabase:
    @pytest.mark.parametrize(
        "broken",
        [
            {"state": "open", "owner": "Marta"},
            {"state": "upheld"},
            {"decided_at": timezone.now()},
            {"state": "appealed", "decided_at": timezone.now()},
            {"state": "taken_back", "decided_at": timezone.now()},
            {"person": "Anna"},
            {"game": None},
        ],
    )
    def test_what_cannot_be_is_refused(self, message, broken):
        moderator("Marta")
        report = reported("Anna", message)
        names = {"owner", "person"}
        changes = {key: named(v) if key in names else v for key, v in broken.items()}
        with pytest.raises(IntegrityError), transaction.atomic():
            Report.objects.filter(pk=report.pk).update(**changes)


@pytest.mark.django_db(transaction=True)
class TestRaces:
    @pytest.fixture
    def game(self):
        return open_table("Anna", "Boris", "Clara", now=timezone.now())

    def test_two_moderators_take_at_once_and_one_is_told_who_was_first(self, game):
        keepers = [moderator(name) for name in ("Marta", "Nora", "Otto")]
        for number in range(4):
            report = reported("Anna", say(game, "Boris", f"Thief {number}!"))
            decisions = [Decision(keeper, "", timezone.now()) for keeper in keepers]
            told = race(partial(report_acts.take, one, report_id=report.pk) for one in decisions)
            report.refresh_from_db()
            assert told.index("") == keepers.index(report.owner)
            others = f"{report.owner.name} has taken this report."
            assert sorted(told) == ["", others, others]
            assert AuditLine.objects.count() == number + 1

    def test_a_decision_its_double_and_its_opposite_at_once(self, game):
        decision = Decision(moderator("Marta"), WORDS, timezone.now())
        for number in range(4):
            report = reported("Anna", say(game, "Boris", f"Thief {number}!"))
            report_acts.take(decision, report_id=report.pk)
            upholding = partial(report_acts.uphold, remove_message=True)
            acts = [upholding, upholding, report_acts.reject, report_acts.give_back]
            told = race(partial(act, decision, report_id=report.pk) for act in acts)
            assert told.count("") == 1

    def test_the_same_report_and_the_same_appeal_at_once_are_one(self, game):
        marta, now = moderator("Marta"), timezone.now()
        said = say(game, "Boris", "Thief!")
        complaint = Complaint(named("Anna"), "He insults me.", uuid4(), now)
        told = race([partial(reports.report_message, complaint, message_id=said.pk)] * 5)
        assert told == [""] * 5
        report = upheld(marta, Report.objects.get())
        appeal = partial(
            reports.appeal, report_id=report.pk, user=named("Boris"), text="A joke.", now=now
        )
        assert race([appeal] * 5) == [""] * 5
        assert mailed("appeal") == ["Marta"]

    def test_two_people_report_each_other_at_once(self):
        anna, boris, now = person("Anna"), person("Boris"), timezone.now()
        for _ in range(5):
            told = race(
                partial(reports.report_person, Complaint(one, "Rude.", uuid4(), now), person=other)
                for one, other in ((anna, boris), (boris, anna))
            )
            assert told == ["", ""]
            assert Report.objects.count() == 2
            Report.objects.all().delete()
