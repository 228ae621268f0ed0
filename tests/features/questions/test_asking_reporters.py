"""Asking who made a report: read by them and by who may read the report, and by nobody else."""

import pytest
from django.utils import timezone

from games.features.questions.models import Letter, Question
from games.models import AuditLine, OutboxEmail, Report
from games.services import roles
from games.services.accounts.account import delete_account
from games.services.moderation.audit.queries import lines_for
from games.services.public_ids import public_id
from tests.support.client import browser, text_of
from tests.support.moderators import moderator
from tests.support.reporting import hand_in, named, own_page, reported, say
from tests.support.sent_emails import sent

pytestmark = [pytest.mark.full, pytest.mark.django_db]

WORDS = "Which of his messages do you mean?"


@pytest.fixture
def report(game, marta) -> Report:
    """Anna has reported what Boris said."""
    found = reported("Anna", say(game, "Boris", "Anna is a thief."))
    OutboxEmail.objects.all().delete()
    return found


def ask_page(report: Report) -> str:
    return f"/admin/games/report/{report.pk}/reporter/ask/"


def report_page(report: Report) -> str:
    return f"/admin/games/report/{report.pk}/change/"


def asked(report: Report, text: str = WORDS) -> Question:
    response = hand_in(browser(named("Marta")), ask_page(report), text=text)
    assert response.status_code == 302, response.content.decode()
    return Question.objects.get(report=report)


def test_there_and_back(report, marta, smtp):
    assert ask_page(report) in browser(marta).get(report_page(report)).content.decode()
    question = asked(report)
    text = sent(smtp)
    assert list(text) == ["anna"]
    assert WORDS in text["anna"]
    assert "about a report that you made" in text["anna"]
    assert "Marta" not in text["anna"]
    assert "About a report · A message from Boris at" in own_page("Anna")
    page = f"/questions/{public_id('question', question.pk)}/"
    assert WORDS in text_of(browser(named("Anna")).get(page))

    hand_in(browser(named("Anna")), page, text="The last one.")
    assert list(sent(smtp)) == ["marta"]
    shown = text_of(browser(marta).get(report_page(report)))
    assert WORDS in shown
    assert "The last one." in shown
    asked(report, "Thank you. And at which hour?")
    assert Letter.objects.filter(question=question).count() == 3


def test_nobody_else_learns_of_it(report, game, marta, smtp):
    question = asked(report)
    boris = named("Boris")
    roles.appoint(boris, roles.MODERATOR)
    client = browser(boris)
    for page in (ask_page(report), f"/admin/questions/{question.pk}/"):
        assert client.get(page).status_code == 404
    for page in (
        "/admin/",
        "/admin/questions/?state=",
        "/admin/games/outboxemail/",
        f"/admin/games/user/{named('Anna').pk}/change/",
        "/reports/",
    ):
        shown = text_of(client.get(page))
        assert "Ask the reporter" not in shown, page
        assert "About a report" not in shown, page
        assert "an answer from the moderators" not in shown, page
    line = AuditLine.objects.get(action="reporter.ask")
    assert line in lines_for(marta)
    assert line not in lines_for(named("Boris"))
    assert (line.person, line.before) == (boris, {"report": report.pk})
    for name in ("Boris", "Clara"):
        assert WORDS not in own_page(name)


def test_who_has_left_cannot_be_asked(report, marta):
    delete_account(named("Anna"), timezone.now())
    assert ask_page(report) not in browser(marta).get(report_page(report)).content.decode()
    shown = text_of(browser(marta).get(ask_page(report)))
    assert "The person who made this report no longer has an account." in shown


def test_a_question_goes_to_other_moderators_without_the_reporters_name_in_the_log(report, marta):
    question = asked(report)
    otto = moderator("Otto")
    page = f"/admin/questions/{question.pk}/act/take-over/"
    assert hand_in(browser(otto), page, reason="She is away.").status_code == 302
    line = AuditLine.objects.latest("pk")
    assert (line.action, line.person, line.game) == ("question.take-over", None, None)
    assert line.before == {"question": question.pk, "report": report.pk}
