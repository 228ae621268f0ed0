"""Reports: what a moderator decides, the appeal, and what cannot be."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from games.models import AuditLine, OutboxEmail, Report
from games.services.accounts.account import delete_account
from games.services.public_ids import public_id
from tests.support.client import as_shown, browser, forms_of, text_of
from tests.support.moderators import audited_actions, moderator
from tests.support.reporting import (
    decide,
    filled_in,
    hand_in,
    named,
    own_page,
    report_act_url,
    reported,
    upheld,
)
from tests.support.sent_emails import emailed, sent

pytestmark = [pytest.mark.full, pytest.mark.django_db]
DAY = timedelta(days=1)
WORDS = "Insults and personal threats have no place here."


class TestDeciding:
    def test_a_report_is_taken_by_one_click_on_its_page(self, message):
        marta, report = moderator("Marta"), reported("Anna", message)
        client = browser(marta)
        page = client.get(f"/admin/games/report/{report.pk}/change/").content.decode()
        take = report_act_url(report, "take")
        client.post(take, as_shown(forms_of(page)[take]))
        report.refresh_from_db()
        assert (report.state, report.owner) == ("taken", marta)

    def test_taken_upheld_and_both_hear_of_it(self, game, message, smtp):
        marta, report = moderator("Marta"), reported("Anna", message)
        sent(smtp)
        decide(marta, report, "take")
        assert "A moderator is looking into your report." in own_page("Anna")
        decide(marta, report, "uphold", reason="Say sorry.")
        report.refresh_from_db()
        assert (report.state, report.owner, report.outcome) == ("upheld", marta, "Say sorry.")
        message.refresh_from_db()
        assert message.text == "Anna is a thief."  # removed only where a moderator asks for it
        text = sent(smtp)
        assert sorted(text) == ["anna", "boris"]
        thanks = "Thank you. We have acted on your report."
        assert f"The moderators agree with you. The moderators wrote: {thanks}" in text["anna"]
        assert "Your message at “The Venice table”" in text["boris"]
        assert "The moderators wrote: Say sorry." in text["boris"]
        assert f"/reports/{public_id('report', report.pk)}/appeal/" in text["boris"]
        assert "> Anna is a thief." in text["boris"]
        assert "Anna" not in text["boris"].replace("Anna is a thief.", "")
        assert "Marta" not in text["anna"] + text["boris"]
        assert f"The moderators agree with you. The moderators wrote: {thanks}" in own_page("Anna")
        assert "The moderators upheld the report." in own_page("Boris")
        assert "Anna" not in own_page("Boris").replace("Anna is a thief", "")
        assert audited_actions() == [("Marta", "report.take"), ("Marta", "report.uphold")]
        line = AuditLine.objects.latest("pk")
        assert (line.person, line.game, line.reason) == (named("Boris"), game, "Say sorry.")
        assert (line.before, line.after) == (
            {"report": report.pk, "report_state": "taken"},
            {"report_state": "upheld"},
        )
        message.refresh_from_db()
        assert message.text == "Anna is a thief."

    def test_rejected_and_only_who_reported_hears_of_it(self, message, smtp):
        marta, report = moderator("Marta"), reported("Anna", message)
        sent(smtp)
        decide(marta, report, "take")
        why = "It wasn't kind, but it didn't break any rules."
        decide(marta, report, "reject", why=why)
        text = sent(smtp)
        assert list(text) == ["anna"]
        assert f"The moderators see it differently. The moderators wrote: {why}" in text["anna"]
        assert "The moderators didn't agree with you." in own_page("Anna")
        assert "Decisions about you" not in own_page("Boris")
        assert browser(named("Boris")).get(f"/reports/{report.pk}/appeal/").status_code == 404

    def test_a_decision_needs_words_and_the_owner(self, message):
        marta, nora, report = moderator("Marta"), moderator("Nora"), reported("Anna", message)
        decide(marta, report, "take")
        for slug in ("uphold", "reject"):
            answered = hand_in(browser(marta), report_act_url(report, slug), reason="")
            assert answered.status_code == 422
            answered = browser(nora).post(report_act_url(report, slug), {"reason": "So."})
            assert answered.status_code == 422
            assert "Marta is handling this report." in text_of(answered)
        report.refresh_from_db()
        assert report.state == "taken"

    def test_what_nobody_has_becomes_ones_own_with_the_decision(self, message):
        marta, report = moderator("Marta"), reported("Anna", message)
        decide(marta, report, "reject", reason="So.")
        report.refresh_from_db()
        assert (report.state, report.owner) == ("rejected", marta)
        assert audited_actions() == [("Marta", "report.reject")]

    def test_who_comes_too_late_reads_who_has_decided(self, message):
        marta, nora, report = moderator("Marta"), moderator("Nora"), reported("Anna", message)
        page, late = report_act_url(report, "uphold"), browser(nora)
        shown = hand_in(late, page, consequence="mute:7")
        decide(marta, report, "reject", reason="So.")
        answered = late.post(page, filled_in(shown, {}))
        assert answered.status_code == 422
        text = "Marta has already decided on this report. Its status is now: dismissed."
        assert text in text_of(answered)
        assert named("Boris").muted_until is None

    def test_given_back_and_taken_by_another(self, message):
        marta, nora, report = moderator("Marta"), moderator("Nora"), reported("Anna", message)
        decide(marta, report, "take")
        answered = browser(nora).post(report_act_url(report, "take"), {})
        assert (answered.status_code, "Marta is handling this report." in text_of(answered)) == (
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
        page = report_act_url(report, "uphold")
        shown = hand_in(browser(marta), page, consequence="nothing", reason=WORDS)
        form = filled_in(shown, {})
        codes = [browser(marta).post(page, form).status_code for _ in "ab"]
        assert codes == [302, 422]
        assert audited_actions() == [("Marta", "report.take"), ("Marta", "report.uphold")]
        assert emailed("report_decided") == ["Anna", "Boris"]

    def test_who_has_gone_meanwhile_is_emailed_nothing(self, message):
        marta, report = moderator("Marta"), reported("Anna", message)
        for name in ("Anna", "Boris"):
            delete_account(named(name), timezone.now())
        OutboxEmail.objects.all().delete()
        upheld(marta, report)
        assert emailed("report_decided") == []
        page = browser(marta).get(f"/admin/games/report/{report.pk}/change/")
        assert "Someone who has left" in text_of(page)

    def test_the_page_says_who_has_it_and_first_of_all_why_it_is_reported(self, message):
        marta, report = moderator("Marta"), reported("Anna", message, why="He insults me.")
        decide(marta, report, "take")
        client = browser(marta)
        page = client.get(f"/admin/games/report/{report.pk}/change/").content.decode()
        assert f"<h1>Report {report.pk}</h1>" in page
        assert "Marta is handling this report." in page
        assert page.index("Reason for the report: He insults me.") < page.index("Actions</h2>")
        assert "<dt>Owner</dt>" in page
        assert "<dt>Final decision</dt>" not in page
        back = client.get(report_act_url(report, "give-back")).content.decode()
        assert "Only moderators see this." in back
        assert "<select" not in back.partition('id="content-main"')[2].partition("</form>")[0]
        decide(marta, report, "give-back", reason="I know him.")
        boris = client.get(f"/admin/games/user/{named('Boris').pk}/change/").content.decode()
        story = boris.partition("Actions affecting this person")[2]
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
    def nora(self):
        return moderator("Nora")

    @pytest.fixture
    def report(self, message, marta, nora):
        report = upheld(marta, reported("Anna", message), remove_message="this")
        OutboxEmail.objects.all().delete()
        return report

    def test_another_moderator_grants_it_and_the_message_is_back(self, report, nora, game, smtp):
        assert "You can appeal once, by" in own_page("Boris")
        assert self.appeal(report)["Location"] == "/reports/"
        assert "Your appeal is waiting for another moderator." in own_page("Boris")
        assert "The appeal is under review." in own_page("Anna")
        text = sent(smtp)
        assert list(text) == ["nora"]
        assert "The appeal: It was a joke." in text["nora"]
        assert "The referee has removed this message" in the_talk(game)
        decide(nora, report, "grant-appeal", reason="A joke it was.")
        report.refresh_from_db()
        assert (report.state, report.closed_by) == ("taken_back", nora)
        assert "Anna is a thief." in the_talk(game)
        text = sent(smtp)
        assert sorted(text) == ["anna", "boris"]
        assert all(
            "The moderators have reversed their decision." in words for words in text.values()
        )
        assert "You appealed." in text["boris"]
        assert "Anna" not in text["boris"]
        assert "A joke it was." in own_page("Anna")
        assert "The decision was reversed." in own_page("Boris")
        assert audited_actions()[-2:] == [("Nora", "message.show"), ("Nora", "report.grant-appeal")]

    def test_another_moderator_denies_it_and_that_is_the_last_word(self, report, nora, game, smtp):
        self.appeal(report)
        sent(smtp)
        decide(nora, report, "deny-appeal", reason="No joke.")
        text = sent(smtp)
        assert "The decision stands and is final." in text["boris"]
        assert "The moderators' decision has been appealed. The decision stands" in text["anna"]
        assert "Your appeal was reviewed, and the decision stands." in own_page("Boris")
        assert "The referee has removed this message" in the_talk(game)
        again = browser(named("Boris")).post(f"/reports/{report.pk}/appeal/", {"appeal": "No!"})
        assert again.status_code == 422
        assert "You've already appealed." in text_of(again)

    def test_who_decided_does_not_decide_the_appeal(self, report, marta):
        self.appeal(report)
        page = report_act_url(report, "deny-appeal")
        answered = browser(marta).post(page, {"reason": "No joke."})
        assert answered.status_code == 422
        assert "another moderator must decide on the appeal" in text_of(answered)

    def test_where_there_is_no_other_moderator_the_same_one_decides(self, report, marta, nora):
        delete_account(nora, timezone.now())
        self.appeal(report)
        assert emailed("appeal") == ["Marta"]
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
        assert emailed("appeal") == ["Nora"]

    def test_without_words_it_is_refused(self, report):
        assert "Please give a reason." in text_of(self.appeal(report, text=" "))
        report.refresh_from_db()
        assert report.state == "upheld"

    def test_after_thirty_days_it_is_too_late(self, report):
        decided_at = timezone.now() - 30 * DAY - timedelta(minutes=1)
        Report.objects.update(decided_at=decided_at)
        page = f"/reports/{report.pk}/appeal/"
        boris = browser(named("Boris"))
        assert "This can't be appealed, or can no longer be appealed." in text_of(boris.get(page))
        assert "You can appeal" not in own_page("Boris")
        answered = boris.post(page, {"appeal": "A joke."})
        assert "The 30-day period for appeals has passed." in text_of(answered)

    def test_a_mistake_is_taken_back_without_an_appeal(self, report, marta, game, smtp):
        decide(marta, report, "take-back", reason="Wrong message.")
        assert "Anna is a thief." in the_talk(game)
        text = sent(smtp)
        assert "You appealed." not in text["boris"]
        assert "The moderators have reversed their decision." in text["boris"]
        assert self.post_appeal(report).status_code == 422

    def post_appeal(self, report):
        return browser(named("Boris")).post(f"/reports/{report.pk}/appeal/", {"appeal": "Why?"})


def the_talk(game):
    return text_of(browser(named("Clara")).get(game.get_absolute_url()))


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
