"""A table where somebody says what others report."""

import pytest

from games.models import Game, Message, User
from tests.support.moderators import moderator
from tests.support.reporting import say, table_at_rest


@pytest.fixture
def game() -> Game:
    return table_at_rest()


@pytest.fixture
def message(game) -> Message:
    return say(game, "Boris", "Anna is a thief.")


@pytest.fixture
def marta() -> User:
    return moderator("Marta")
