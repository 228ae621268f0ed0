"""How often a page asks the database: seldom, and as often for a long game as for a new one."""

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import User
from games.services.lobby import tables
from tests.support.client import browser, person
from tests.support.tables import (
    MONDAY,
    awaited_seats,
    long_game,
    open_table,
    seat_of,
    table_settings,
)

pytestmark = pytest.mark.django_db

MOST = 15
PAGES_OF_A_TABLE = ["", "talk/", "orders/", "history/", "history/2/", "deadlines/"]


def queries(client, address):
    """How many queries a page needs, but the first of a day, which also notes the visit.

    In a process that remembers nothing of how the site stands.
    """
    assert client.get(address).status_code == 200
    caches["process"].clear()
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


def test_pages_need_as_few_queries_after_400_events_as_after_4():
    """For who is asked there, which also needs the orders they left."""
    new = open_table("Dora", "Emil", "Fanny", "Georg", "Hanna", edition="fx-schmid-1994")
    long = long_game("Anna", "Boris")
    assert new.events.count() <= 4
    assert long.events.count() > 400
    asked, anna = browser(awaited_seats(new)[0].user), browser(seat_of(long, "Anna").user)
    few = {page: queries(asked, f"{new.get_absolute_url()}{page}") for page in PAGES_OF_A_TABLE}
    many = {page: queries(anna, f"{long.get_absolute_url()}{page}") for page in PAGES_OF_A_TABLE}
    assert many == few
    assert max(few.values()) <= MOST


@pytest.mark.parametrize("page", ["/", "/tables/", "/tables/new/", "/rules/"])
def test_a_page_about_many_tables_needs_no_more_queries_than_about_one(page):
    anna = browser(seat_of(open_table("Anna", "Boris", "Clara"), "Anna").user)
    few = queries(anna, page)
    for number in range(5):
        make_tables(number)
    assert "Table 4" in anna.get("/").content.decode()
    many = queries(anna, page)
    assert (many, few <= MOST) == (few, True)


def make_tables(number):
    """A game of Anna's, and an open table of somebody else's."""
    host = person(f"Host {number}")
    settings = table_settings(name=f"Table {number}", size=3)
    game = tables.open_table(host=host, settings=settings, now=MONDAY)
    for user in (User.objects.get(name="Anna"), person(f"Guest {number}")):
        tables.join(game_id=game.pk, user=user, now=MONDAY)
    tables.open_table(host=host, settings=table_settings(listed=True), now=MONDAY)
