"""A game and its seats are saved column by column: only what changed since they were read."""

import pytest
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from games.models import Game, Order, Seat
from games.models.changes import save_changes_of
from games.services.sql import insert
from tests.support.tables import MONDAY, alone, open_table

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


def test_rows_that_changed_in_different_columns_are_saved_in_one_statement():
    """A column that changed in one of them keeps its value in the others."""
    game = open_table("Anna", "Boris", "Clara")
    first, second, third = rows = list(game.seats.order_by("number"))
    expected = [columns_of(one) for one in rows]
    for place, name, value in (
        (0, "missed", [True]),
        (1, "deadline_at", MONDAY),
        (1, "deadline_set_at", None),
    ):
        setattr(rows[place], name, value)
        expected[place][name] = value
    with CaptureQueriesContext(connection) as queries:
        save_changes_of(rows)
    assert len(queries) == 1
    assert [columns_of(one) for one in game.seats.order_by("number")] == expected
    assert all(one.changed_fields() == [] for one in (first, second, third))


def columns_of(row: Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_several_rows_are_inserted_in_one_statement():
    game = open_table("Anna", "Boris", "Clara")
    first, second, _third = game.seats.order_by("number")
    rows = [new_order(first, {"kind": "pay", "amount": 1000}), new_order(second, {})]
    rows[1].scholar = "it's 100 %s"
    with CaptureQueriesContext(connection) as queries:
        insert(rows)
    assert len(queries) == 1
    stored = Order.objects.order_by("pk")
    assert [columns_of(one) | {"id": None} for one in stored] == [columns_of(one) for one in rows]


def test_to_insert_nothing_takes_no_statement():
    with CaptureQueriesContext(connection) as queries:
        insert([])
    assert len(queries) == 0


def new_order(seat: Seat, formula: dict[str, object]) -> Order:
    return Order(seat=seat, kind=Order.Kind.DECISION, formula=formula, made_at=MONDAY)
