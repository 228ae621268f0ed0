"""Somebody who asks, and moderators who answer."""

import pytest

from games.models import Game, OutboxEmail, User
from tests.support.client import person
from tests.support.moderators import moderator
from tests.support.reporting import table_at_rest


@pytest.fixture
def game() -> Game:
    """A running game of Anna, Boris and Clara; the emails of its start are gone."""
    return table_at_rest()


@pytest.fixture
def anna() -> User:
    return User.objects.filter(name="Anna").first() or person("Anna")


@pytest.fixture
def marta() -> User:
    found = moderator("Marta")
    OutboxEmail.objects.all().delete()
    return found
