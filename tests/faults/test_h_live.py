"""H: open pages catch up, whatever broke between a move and them: web, broker or live process."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from redis import Redis

from tests.faults.pages import Page
from tests.faults.site import PYTHON, Site, running_site
from tests.faults.web import ASKED, Browser, Question, fill_in
from tests.support.forwarder import Forwarder
from tests.support.patience import wait_until
from tests.support.servers import free_port

pytestmark = [pytest.mark.django_db, pytest.mark.counts, pytest.mark.full, pytest.mark.slow]

HANGS_SECONDS = 7
"""Longer than a web process waits for the broker, shorter than a live process does."""

KILLS = 4


class WithPages(Site):
    """Web and live process alone, what is between web and broker, and each player's open page."""

    way: Forwarder
    live_port: int
    pages: list[Page]

    def start_processes(self) -> None:
        self.way, self.live_port = Forwarder(("127.0.0.1", self.broker_port)), free_port()
        self.way.mend()
        broker = urlsplit(self.environment["CELERY_BROKER_URL"])
        own = {"CELERY_BROKER_URL": broker._replace(netloc=f"127.0.0.1:{self.way.port}").geturl()}
        web = f"gunicorn intrigue_site.wsgi --no-control-socket --bind 127.0.0.1:{self.web_port}"
        web += " --worker-class gthread --threads 4 --workers 2"
        self.keeper.add("web", [PYTHON, "-m", *web.split()], self.environment | own)
        self.add("live", f"uvicorn intrigue_site.live:application --port {self.live_port}")
        self.wait_for_pages()
        rows = self.database.rows(
            "SELECT g.token, s.user_id FROM games_seat s JOIN games_game g ON g.id = s.game_id"
        )
        self.pages = [Page(self.live_port, self.people[user], token) for token, user in rows]
        self.wait_for_streams()

    def wait_for_streams(self) -> None:
        wait_until(lambda: all(page.is_listening.is_set() for page in self.pages))

    def move(self) -> dict[str, float]:
        """One move at each table, sent until it is answered; when that began."""
        return {token: self.move_at(token) for token in {page.table for page in self.pages}}

    def move_at(self, token: str) -> float:
        row = self.database.rows(ASKED.format(more="g.token = %s"), token)[0]
        asked = Question(*row)
        answer = fill_in(asked, Random(asked.phase_no))
        browser = Browser(self.web_port, self.people[asked.user])
        began = time.monotonic()
        wait_until(lambda: browser.post(answer).status == 302)
        return began

    def wait_until_current(self, moved: dict[str, float]) -> None:
        """All pages have looked since."""
        wait_until(lambda: all(page.looked_at >= moved[page.table] for page in self.pages))

    def kill_web(self) -> None:
        """The master and its workers, at once."""
        web = self["web"]
        children = web.children()
        self.kill("web")
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

    def close(self) -> None:
        for page in getattr(self, "pages", []):
            page.close()
        if hasattr(self, "way"):
            self.way.cut()
        super().close()


@contextmanager
def cut_off(site: WithPages) -> Iterator[None]:
    """Web alone can't reach the broker."""
    site.way.cut()
    yield
    time.sleep(HANGS_SECONDS)
    site.way.mend()


@contextmanager
def paused(site: WithPages) -> Iterator[None]:
    """The broker takes what it is told, and answers nobody."""
    with Redis(port=site.broker_port) as broker:
        broker.execute_command("CLIENT", "PAUSE", HANGS_SECONDS * 1000, "ALL")
    yield


@contextmanager
def frozen(site: WithPages) -> Iterator[None]:
    site.keeper.freeze(site["valkey"])
    yield
    time.sleep(HANGS_SECONDS)
    site.keeper.thaw(site["valkey"])


@contextmanager
def broker_is_killed(site: WithPages) -> Iterator[None]:
    site.keeper.stop(site["valkey"], signal.SIGKILL)
    yield
    site.keeper.start(site["valkey"])


@contextmanager
def live_is_killed(site: WithPages) -> Iterator[None]:
    site.keeper.stop(site["live"], signal.SIGKILL)
    yield
    site.keeper.start(site["live"])


FAULTS: list[Any] = [cut_off, paused, frozen, broker_is_killed, live_is_killed]


@pytest.mark.long
def test_every_page_catches_up(prepared):
    with running_site(prepared, kind=WithPages, games=3, seconds=3600, size=3) as site:
        site.wait_until_current(site.move())
        for fault in FAULTS:
            with fault(site):
                moved = site.move()
            site.wait_until_current(moved)
            site.wait_for_streams()
        for _ in range(KILLS):
            moved = site.move()
            site.kill_web()
            site.wait_until_current(moved)
            site.wait_for_pages()
        site.way.cut()  # and as long as web is cut off
        site.wait_until_current(site.move())
