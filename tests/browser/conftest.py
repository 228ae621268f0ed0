"""One browser for each process of the tests, and the site that it visits."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from a2wsgi import WSGIMiddleware
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.urls import clear_url_caches
from playwright.sync_api import sync_playwright

from games.features.live import app
from games.features.live.app import Live
from games.features.live.channel import PATH
from tests.browser.chromium import installed_chromium
from tests.browser.working import counted, wait_until_done
from tests.support.live import served, woken


@pytest.fixture(scope="package")
def driver():
    """Playwright."""
    with sync_playwright() as driver, pytest.MonkeyPatch.context() as patch:
        # It keeps an event loop in this thread, in which nothing of Django runs.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield driver


@pytest.fixture(scope="package")
def chromium(driver):
    """The browser. Each person has a context of their own in it."""
    with installed_chromium(driver) as browser:
        yield browser


@pytest.fixture
def site(transactional_db, settings, tmp_path, monkeypatch, streams):
    """The address of the site, with the pages of the demo and the gallery, its mail in files."""
    settings.DEMO = True
    settings.VAR_DIR = tmp_path
    backend = "django.core.mail.backends.filebased.EmailBackend"
    settings.MAILERS = {
        "default": {"BACKEND": backend, "OPTIONS": {"file_path": str(tmp_path / "mail")}}
    }
    settings.ROOT_URLCONF = "tests.browser.urls"
    clear_url_caches()
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    with served(on_one_port(streams)) as port:
        yield f"http://127.0.0.1:{port}"
        # Else a draft, saved as its page is left, would block the flush that follows, and a thread
        # would have nobody to tell what it answers.
        wait_until_done(port)
    clear_url_caches()


@pytest.fixture
def has_live():
    """Whether a live process serves the site; what tests write wakes it only with `woken_pages`."""
    return True


@pytest.fixture
def streams(has_live, request, monkeypatch):
    """The live process of the site. What nobody woke it for, it finds with `woken_pages` alone."""
    if "woken_pages" not in request.fixturenames:
        monkeypatch.setattr(app, "BETWEEN_LOOKS", timedelta(days=1).total_seconds())
    return Streams() if has_live else None


@pytest.fixture
def woken_pages(transactional_db):
    with woken():
        yield


class Streams:
    """A live process of which the tests know how many pages listen, and what is between.

    While it `is_held_back`, a proxy passes nothing on to the pages.
    """

    def __init__(self) -> None:
        self.live = Live()
        self.is_held_back = False
        self.asked = 0
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def open(self) -> int:
        """How many pages listen."""
        return len(self.live.hub.streams)

    def drop(self) -> None:
        """Break all connections."""
        for task in list(self._tasks):
            task.get_loop().call_soon_threadsafe(task.cancel)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)

        async def pass_on(message: Any) -> None:
            if not self.is_held_back:
                await send(message)

        try:
            await self.live(scope, receive, pass_on)
        finally:
            self._tasks.discard(task)


def on_one_port(streams):
    """The site as the demo serves it, with its files, and with the live process or without."""
    pages = counted(WSGIMiddleware(StaticFilesHandler(get_wsgi_application()), workers=8))
    nothing = Live()

    async def application(scope, receive, send):
        if scope["type"] == "lifespan":
            await (streams.live if streams else nothing)(scope, receive, send)
        elif streams and scope["path"] == PATH:
            await streams(scope, receive, send)
        else:
            await pages(scope, receive, send)

    return application
