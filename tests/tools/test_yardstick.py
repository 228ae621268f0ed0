"""The yardstick writes and reads what a posted move does: its statements are the product's."""

import re
from collections import Counter

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine.order_codec import encode_order
from games.engine.orders import HighestBribes
from games.models import Order
from tests.benchmarks.speed import yardstick
from tests.support.client import as_shown, browser, move_form
from tests.support.tables import MONDAY, open_table, seats_to_move

pytestmark = pytest.mark.django_db(transaction=True)
BARE = [value for name, value in vars(yardstick).items() if re.match("(LOCK|READ|WRITE)_", name)]
LEFT_EMPTY = {"claimed_at", "claimed_by", "sent_at"}
"""What the product writes as NULL, and the yardstick leaves out."""


@pytest.fixture
def posted(settings):
    """The statements of the transaction of a move that was posted where somebody left an order."""
    settings.PUSH_KEY = "one"
    game = open_table("Anna", "Boris", "Clara", "Dora")
    mover = seats_to_move(game)[0]
    client = browser(mover.user)
    fields = as_shown(move_form(client.get(game.get_absolute_url()).content.decode()))
    formula = encode_order(game.decoded().table, HighestBribes())
    other = game.seats.exclude(pk=mover.pk).last()
    Order.objects.create(seat=other, kind=Order.Kind.DECISION, formula=formula, made_at=MONDAY)
    with CaptureQueriesContext(connection) as captured:
        assert client.post(f"{game.get_absolute_url()}move/", fields).status_code == 302
    asked = [query["sql"] for query in captured]
    return asked[asked.index("BEGIN") + 1 : asked.index("COMMIT")]


def shape(statement):
    """What it does, and to which table: the first that it writes, or reads outside of brackets."""
    text = statement.replace('"', "")
    if found := re.search(r"\bINSERT INTO (games_\w+) .* DO UPDATE SET", text):
        return "UPDATE", found[1]
    for verb, words in (("UPDATE", "UPDATE"), ("INSERT", "INSERT INTO")):
        if found := re.search(rf"\b{words} (games_\w+)", text):
            return verb, found[1]
    while "(" in text:
        text = re.sub(r"\([^()]*\)", "", text)
    return "SELECT", re.search(r"\bFROM (games_\w+)", text)[1]


def tables(statement):
    return set(re.findall(r"\bgames_[a-z]+\b", statement))


def written(statement):
    """The columns of the first table that it writes."""
    text = statement.replace('"', "")
    if shape(statement)[0] == "INSERT":
        return set(re.split(r",\s*", re.search(r"INTO \w+\s*\(([^)]*)\)", text)[1]))
    changed = re.search(r"\bSET\b(.*?)(?:\bFROM\b|\bWHERE\b|$)", text, re.DOTALL)[1]
    return set(re.findall(r"(\w+) = ", changed))


def by_shape(statements):
    return {shape(one): one for one in statements}


def test_as_many_statements_on_the_same_tables(posted):
    assert len(posted) == len(BARE) == 8
    assert Counter(map(shape, posted)) == Counter(map(shape, BARE))


def test_the_yardstick_reads_no_table_that_the_product_does_not(posted):
    product, bare = by_shape(posted), by_shape(BARE)
    assert [one for one in bare if not tables(bare[one]) <= tables(product[one])] == []


def test_both_write_the_same_columns(posted):
    """Of rows that are changed, the product writes more: the yardstick is the least."""
    product, bare = by_shape(posted), by_shape(BARE)
    for what in bare:
        if what[0] == "INSERT":
            assert written(product[what]) - LEFT_EMPTY == written(bare[what])
            assert tables(product[what]) == tables(bare[what])
        elif what[0] == "UPDATE":
            assert written(product[what]) >= written(bare[what])
