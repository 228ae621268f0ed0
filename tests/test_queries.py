"""How often a page asks the database: seldom, and as often for a long game as for a new one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tables import long_game, open_table, seat_of
from tests.web import browser

pytestmark = pytest.mark.django_db

MOST = 15
PAGES_OF_A_TABLE = ["", "talk/", "orders/", "history/", "history/2/"]


def queries(client, address):
    """How many queries a page needs, but the first of a day, which also notes the visit."""
    assert client.get(address).status_code == 200
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


@pytest.mark.parametrize("page", PAGES_OF_A_TABLE)
def test_a_page_needs_as_few_queries_after_400_events_as_after_4(page):
    new = open_table("Dora", "Emil", "Fanny", "Georg", "Hanna", edition="fx-schmid-1994")
    long = long_game("Anna", "Boris")
    assert new.events.count() <= 4
    assert long.events.count() > 400
    few = queries(browser(seat_of(new, "Dora").user), f"{new.get_absolute_url()}{page}")
    many = queries(browser(seat_of(long, "Anna").user), f"{long.get_absolute_url()}{page}")
    assert (many, few <= MOST) == (few, True)
