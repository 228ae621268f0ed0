"""Several reports are taken, upheld or dismissed at once; each as if it were alone."""

import re
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.utils import timezone

from games.models import AuditLine, Message, Redaction, Report, User
from games.services import roles
from games.services.moderation.actions import several
from games.services.moderation.actions.requests import ActionRequest
from games.services.reports import filing
from games.services.reports.filing import Complaint
from tests.support.client import as_shown, browser, forms_of, person, text_of
from tests.support.moderators import moderator, previewed
from tests.support.races import at_once, rounds_of
from tests.support.reporting import decide, named, reported, say
from tests.support.sent_emails import emailed
from tests.support.tables import open_table

QUEUE = "/admin/reports/"
DECIDE = "/admin/reports/decide/"
WORDS = "Insults and personal threats have no place here."


def chosen(keeper: User, act: str, *reports: Report) -> HttpResponse:
    """What the queue's button answers for these reports."""
    numbers = [str(report.pk) for report in reports]
    return browser(keeper).post(DECIDE, {"act": act, "reports": numbers})


def decided(keeper: User, act: str, *reports: Report, **filled: str) -> str:
    """The queue after these reports were decided, with what it says was done."""
    form = as_shown(forms_of(chosen(keeper, act, *reports).content.decode())[""]) | filled
    client = browser(keeper)
    if act != "take":  # the emails are shown first
        form |= previewed(client.post(DECIDE, form))
    return text_of(client.post(DECIDE, form, follow=True))


def states() -> list[tuple[int, str, str]]:
    rows = Report.objects.select_related("owner").order_by("pk")
    return [(row.pk, row.state, row.owner.name if row.owner else "") for row in rows]


def about_person(reporter: str, whom: User, kind: str = "name") -> Report:
    now = timezone.now()
    complaint = Complaint(person(reporter), "His name.", uuid4(), now, Report.Kind(kind))
    filing.report_person(complaint, person=whom)
    return Report.objects.latest("pk")


