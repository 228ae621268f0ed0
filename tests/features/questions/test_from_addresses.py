"""Asking without an account: from an address that a code confirms, and read by a link in email."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.features.questions import from_addresses
from games.features.questions.models import Letter, Question
from games.models import OutboxEmail, User
from games.services.operations import trim
from games.services.public_ids import public_id
from tests.features.questions.asking import ASK, act, answer
from tests.support.client import browser, person, text_of
from tests.support.moderators import act_on, moderator
from tests.support.reporting import hand_in
from tests.support.sent_emails import sent

pytestmark = pytest.mark.django_db

VERA = "vera@example.org"
WORDS = "I can't sign in."


def ask(client: Client, address: str = VERA, **more: str) -> str:
    """Somebody asks; the page that wants the code."""
    filled = {"address": address, "kind": "access", "text": WORDS} | more
    response = hand_in(client, ASK, **filled)
    assert response.status_code == 302, response.content.decode()
    return response["Location"]


def code_in(text: str) -> str:
    return re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", text)[0]


def confirmed(client: Client) -> Question:
    page, question = ask(client), Question.objects.latest("pk")
    assert client.post(page, {"code": from_addresses.code_of(question)}).status_code == 302
    OutboxEmail.objects.all().delete()
    question.refresh_from_db()
    return question


def thread_page(question: Question) -> str:
    return f"/questions/by-email/{from_addresses.id_by_email(question)}/"


@pytest.mark.full
def test_there_and_back_without_an_account(marta, smtp):
    client, people = Client(headers={"accept-language": "de"}), User.objects.count()
    page = ask(client)
    text = sent(smtp)
    assert list(text) == ["vera"]
    assert WORDS not in text["vera"]
    assert "Frage an die Moderation" in text["vera"]
    response = client.post(page, {"code": code_in(text["vera"]).lower().replace("-", " ")})
    question = Question.objects.get()
    assert (response.status_code, response["Location"]) == (302, thread_page(question))
    assert (question.state, question.address, question.person) == ("waiting", VERA, None)
    text = sent(smtp)
    assert list(text) == ["marta"]
    assert "vera@example.org has written to the moderators." in text["marta"]
    assert act(marta, question, "answer", ready="looking").status_code == 302
    text = sent(smtp)
    assert list(text) == ["vera"]
    assert "Danke" in text["vera"]
    assert thread_page(question) in text["vera"]
    assert "Marta" not in text["vera"]
    assert WORDS in text_of(Client().get(thread_page(question)))
    assert hand_in(Client(), thread_page(question), text="Danke!").status_code == 302
    assert list(sent(smtp)) == ["marta"]
    assert User.objects.count() == people


@pytest.mark.full
def test_before_the_code_nobody_is_asked_and_nothing_is_answered(marta, smtp):
    client = Client()
    page, question = ask(client), Question.objects.get()
    assert list(sent(smtp)) == ["vera"]
    assert browser(marta).get(f"/admin/questions/{question.pk}/").status_code == 404
    assert WORDS not in text_of(browser(marta).get("/admin/questions/?state="))
    assert client.get(thread_page(question)).status_code == 404
    right = from_addresses.code_of(question)
    for _ in range(from_addresses.MOST_GUESSES):
        response = client.post(page, {"code": "AAAA-AAAA"})
        assert "This isn't the code that we emailed you." in text_of(response)
    assert "This code is no longer valid." in text_of(client.post(page, {"code": right}))
    question.refresh_from_db()
    assert question.state == "unconfirmed"
    assert sent(smtp) == {}


def test_a_code_ends_after_half_an_hour_and_its_question_after_a_day(marta):
    page, question = ask(Client()), Question.objects.get()
    Question.objects.update(at=timezone.now() - timedelta(minutes=31))
    response = Client().post(page, {"code": from_addresses.code_of(question)})
    assert "This code is no longer valid." in text_of(response)
    trim.trim(now=timezone.now() + timedelta(days=1))
    assert not Question.objects.exists()


@pytest.mark.full
def test_three_questions_a_day_from_an_address_and_five_an_hour_from_a_network(marta, settings):
    settings.ACCOUNT_RATE_LIMITS = {"question": "5/h/key"}
    for number in range(from_addresses.MOST_A_DAY):
        ask(Client(REMOTE_ADDR=f"198.51.100.{number}"))
    filled = {"address": "VERA@example.org", "kind": "other", "text": "Again"}
    response = hand_in(Client(REMOTE_ADDR="198.51.100.9"), ASK, **filled)
    assert response.status_code == 422
    for number in range(5):
        ask(Client(REMOTE_ADDR="203.0.113.1"), f"{number}@example.org")
    filled["address"] = "six@example.org"
    response = hand_in(Client(REMOTE_ADDR="203.0.113.1"), ASK, **filled)
    assert "Too many questions were sent from here." in text_of(response)
    assert not Question.objects.filter(address="six@example.org").exists()


def test_only_who_has_the_link_reads_it(marta):
    question = confirmed(Client())
    for found in (
        str(question.pk),
        public_id("question", question.pk),
        from_addresses.id_to_confirm(question),
    ):
        assert Client().get(f"/questions/by-email/{found}/").status_code == 404
    assert browser(marta).get(f"/questions/{question.pk}/").status_code == 404


def test_a_moderator_does_not_answer_their_own_address(marta):
    otto = moderator("Otto")
    page = ask(Client(), otto.email)
    question = Question.objects.get()
    Client().post(page, {"code": from_addresses.code_of(question)})
    assert browser(otto).get(f"/admin/questions/{question.pk}/").status_code == 404
    emailed = OutboxEmail.objects.filter(kind="question").values_list("person__name", flat=True)
    assert list(emailed) == ["Marta"]
    answer(marta, question)
    assert Letter.objects.filter(by="moderator").count() == 1


def test_every_foot_leads_there(marta):
    assert f'href="{ASK}"' in Client().get("/accounts/login/").content.decode()
    assert 'name="address"' in Client().get(ASK).content.decode()


@pytest.mark.full
def test_a_banned_person_asks_from_their_address_at_any_hour(marta, smtp):
    anna = person("Anna", quiet_from=0, quiet_until=23)
    act_on(browser(marta), anna, "ban")
    sent(smtp)
    page = ask(Client(), anna.email)
    text = sent(smtp)
    assert list(text) == ["anna"]
    assert Client().post(page, {"code": code_in(text["anna"])}).status_code == 302
    question = Question.objects.get()
    assert question.person is None
    User.objects.filter(pk=anna.pk).update(quiet_from=None, quiet_until=None)
    sent(smtp)
    answer(marta, question, "It ends on Monday.")
    text = sent(smtp)
    assert "It ends on Monday." in text["anna"]
    assert thread_page(question) in text["anna"]
