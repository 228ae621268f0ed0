"""Reports and what comes of them, through the pages, for tests."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from html import unescape
from uuid import uuid4

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import Game, Message, OutboxEmail, Report, User
from games.services.chat import messages
from games.services.chat.queries import id_of
from tests.support.client import as_shown, browser, forms_of, text_of
from tests.support.races import at_once, refusal
from tests.support.tables import open_table


def table_at_rest() -> Game:
    """A running game of Anna, Boris and Clara; the emails of its start are gone."""
    game = open_table("Anna", "Boris", "Clara", now=timezone.now())
    OutboxEmail.objects.all().delete()
    return game


def named(name: str) -> User:
    return User.objects.get(name=name)


def say(game: Game, name: str, text: str) -> Message:
    return messages.say(
        game_id=game.pk, user=named(name), text=text, token=uuid4(), now=timezone.now()
    )


def message_page(message: Message) -> str:
    return f"{message.game.get_absolute_url()}talk/{id_of(message)}/report/"


def person_page(person: User, game: Game | None = None) -> str:
    at = f"?table={game.token}" if game is not None else ""
    return reverse("games:report_person", args=[person.pk]) + at


def hand_in(client: Client, page: str, **filled: object) -> HttpResponse:
    """Fill in the form of a page as it shows it, and hand it in; a report is of an insult."""
    if page.partition("?")[0].endswith("/report/"):
        filled = {"kind": "insult"} | filled
    return client.post(page, filled_in(client.get(page), filled))


def filled_in(response: HttpResponse, filled: dict[str, object]) -> dict[str, str]:
    """The form of a page as it shows it, and filled in; texts too are as they are shown."""
    html = response.content.decode()
    texts = re.findall(r'<textarea name="(\w+)"[^>]*>\s*([^<]*)</textarea>', html)
    form = as_shown(forms_of(html)[""]) | {name: unescape(text) for name, text in texts}
    return form | {key: str(value) for key, value in filled.items()}


def reported(name: str, message: Message, why: str = "He insults me.") -> Report:
    """Somebody reports a message through its page."""
    response = hand_in(browser(named(name)), message_page(message), why=why)
    assert response.status_code == 302, response.content.decode()
    return Report.objects.get(reporter__name=name, message=message, state="open")


def report_act_url(report: Report, slug: str) -> str:
    return f"/admin/games/report/{report.pk}/act/{slug}/"


def message_act_url(message: Message, slug: str) -> str:
    return f"/admin/games/message/{message.pk}/act/{slug}/"


def decide(moderator: User, report: Report, slug: str, **filled: object) -> HttpResponse:
    """A moderator does this about a report, by its page; upholding brings nothing else at first."""
    if slug == "uphold":
        reason = {"why": ""} if "reason" in filled else {}
        filled = {"consequence": "nothing"} | reason | filled
    return _done(browser(moderator), report_act_url(report, slug), filled)


def act_on(moderator: User, message: Message, slug: str, **filled: object) -> HttpResponse:
    """A moderator does this about a message, by its page."""
    return _done(browser(moderator), message_act_url(message, slug), filled)


def _done(client: Client, page: str, filled: dict[str, object]) -> HttpResponse:
    response = hand_in(client, page, **filled)
    if response.status_code == 200:  # what it would do is shown first
        response = client.post(page, filled_in(response, {}))
    assert response.status_code == 302, response.content.decode()
    return response


def upheld(moderator: User, report: Report, **filled: object) -> Report:
    """The report as a moderator has taken and upheld it."""
    decide(moderator, report, "take")
    decide(
        moderator,
        report,
        "uphold",
        **(
            {"reason": "Insults and personal threats have no place here.", "remove_message": "this"}
            | filled
        ),
    )
    report.refresh_from_db()
    return report


def own_page(name: str) -> str:
    """The text of somebody's page of their own reports."""
    return text_of(browser(named(name)).get("/reports/"))


def race(acts: Iterable[Callable[[], object]]) -> list[object]:
    """Do all of these at the same moment; why each was refused, "" for what was done."""
    return at_once(*(partial(refusal, act) for act in acts))
