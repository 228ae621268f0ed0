"""A game and its seats are saved column by column: only what changed since they were read."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game
from tests.support.tables import alone

pytestmark = pytest.mark.django_db


def updates_of(game: Game) -> list[str]:
    """The statements of `save_changes`."""
    with CaptureQueriesContext(connection) as queries:
        game.save_changes()
    return [query["sql"] for query in queries.captured_queries]


def test_what_others_changed_meanwhile_is_left_alone():
    game = alone()
    Game.objects.filter(pk=game.pk).update(name="The new name")
    game.attempts = 3
    game.save_changes()
    game.refresh_from_db()
    assert (game.name, game.attempts) == ("The new name", 3)


def test_nothing_is_written_where_nothing_changed_or_all_is_saved():
    game = Game.objects.get(pk=alone().pk)
    assert updates_of(game) == []
    game.attempts = 3
    game.save(update_fields=["attempts"])
    assert updates_of(game) == []


def test_what_was_read_again_counts_as_read():
    game = alone()
    Game.objects.filter(pk=game.pk).update(attempts=3)
    game.refresh_from_db()
    game.attempts = 0  # as it was when the row was first read
    game.save_changes()
    assert Game.objects.get(pk=game.pk).attempts == 0


def test_a_column_that_was_not_read_is_written_once_it_is_set():
    game = Game.objects.defer("error", "state").get(pk=alone().pk)
    game.error = "broken"
    (update,) = updates_of(game)
    assert '"error" = ' in update
    assert '"state"' not in update
