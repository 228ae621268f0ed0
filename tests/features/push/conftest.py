"""A key for notifications, and a push service that takes them."""

import pytest

from games.features.push import keys
from tests.support.push_service import trusted_push_service


@pytest.fixture(autouse=True)
def key(settings):
    settings.PUSH_KEY = keys.new_key()
    keys.own_key.cache_clear()
    yield
    keys.own_key.cache_clear()


@pytest.fixture
def service(tmp_path, settings, monkeypatch):
    with trusted_push_service(tmp_path, settings, monkeypatch) as server:
        yield server