@pytest.mark.django_db
class TestSeveral:
    @pytest.mark.full
    def test_all_about_one_message_are_upheld_with_one_reason(self, game, message, marta):
        reports = [reported(name, message) for name in ("Anna", "Clara")]
        page = decided(marta, "uphold", *reports, reason=WORDS, remove_message="on")
        numbers = f"{reports[0].pk} and {reports[1].pk}"
        assert f"Upheld: reports {numbers}. Boris and the people who made the reports" in page
        assert [row[1:] for row in states()] == [("upheld", "Marta")] * 2
        assert Redaction.objects.get().reason == WORDS
        assert sorted(emailed("report_decided")) == ["Anna", "Boris", "Clara"]
        acts = AuditLine.objects.order_by("pk").values_list("action", flat=True)
        both = ["report.uphold", "message.remove", "report.uphold"]
        assert sorted(acts) == sorted(both)

    @pytest.mark.full
    def test_the_reason_is_asked_for_first_and_names_what_is_decided(self, game, message, marta):
        report = reported("Anna", message)
        page = text_of(chosen(marta, "reject", report))
        assert f"A message from Boris at “{game.name}” · “Anna is a thief.”" in page
        assert f"Report {report.pk} · Insult · He insults me." in page
        assert states() == [(report.pk, "open", "")]
        form = {"act": "reject", "reports": str(report.pk), "sent": "1"}
        refused = browser(marta).post(DECIDE, form)
        assert refused.status_code == 422
        assert "Please choose or write a reason." in text_of(refused)
        assert states() == [(report.pk, "open", "")]

    @pytest.mark.full
    def test_the_page_of_one_leads_to_all_about_the_same(self, game, message, marta):
        alone = reported("Anna", say(game, "Boris", "Cow!"))
        first, second = (reported(name, message) for name in ("Anna", "Clara"))
        theirs = about_person("Dora", named("Boris"))
        for report, others in ((first, True), (second, True), (alone, False), (theirs, False)):
            page = browser(marta).get(f"/admin/games/report/{report.pk}/change/").content.decode()
            assert (f'name="reports" value="{first.pk} {second.pk}"' in page) is others
        decide(moderator("Nora"), second, "take")
        page = browser(marta).get(f"/admin/games/report/{first.pk}/change/").content.decode()
        assert 'name="reports"' not in page

    @pytest.mark.full
    def test_taking_asks_for_nothing(self, game, message, marta):
        reports = [reported(name, message) for name in ("Anna", "Clara")]
        chosen(marta, "take", *reports)
        assert [row[1:] for row in states()] == [("taken", "Marta")] * 2

    @pytest.mark.full
    def test_the_same_words_about_a_person_reach_them_once(self, marta):
        adolf = person("Adolf")
        reports = [about_person(name, adolf) for name in ("Anna", "Boris", "Clara")]
        decided(marta, "uphold", *reports, reason="Please choose another name.")
        assert sorted(emailed("report_decided")) == ["Adolf", "Anna", "Boris", "Clara"]
        later = about_person("Dora", adolf)
        decided(marta, "uphold", later, reason="Quite another matter.")
        assert sorted(emailed("report_decided"))[:2] == ["Adolf", "Adolf"]

    @pytest.mark.full
    def test_what_another_moderator_has_is_left_to_them_and_said(self, game, message, marta):
        mine, theirs = reported("Anna", message), reported("Clara", message)
        decide(moderator("Nora"), theirs, "take")
        page = decided(marta, "reject", mine, theirs, reason="We couldn't find it.")
        assert f"Dismissed: report {mine.pk}. The people who made the reports get an email." in page
        assert f"Report {theirs.pk}: Nora is handling this report." in page
        assert [row[1:] for row in states()] == [("rejected", "Marta"), ("taken", "Nora")]

    @pytest.mark.full
    def test_what_is_about_the_moderator_or_a_table_of_theirs_is_not_there(self, game, message):
        sits = named("Clara")
        roles.appoint(sits, roles.MODERATOR)
        report, about_them = reported("Anna", message), about_person("Dora", sits)
        queue = browser(sits).get(QUEUE).content.decode()
        assert not re.findall(r"/admin/games/report/\d+/", queue)
        for act in ("take", "uphold", "reject"):
            page = chosen(sits, act, report, about_them)
            assert page.status_code == 422
            assert "Please choose at least one report." in text_of(page)
            assert str(report) not in text_of(page)
        assert {row[1:] for row in states()} == {("open", "")}

    @pytest.mark.sample(1)
    @pytest.mark.parametrize("numbers", [[], ["x"], ["9" * 5000], ["-1"], ["\x00"], ["²"]])
    def test_without_any_report_it_says_so(self, marta, numbers):
        page = browser(marta).post(DECIDE, {"act": "uphold", "reports": numbers})
        assert page.status_code == 422
        assert "Please choose at least one report." in text_of(page)

    def test_too_many_are_refused(self, marta):
        now, adolf = timezone.now(), person("Adolf")
        Report.objects.bulk_create(
            Report(person=adolf, text="?", token=uuid4(), at=now) for _ in range(51)
        )
        page = chosen(marta, "reject", *Report.objects.all())
        assert page.status_code == 422
        assert "Please choose at most 50 reports at once." in text_of(page)

    @pytest.mark.full
    @pytest.mark.parametrize("act", ["uphold", "reject"])
    def test_the_emails_of_many_are_shown_with_few_queries(
        self, game, marta, act, django_assert_max_num_queries
    ):
        now, hall = timezone.now(), []
        for number in range(25):
            reporter, other = person(f"Reporter {number}"), person(f"Rude {number}")
            said = Message.objects.create(
                game=game, author=other, text=f"Thief {number}!", token=uuid4(), at=now
            )
            common = {"reporter": reporter, "person": other, "game": game, "text": "?", "at": now}
            hall.append(Report(**common, message=said, token=uuid4()))
            hall.append(Report(**common, token=uuid4()))
        Report.objects.bulk_create(hall)
        client = browser(marta)
        begun = client.post(DECIDE, {"act": act, "reports": [str(one.pk) for one in hall]})
        form = as_shown(forms_of(begun.content.decode())[""]) | {"reason": WORDS}
        with django_assert_max_num_queries(10):
            shown = client.post(DECIDE, form)
        page = text_of(shown)
        assert "Nothing has been done yet." in page
        assert all(f"Reporter {number}" in page for number in range(25))
        assert set(Report.objects.values_list("state", flat=True)) == {"open"}

    def test_an_unknown_act_and_a_link_lead_back_to_the_queue(self, marta):
        client = browser(marta)
        assert client.get(DECIDE)["Location"] == QUEUE
        assert client.post(DECIDE, {"act": "forget"})["Location"] == QUEUE


@pytest.mark.full
@pytest.mark.counts
@pytest.mark.django_db(transaction=True)
def test_two_moderators_decide_the_same_reports_at_once():
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    marta, nora = moderator("Marta"), moderator("Nora")
    for _chance, wins in rounds_of("Marta", "Nora", least=4):
        said = say(game, "Boris", "Thief!")
        game.messages.update(at=timezone.now() - timedelta(days=1))
        reports = [reported(name, said).pk for name in ("Anna", "Clara")]
        first = ActionRequest(marta, WORDS, timezone.now())
        second = ActionRequest(nora, "It wasn't kind.", timezone.now())
        one, other = at_once(
            partial(several.uphold_several, first, reports=reports),
            partial(several.reject_several, second, reports=reports[::-1]),
        )
        assert sorted(one.done + other.done) == sorted(reports)
        for report in Report.objects.filter(pk__in=reports):
            mine = report.pk in one.done
            assert report.owner == (marta if mine else nora)
            assert report.state == ("upheld" if mine else "rejected")
            wins[report.owner.name] += 1
        for _number, reason in (*one.refused, *other.refused):
            assert re.search("(Marta|Nora) has already decided on this report.", reason)
        Report.objects.all().delete()
