"""One browser for each process of the tests, and the site that it visits."""

import pytest
from django.urls import clear_url_caches
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import installed_chromium
from tests.browser.working import wait_until_done


@pytest.fixture(scope="package")
def chromium():
    """The browser. Each person has a context of their own in it."""
    with installed_chromium() as browser, pytest.MonkeyPatch.context() as patch:
        # Playwright keeps an event loop in this thread, in which nothing of Django runs.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        yield browser


@pytest.fixture
def site(transactional_db, settings, tmp_path):
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
    server = LiveServer("127.0.0.1")
    yield server.url
    server.stop()
    wait_until_done()  # else a draft, saved as its page is left, would block the flush that follows
    clear_url_caches()
