"""Questions and answers through the pages, for tests."""

from uuid import uuid4

from django.http import HttpResponse
from django.utils import timezone

from games.features.questions import answering, asking
from games.features.questions.models import Question
from games.features.questions.queries import last_letter
from games.models import Game, User
from games.services.moderation.actions.requests import ActionRequest
from tests.support.client import browser
from tests.support.reporting import filled_in, hand_in

ASK = "/questions/ask/"


def ask(person: User, text: str = "Why 1,000?", kind: str = "clock", table: str = "") -> Question:
    """Somebody asks through the page."""
    response = hand_in(browser(person), ASK, kind=kind, table=table, text=text)
    assert response.status_code == 302, response.content.decode()
    return Question.objects.latest("pk")


def asked(person: User, text: str = "Why 1,000?", game: Game | None = None) -> Question:
    """The same without the page."""
    written = asking.Written(person, text, uuid4(), timezone.now())
    return asking.ask(written, kind="clock", game=game)


def act_url(question: Question, slug: str) -> str:
    return f"/admin/questions/{question.pk}/act/{slug}/"


def act(moderator: User, question: Question, slug: str, **filled: object) -> HttpResponse:
    """A moderator does this about a question, by its page, which may first show the email."""
    client, page = browser(moderator), act_url(question, slug)
    response = hand_in(client, page, **filled)
    if "Nothing has been done yet." in response.content.decode():
        return client.post(page, filled_in(response, {}))
    return response


def request_of(moderator: User) -> ActionRequest:
    return ActionRequest(moderator, "", timezone.now())


def answer(moderator: User, question: Question, text: str = "The deadline had passed.") -> None:
    answering.answer(
        request_of(moderator), question_id=question.pk, text=text, token=uuid4(),
        seen=last_letter(question),
    )  # fmt: skip
