"""How often a page asks the database: seldom, and as often for a long game as for a new one."""

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import User
from games.services.lobby import tables
from tests.support.client import as_shown, browser, move_form, person
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
PAGES_OF_A_TABLE = ["", "board/", "talk/", "orders/", "history/", "history/2/", "deadlines/"]


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


# In a process that remembers nothing yet, and in one that has shown a page before.
COLD_AND_WARM = {
    "/": (7, 6),
    "/rules/": (4, 3),
    "/rules/mayfair-2005/": (4, 3),
    "/status/": (11, 9),
    "/tables/": (6, 5),
    "{table}": (8, 7),
    "{table}board/": (6, 5),
    "{table}history/": (7, 6),
    "{table}history/2/": (7, 6),
    "{table}deadlines/": (7, 6),
    "{table}orders/": (6, 5),
    "{table}talk/": (7, 6),
}


def test_how_often_each_page_asks():
    game = open_table("Anna", "Boris", "Clara")
    anna = browser(awaited_seats(game)[0].user)
    anna.get(game.get_absolute_url())
    asked = {}
    for page in COLD_AND_WARM:
        address = page.format(table=game.get_absolute_url())
        cold = queries(anna, address)
        with CaptureQueriesContext(connection) as warm:
            anna.get(address)
        asked[page] = (cold, len(warm))
    assert asked == COLD_AND_WARM


@pytest.mark.django_db(transaction=True)
def test_how_often_a_move_asks():
    """Session, person, site; BEGIN, game, seats; events, move, email, seats, state; COMMIT."""
    game = open_table("Anna", "Boris", "Clara", "Dora")
    asked = []
    for _ in range(3):
        seat = awaited_seats(game)[0]
        mover = browser(seat.user)
        fields = as_shown(move_form(mover.get(game.get_absolute_url()).content.decode()))
        if not asked:
            caches["process"].clear()
        with CaptureQueriesContext(connection) as captured:
            assert mover.post(f"{game.get_absolute_url()}move/", fields).status_code == 302
        asked.append(len(captured))
        game.refresh_from_db()
    assert asked == [12, 12, 12]


@pytest.mark.parametrize("page", ["/", "/tables/", "/tables/new/", "/rules/"])
def test_a_page_about_many_tables_needs_no_more_queries_than_about_one(page):
    anna = browser(seat_of(open_table("Anna", "Boris", "Clara"), "Anna").user)
    make_tables(5)
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
