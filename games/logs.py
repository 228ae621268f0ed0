"""The log: a line for each event with the id of its request, and nothing that is secret.

The line is text for people, or JSON for machines, which also get a line for each request. Neither
what a form sent nor a cookie appears in it, whatever an exception says; links that open something
are shortened, email addresses are masked, and local variables are never shown. That the database or
the broker is away is logged in one line, once a minute.
"""

import copy
import json
import logging
import re
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from traceback import TracebackException
from typing import Final, NamedTuple, Self

import psycopg
from django import db
from django.http import HttpRequest
from kombu.exceptions import OperationalError as BrokerFails
from redis import exceptions as redis

LONGEST: Final = 2000
"""How many characters one message may take."""

SHORTEST_SECRET: Final = 4
"""Shorter words of a form are too common to be taken out of every sentence."""

_TOKEN: Final = re.compile(
    r"(/(?:tables|private|invitations|unsubscribe|choices|calendar|conduct)/[\w:.~-]{4})"
    r"[\w:.~=-]{6,}",
    re.ASCII,
)
# From the beginning of a word only: tried at each letter, a long one would take its square.
_ADDRESS: Final = re.compile(r"(?<![\w.+-])([\w.+-])[\w.+-]*@(?=[\w-]+\.)")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# PostgreSQL quotes rows and statements in the lines after the first. In a repr, they follow "\n".
_ROWS: Final = re.compile(r"(?:\n|\\n)(?:DETAIL|CONTEXT|HINT|LINE \d+):.*", re.DOTALL)


class Work(NamedTuple):
    """What is being done: a request, or a task with its id."""

    id: str
    request: HttpRequest | None = None


NOTHING: Final = Work("-")
current: ContextVar[Work] = ContextVar("current", default=NOTHING)

ID_IN_META: Final = "intrigue.request_id"


def id_of(request: HttpRequest) -> str:
    """The id of a request; "-" where it came past the middleware that gives it one."""
    return str(request.META.get(ID_IN_META, NOTHING.id))


BETWEEN_LINES: Final = 60.0
"""After so many seconds it is logged again that the database or the broker is away."""

CONNECTION_LOST: Final = ("08", "57P", "53300")
"""How the codes begin with which PostgreSQL ends a connection, or refuses one."""

UNAVAILABLE: Final = 503

AWAY: Final = (redis.ConnectionError, redis.TimeoutError, redis.OutOfMemoryError, BrokerFails)
"""What the broker raises or causes where it can't be reached, or is full."""


