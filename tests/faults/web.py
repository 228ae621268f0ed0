"""What a player's browser sends, without the pages in between: forms are made from the database."""

import secrets
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.forms import BooleanField, BoundField

from games.engine import decode, encode_move, view
from games.forms.moves import FORMS, MoveForm
from games.presentation.text.words import People
from games.unavailable import TRY_AGAIN_AFTER
from tests.faults.site import HOST, proxied

UNANSWERED = 0
CLIENT_SECONDS = 120
"""Longer than any answer takes on a busy machine: what hangs, hangs for good."""

ASKED = """
SELECT s.id, s.user_id, s.number, g.id, g.token, g.phase_no, g.state
FROM games_seat s JOIN games_game g ON g.id = s.game_id
WHERE s.deadline_at IS NOT NULL AND s.user_id IS NOT NULL AND s.absent_since IS NULL
AND g.status = 'running' AND {more}
"""


@dataclass(frozen=True)
class Question:
    """What one person is asked at one table, as the database has it."""

    seat: int
    user: int
    number: int
    game: int
    table: str
    phase_no: int
    state: Any

    @property
    def address(self) -> str:
        return f"/tables/{self.table}/"


@dataclass
class Answer:
    """A form that was handed in, maybe more than once, and what each time was answered."""

    question: Question
    token: UUID
    fields: dict[str, str]
    moves: list[Any]
    text: list[int] = field(default_factory=list)

    @property
    def is_acknowledged(self) -> bool:
        return 302 in self.text


@dataclass(frozen=True)
class Request:
    """One request as its sender saw it; `is_busy` if somebody else had the table locked."""

    what: str
    game: int
    status: int
    began: float
    seconds: float
    is_busy: bool


def fill_in(question: Question, chance: Random) -> Answer:
    """The question's form: filled in at random where that is legal, else as the page shows it."""
    state = decode(question.state)
    seen = view(state, question.number)
    people = People(seen.table, list(seen.table.players))
    token = uuid4()
    empty = FORMS[type(seen.choice)](people=people, view=seen)
    asked = {"phase_no": str(question.phase_no), "token": str(token)}
    shown = {bound.html_name: _as_shown(bound) for bound in empty} | asked
    shown = {name: value for name, value in shown.items() if value}
    for fields in (_at_random(empty, shown, chance), shown):
        form = FORMS[type(seen.choice)](fields, people=people, view=seen)
        if form.is_valid():
            moves = [encode_move(state.table, question.number, move) for move in form.moves]
            return Answer(question, token, fields, moves)
    raise AssertionError(f"The form as it is shown cannot be handed in: {form.errors}")


def _as_shown(bound: BoundField) -> str:
    """What a browser sends of a control that nobody has touched."""
    if isinstance(bound.field, BooleanField):
        return "on" if bound.value() else ""
    if bound.value() is None:
        return str(next(iter(getattr(bound.field, "choices", [("", "")])))[0])
    return str(bound.value())


def _at_random(form: MoveForm, shown: dict[str, str], chance: Random) -> dict[str, str]:
    """The same form with other choices."""
    filled = dict(shown)
    for name in shown:
        control = form.fields[name]
        choices = [key for key, _ in getattr(control, "choices", [])]
        if choices:
            filled[name] = chance.choice(choices)
        elif "max" in control.widget.attrs:
            allowed = control.widget.attrs
            step = int(allowed["step"])
            most = min(int(allowed["max"]), int(allowed["min"]) + 4 * step)
            filled[name] = str(chance.randrange(int(allowed["min"]), most + 1, step))
    return filled


class Browser:
    """Somebody's requests, each over a connection of its own."""

    def __init__(self, port: int, cookie: str, seconds: float = CLIENT_SECONDS) -> None:
        self.port = port
        self.csrf = secrets.token_hex(16)
        self.cookies = f"{cookie}; __Host-csrftoken={self.csrf}"
        self.seconds = seconds

    def post(self, answer: Answer) -> Request:
        """Hand the answer in; 302 only where it leads back to the table."""
        path = f"{answer.question.address}move/"
        body = urlencode(answer.fields | {"csrfmiddlewaretoken": self.csrf, "reviewed": "yes"})
        return self._ask("post", path, answer.question, body)

    def get(self, question: Question) -> Request:
        return self._ask("page", question.address, question, None)

    def _ask(self, what: str, path: str, question: Question, body: str | None) -> Request:
        began = time.monotonic()
        method = "GET" if body is None else "POST"
        status, is_busy = self._status(method, path, question.address, body)
        return Request(what, question.game, status, began, time.monotonic() - began, is_busy)

    def _status(self, method: str, path: str, table: str, body: str | None) -> tuple[int, bool]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=self.seconds)
        headers = proxied() | {"Cookie": self.cookies, "Origin": f"https://{HOST}"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
        except (OSError, HTTPException):
            return UNANSWERED, False
        finally:
            connection.close()
        elsewhere = answer.status == 302 and answer.headers["Location"] != table
        is_busy = answer.headers["Retry-After"] == str(TRY_AGAIN_AFTER["busy"])
        return 399 if elsewhere else answer.status, is_busy
