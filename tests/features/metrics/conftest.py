import pytest

from games.features.metrics.settings import add_to
from tests.features.metrics.scraping import TOKEN


@pytest.fixture
def switch_on(settings, monkeypatch):
    """Gives the site the settings that it has with a token."""

    def with_token(token: str) -> None:
        monkeypatch.setenv("METRICS_TOKEN", token)
        changed = {"MIDDLEWARE": list(settings.MIDDLEWARE)}
        add_to(changed)
        for name, value in changed.items():
            setattr(settings, name, value)

    return with_token


@pytest.fixture
def watched(switch_on):
    """The site has a token."""
    switch_on(TOKEN)
