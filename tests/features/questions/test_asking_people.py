"""Moderators write to anybody without a warning, and read the answer."""

import pytest

from games.features.questions.models import Question
from games.models import AuditLine, OutboxEmail, Sanction
from games.services import roles
from games.services.moderation.audit.queries import lines_for
from games.services.public_ids import public_id
from tests.support.client import browser, person, text_of
from tests.support.moderators import moderator
from tests.support.reporting import hand_in, named, own_page, reported, say
from tests.support.sent_emails import sent

pytestmark = pytest.mark.django_db
WORDS = "Do you share a computer with Boris?"


def ask_page(name: str) -> str:
    return f"/admin/games/user/{named(name).pk}/write/ask/"


def written_to(name: str, text: str = WORDS) -> Question:
    response = hand_in(browser(named("Marta")), ask_page(name), text=text)
    assert response.status_code == 302, response.content.decode()
    return Question.objects.get(person__name=name)


@pytest.mark.full
def test_there_and_back(game, marta, smtp):
    question = written_to("Anna")
    text = sent(smtp)["anna"]
    assert "The moderators have written to you:" in text
    assert WORDS in text
    assert "Marta" not in text
    assert not Sanction.objects.exists()
    assert "A message from the moderators" in own_page("Anna")
    page = f"/questions/{public_id('question', question.pk)}/"
    hand_in(browser(named("Anna")), page, text="He is my brother.")
    assert list(sent(smtp)) == ["marta"]
    question.refresh_from_db()
    assert (question.state, question.owner) == ("waiting", marta)
    assert "He is my brother." in text_of(browser(marta).get(f"/admin/questions/{question.pk}/"))
    written_to("Anna", "Thank you.")
    assert question.letters.count() == 3
    Question.objects.update(state=Question.State.CLOSED)
    hand_in(browser(marta), ask_page("Anna"), text="One more thing.")
    assert Question.objects.count() == 2


@pytest.mark.full
def test_the_page_of_a_person_a_report_and_duplicates_lead_there(game, marta):
    report = reported("Anna", say(game, "Boris", "Anna is a thief."))
    link = f'href="{ask_page("Boris")}"'
    boris = named("Boris")
    for page in (
        f"/admin/games/user/{boris.pk}/change/",
        f"/admin/games/user/{boris.pk}/doubles/",
        f"/admin/games/report/{report.pk}/change/",
    ):
        assert link in browser(marta).get(page).content.decode(), page


@pytest.mark.full
def test_only_those_who_may_act_on_somebody_can_write(game, marta):
    anna = named("Anna")
    roles.appoint(anna, roles.MODERATOR)
    assert browser(anna).get(ask_page("Boris")).status_code == 403
    assert browser(marta).get(ask_page("Marta")).status_code == 403
    assert browser(person("Dora")).get(ask_page("Boris")).status_code in {302, 403}
    assert not OutboxEmail.objects.filter(kind="moderators_wrote").exists()


@pytest.mark.full
def test_who_was_written_to_doesnt_read_of_it_as_a_moderator(game, marta):
    written_to("Boris")
    roles.appoint(named("Boris"), roles.MODERATOR)
    line = AuditLine.objects.get(action="player.ask")
    assert line in lines_for(moderator("Otto"))
    assert line not in lines_for(named("Boris"))


def test_a_persons_page_says_whether_they_have_two_factor_authentication(game, marta):
    page = f"/admin/games/user/{named('Boris').pk}/change/"
    assert "Doesn't have two-factor authentication." in text_of(browser(marta).get(page))
