"""One browser for each process of the tests, and the site that it visits."""

import pytest
from a2wsgi import WSGIMiddleware
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.urls import clear_url_caches

from games.live.app import Live
from games.live.channel import PATH
from tests.browser.chromium import installed_chromium
from tests.browser.working import wait_until_done
from tests.support.live import served, woken


@pytest.fixture(scope="package")
def chromium():
    """The browser. Each person has a context of their own in it."""
    with installed_chromium() as browser, pytest.MonkeyPatch.context() as patch:
        # Playwright keeps an event loop in this thread, in which nothing of Django runs.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield browser


@pytest.fixture
def site(transactional_db, settings, tmp_path, monkeypatch, has_live):
    """The address of the site, with the pages of the demo and the gallery, its mail in files."""
    settings.DEMO = True
    settings.VAR_DIR = tmp_path
    backend = "django.core.mail.backends.filebased.EmailBackend"
    settings.MAILERS = {
        "default": {"BACKEND": backend, "OPTIONS": {"file_path": str(tmp_path / "mail")}}
    }
    settings.ROOT_URLCONF = "tests.browser.urls"
    settings.MIDDLEWARE = ["tests.browser.working.middleware", *settings.MIDDLEWARE]
    clear_url_caches()
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    with served(on_one_port(has_live)) as port:
        yield f"http://127.0.0.1:{port}"
    wait_until_done()  # else a draft, saved as its page is left, would block the flush that follows
    clear_url_caches()


@pytest.fixture
def has_live():
    """Whether a live process serves the site; what tests write wakes it only with `woken_pages`."""
    return True


@pytest.fixture
def woken_pages(transactional_db):
    with woken():
        yield


def on_one_port(has_live):
    """The site as the demo serves it, with its files, and with the live process or without."""
    pages = WSGIMiddleware(StaticFilesHandler(get_wsgi_application()), workers=8)
    live = Live()

    async def application(scope, receive, send):
        if scope["type"] == "lifespan" or (has_live and scope["path"] == PATH):
            await live(scope, receive, send)
        else:
            await pages(scope, receive, send)

    return application