class OnceAMinute(logging.Filter):
    """Lets one line a minute through of those that the database or the broker is away.

    For each of the two, and for each process: whoever logs it, in whatever words, and without a
    traceback. Which of them it is, an exception tells that is logged or stands in the message. Of
    what a record itself names in `once_a_minute`, it lets one through, too. A page that is
    answered 503 has said why before: Django's own line about it is dropped.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool | logging.LogRecord:
        if about := getattr(record, "once_a_minute", ""):
            return self._is_news(about)
        found = what_is_away(_failure_in(record), by_context=record.name == "celery.beat")
        if found is None:
            has_said_why = getattr(record, "status_code", None) == UNAVAILABLE
            return record.name != "django.request" or not has_said_why
        if not self._is_news(found.what):
            return False
        line = copy.copy(record)
        line.exc_info = line.exc_text = None
        why = " ".join(str(found.failure).split()) or type(found.failure).__name__
        line.msg, line.args = "The %s is away: %s", (found.what, why)
        return line

    def _is_news(self, about: str) -> bool:
        with self._lock:
            now = time.monotonic()
            if now - self._said.get(about, -BETWEEN_LINES) < BETWEEN_LINES:
                return False
            self._said[about] = now
        return True


class Away(NamedTuple):
    """ "database" or "broker", and what was raised because it is away."""

    what: str
    failure: BaseException


def what_is_away(failure: BaseException | None, *, by_context: bool = False) -> Away | None:
    """Which of the two is why something failed; None for another reason.

    What fails while trouble is handled has a reason of its own, unless `by_context` says that it
    was only raised to say the same in other words.
    """
    while failure is not None:
        if isinstance(failure, AWAY):
            return Away("broker", failure)
        follows_from = failure.__cause__ or (failure.__context__ if by_context else None)
        if isinstance(failure, psycopg.OperationalError | psycopg.InterfaceError):
            code = failure.sqlstate
            is_away = code is None or code.startswith(CONNECTION_LOST)
            return Away("database", failure) if is_away else None
        if isinstance(failure, db.OperationalError | db.InterfaceError) and not follows_from:
            return Away("database", failure)
        failure = follows_from
    return None


def _failure_in(record: logging.LogRecord) -> BaseException | None:
    """What was raised, as far as the record has it."""
    if record.exc_info and record.exc_info[1] is not None:
        return record.exc_info[1]
    arguments = record.args if isinstance(record.args, tuple) else ()
    return next((one for one in arguments if isinstance(one, BaseException)), None)


class Entry(NamedTuple):
    """What is to be read of a record; `request` may be the id of a task, too."""

    time: str
    level: str
    logger: str
    request: str
    message: str
    traceback: str

    @classmethod
    def of(cls, record: logging.LogRecord) -> Self:
        work = work_of(record)
        secrets = secrets_of(work.request)
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        text = cleaned(record.getMessage(), secrets)
        # What was refused is no fault of the site: a line is enough, however often it comes.
        refused = getattr(record, "status_code", 500) < 500
        failure = record.exc_info[1] if record.exc_info else None
        trace = ""
        if failure is not None and not refused:
            trace = "".join(_text(TracebackException.from_exception(failure), secrets)).rstrip()
        return cls(at, record.levelname, record.name, work.id, text, trace)


class Line(logging.Formatter):
    """Time, level, logger, request id, message; and the traceback of what broke."""

    def format(self, record: logging.LogRecord) -> str:
        entry = Entry.of(record)
        # Nothing from outside can look like a line of its own.
        text = entry.message.replace("\n", "\n  ")
        line = f"{entry.time} {entry.level} {entry.logger} [{entry.request}] {text}"
        return f"{line}\n{entry.traceback}" if entry.traceback else line


class JsonLine(logging.Formatter):
    """The same as one line of JSON; that of a request also has what it came to, value by value."""

    def format(self, record: logging.LogRecord) -> str:
        said = {key: value for key, value in Entry.of(record)._asdict().items() if value}
        return json.dumps(said | getattr(record, "answered", {}))


_requests: Final = logging.getLogger("games.requests")


def answered(view: str, method: str, status: int, seconds: float) -> None:
    """Log what a request came to, where that is wanted: without a word of its sender's."""
    if _requests.isEnabledFor(logging.INFO):
        came_to = {
            "view": view,
            "method": method,
            "status": status,
            "milliseconds": round(seconds * 1000, 1),
        }
        _requests.info("%s %s %s", method, view, status, extra={"answered": came_to})


def work_of(record: logging.LogRecord) -> Work:
    """What was being done when this was logged."""
    # Django logs some responses after the middleware has ended; then the record has the request
    if isinstance(request := getattr(record, "request", None), HttpRequest):
        return Work(id_of(request), request)
    return current.get()


def secrets_of(request: HttpRequest | None) -> list[str]:
    """What the browser sent that nobody is to read here; the longest first."""
    if request is None:
        return []
    sent = set(request.COOKIES.values())
    # Only what has been parsed: to ask for POST would read the body, which may be what failed.
    for _name, values in vars(request).get("_post", {}).lists() if "_post" in vars(request) else ():
        sent.update(values)
    # The page to go on to is an address of ours.
    secret = {text for text in sent if len(text) >= SHORTEST_SECRET and not text.startswith("/")}
    return sorted(secret, key=len, reverse=True)


def cleaned(text: str, secrets: list[str]) -> str:
    """The text without these words, links that open something, addresses and rows."""
    text = _ROWS.sub("", text)
    for secret in secrets:
        text = text.replace(secret, "[…]")
    text = _ADDRESS.sub(r"\1…@", _TOKEN.sub(r"\1…", text))
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}…"
    # Nothing from outside can command a terminal.
    return _CONTROL.sub("?", text)


def _text(failure: TracebackException, secrets: list[str]) -> Iterator[str]:
    """The traceback with its causes: the code as it stands, the words of exceptions cleaned."""
    if failure.__cause__ is not None:
        yield from _text(failure.__cause__, secrets)
        yield "Caused:\n"
    elif failure.__context__ is not None and not failure.__suppress_context__:
        yield from _text(failure.__context__, secrets)
        yield "While this was handled:\n"
    yield "Traceback (most recent call last):\n"
    yield from failure.stack.format()
    last = "".join(failure.format_exception_only()).rstrip()
    yield cleaned(last, secrets).replace("\n", "\n  ") + "\n"
