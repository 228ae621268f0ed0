"""Visitors of a site that runs in a machine of its own: they come through its proxy."""

import re
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from threading import Event, Semaphore
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from tests.support.client import as_shown, move_form
from tests.support.patience import wait_until

BY_THE_WAY = 30
"""So many pages are looked at while something is done to the site."""

BEGUN = 5
"""And so many first games are begun; one network may begin 60 a day."""


class Page(NamedTuple):
    status: int
    text: str
    leads_to: str


class Visitor:
    """Somebody's browser."""

    def __init__(self, host: str, connect: Callable[[], HTTPConnection]) -> None:
        self.host = host
        self.connect = connect
        self.cookies = SimpleCookie({"__Host-csrftoken": secrets.token_hex(16)})

    def get(self, path: str) -> Page:
        return self._ask("GET", path, None)

    def post(self, path: str, filled: dict[str, str]) -> Page:
        sent = filled | {"csrfmiddlewaretoken": self.cookies["__Host-csrftoken"].value}
        return self._ask("POST", path, urlencode(sent))

    def _ask(self, method: str, path: str, body: str | None) -> Page:
        connection = self.connect()
        headers = {
            "Origin": f"https://{self.host}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": "; ".join(f"{kept.key}={kept.value}" for kept in self.cookies.values()),
        }
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            for cookie in response.headers.get_all("Set-Cookie", []):
                self.cookies.load(cookie)
            leads_to = urlsplit(response.headers.get("Location", "")).path
            return Page(response.status, response.read().decode(), leads_to)
        finally:
            connection.close()


def begins_a_game(visitor: Visitor) -> str:
    """Begin a first game without an account; the address of its table."""
    begun = visitor.post("/first-game/", {})
    assert begun.status == 302, begun
    return begun.leads_to


def moves(visitor: Visitor, table: str) -> None:
    """Hand in the form of a decision as it is; first decline what keeps it from being asked."""
    page = visitor.get(table)
    assert page.status == 200, page
    form = move_form(page.text)
    if form is None:
        offer = re.search(r'action="([^"]+/decline/)"', page.text)
        assert offer is not None, page.text
        assert visitor.post(offer[1], {}).status == 302
        form = move_form(visitor.get(table).text)
        assert form is not None
    moved = visitor.post(f"{table}move/", as_shown(form) | {"reviewed": "yes"})
    assert moved.status == 302, moved


class Stream:
    """A context: two people look at a page all the time, others begin games and move."""

    def __init__(self, arrive: Callable[[], Visitor]) -> None:
        self.arrive = arrive
        self.looks = 0
        self.tables: list[str] = []
        """Where somebody has begun a game and has moved."""
        self.failed: list[str] = []
        self._to_begin = Semaphore(0)
        self._end = Event()

    def __enter__(self) -> "Stream":
        self._pool = ThreadPoolExecutor(3)
        work = (self._look, self._look, self._play)
        self._work = [self._pool.submit(part) for part in work]
        return self

    def __exit__(self, *_error: object) -> None:
        self._end.set()
        self._pool.shutdown()

    def during(self, change: Callable[[], object]) -> None:
        """Let them look and play before, while and after something is done to the site."""
        begun, looks = len(self.tables), self.looks
        self._to_begin.release(BEGUN)
        self._wait_until(lambda: len(self.tables) > begun and self.looks > looks)
        change()
        looks = self.looks
        self._wait_until(
            lambda: len(self.tables) == begun + BEGUN and self.looks >= looks + BY_THE_WAY
        )

    def _wait_until(self, happened: Callable[[], bool]) -> None:
        wait_until(lambda: self.failed or any(part.done() for part in self._work) or happened())
        assert self.failed == []
        for part in self._work:
            if part.done():
                part.result()

    def _look(self) -> None:
        visitor = self.arrive()
        while not self._end.is_set():
            with self._noted():
                page = visitor.get("/rules/")
                assert page.status == 200, page
                self.looks += 1

    def _play(self) -> None:
        while not self._end.is_set():
            if not self._to_begin.acquire(timeout=0.1):
                continue
            visitor = self.arrive()
            with self._noted():
                table = begins_a_game(visitor)
                moves(visitor, table)
                self.tables.append(table)

    @contextmanager
    def _noted(self) -> Iterator[None]:
        """Whatever fails here stops nobody, but is a failure of the site."""
        try:
            yield
        except (AssertionError, OSError, HTTPException) as failure:
            self.failed.append(repr(failure))
