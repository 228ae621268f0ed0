"""A running game for moderators to act on."""

import pytest
from django.utils import timezone

from games.models import Game
from tests.support.tables import open_table


@pytest.fixture
def game() -> Game:
    """Four people, the first of whom is asked now, with a day for an answer."""
    return open_table("Anna", "Boris", "Clara", "Dora", now=timezone.now())
