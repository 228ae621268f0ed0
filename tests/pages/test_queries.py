"""How often a page asks the database: seldom, and as often for a long game as for a new one."""

from uuid import uuid4

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.engine.order_codec import encode_order
from games.engine.orders import HighestBribes
from games.engine.promises import Promise, SendNobody
from games.models import Draft, Order, OutboxEmail, PrivateMessage, User
from games.services.email import delivery
from games.services.lobby import tables
from games.services.operations import clock
from tests.support.client import as_shown, browser, move_form, person
from tests.support.promising import bribing_table, in_order, place_for
from tests.support.tables import (
    MONDAY,
    long_game,
    open_table,
    seat_of,
    seats_to_move,
    table_settings,
)
from tests.support.whispering import offers_privately, replies_privately

pytestmark = pytest.mark.django_db

MOST = 15
PAGES_OF_A_TABLE = ["", "board/", "orders/", "history/", "history/2/", "deadlines/"]


def queries(client, address):
    """How many queries a page needs, but the first of a day, which also notes the visit.

    In a process that remembers nothing of how the site stands.
    """
    assert client.get(address).status_code == 200
    caches["process"].clear()
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


@pytest.mark.full
def test_pages_need_as_few_queries_after_400_events_as_after_4():
    """For a player to move there, which also needs the orders they left."""
    new = open_table("Dora", "Emil", "Fanny", "Georg", "Hanna", edition="fx-schmid-1994")
    long = long_game("Anna", "Boris")
    assert new.events.count() <= 4
    assert long.events.count() > 400
    asked, anna = browser(seats_to_move(new)[0].user), browser(seat_of(long, "Anna").user)
    few = {page: queries(asked, f"{new.get_absolute_url()}{page}") for page in PAGES_OF_A_TABLE}
    many = {page: queries(anna, f"{long.get_absolute_url()}{page}") for page in PAGES_OF_A_TABLE}
    assert many == few
    assert max(few.values()) <= MOST


# In a process that remembers nothing yet, and in one that has shown a page before.
COLD_AND_WARM = {
    "/": (12, 11),
    "/rules/": (4, 3),
    "/rules/mayfair-2005/": (4, 3),
    "/status/": (14, 11),
    "/tables/": (6, 5),
    "{table}": (8, 7),
    "{table}board/": (6, 5),
    "{table}history/": (7, 6),
    "{table}history/2/": (7, 6),
    "{table}deadlines/": (8, 7),
    "{table}orders/": (6, 5),
}


@pytest.mark.full
def test_how_often_each_page_asks():
    game = open_table("Anna", "Boris", "Clara")
    anna = browser(seats_to_move(game)[0].user)
    anna.get(game.get_absolute_url())
    asked = {}
    for page in COLD_AND_WARM:
        address = page.format(table=game.get_absolute_url())
        cold = queries(anna, address)
        with CaptureQueriesContext(connection) as warm:
            anna.get(address)
        asked[page] = (cold, len(warm))
    assert asked == COLD_AND_WARM


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_how_often_a_move_asks():
    """Session, person, site; BEGIN, game, seats; events, move, email, seats, state; COMMIT."""
    game = open_table("Anna", "Boris", "Clara", "Dora")
    asked = []
    for _ in range(3):
        seat = seats_to_move(game)[0]
        mover = browser(seat.user)
        fields = as_shown(move_form(mover.get(game.get_absolute_url()).content.decode()))
        fields["reviewed"] = "yes"
        if not asked:
            caches["process"].clear()
        with CaptureQueriesContext(connection) as captured:
            assert mover.post(f"{game.get_absolute_url()}move/", fields).status_code == 302
        asked.append(len(captured))
        game.refresh_from_db()
    assert asked == [12, 12, 12]


def answered(game, **more):
    """How many queries the next move of a game takes: cold, from somebody with a draft of it."""
    mover = browser(seats_to_move(game)[0].user)
    fields = as_shown(move_form(mover.get(game.get_absolute_url()).content.decode())) | more
    mover.post(f"{game.get_absolute_url()}draft/", fields | {"about": "answer"})
    caches["process"].clear()
    with CaptureQueriesContext(connection) as captured:
        assert mover.post(f"{game.get_absolute_url()}move/", fields).status_code == 302
    game.refresh_from_db()
    return len(captured)


@pytest.mark.django_db(transaction=True)
def test_a_move_that_was_saved_as_a_draft_deletes_it_with_one_query():
    game = open_table("Anna", "Boris", "Clara")
    assert answered(game) == 13
    assert not Draft.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_move_where_orders_stand_reads_these_too():
    """Those of all in one query, however many; those that are done with go in another."""
    game = open_table("Anna", "Boris", "Clara")
    for seat in game.seats.all():
        leave_order(game, seat)
    mover = seats_to_move(game)[0]
    assert answered(game) == 15
    assert mover.orders.count() == 0
    assert Order.objects.count() == 2


def leave_order(game, seat):
    """Somebody orders what to do with applicants at their palace."""
    what = {
        "kind": Order.Kind.DECISION,
        "formula": encode_order(game.decoded().table, HighestBribes()),
    }
    Order.objects.create(seat=seat, made_at=MONDAY, **what)


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_a_move_where_people_promise_privately_asks_no_more():
    """Threads are read with the seats, and one in which nothing was settled isn't written."""
    game = bribing_table(press="private")
    _bribed, owner, third = in_order(game)
    for_long = Promise(owner, third, SendNobody(None, 4))
    replies_privately(game, third, offers_privately(game, owner, for_long))
    assert answered(game) == 13
    assert not PrivateMessage.objects.filter(deal__kind="PromiseJudged").exists()


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_a_move_that_settles_a_private_promise_also_writes_that():
    """A row of the thread, and the thread."""
    game = bribing_table(press="private")
    bribed, owner, _third = in_order(game)
    replies_privately(game, bribed, offers_privately(game, owner, place_for(game)))
    assert answered(game, reviewed="yes") == 15  # for less than was agreed
    assert PrivateMessage.objects.filter(deal__kind="PromiseJudged").exists()


# As a page asks, cold. Saving a row is BEGIN, a savepoint with three statements, COMMIT.
POSTS = {"draft/": 14, "notes/": 14, "review/": 7, "orders/": 23}


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_how_often_other_posts_ask():
    game = open_table("Anna", "Boris", "Clara")
    mover, other = (
        browser(game.seats.filter(deadline_at__isnull=waits)[0].user) for waits in (False, True)
    )
    page = game.get_absolute_url()
    move = as_shown(move_form(mover.get(page).content.decode()))
    other.get(page)
    posts = {
        "draft/": (mover, move | {"about": "answer"}),
        "notes/": (mover, {"notes-text": "Boris owes me 3000."}),
        "review/": (mover, move),
        "orders/": (other, {"about": "decision", "token": str(uuid4())}),
    }
    asked = {}
    for address, (player, fields) in posts.items():
        caches["process"].clear()
        with CaptureQueriesContext(connection) as captured:
            assert player.post(f"{page}{address}", fields).status_code in {200, 302}
        asked[address] = len(captured)
    assert asked == POSTS


@pytest.mark.django_db(transaction=True)
def test_a_refused_or_late_move_reads_the_game_once_more_than_its_page():
    """Session, person, site; BEGIN, game, seats, COMMIT; this very form? Then the page."""
    game = open_table("Anna", "Boris", "Clara")
    mover, page = browser(seats_to_move(game)[0].user), game.get_absolute_url()
    move = as_shown(move_form(mover.get(page).content.decode()))
    posts = {
        "refused": (move | {"send-scholar-1": "nobody"}, 422),
        "late": (move | {"phase_no": "0"}, 409),
    }
    asked = {}
    for name, (fields, status) in posts.items():
        caches["process"].clear()
        with CaptureQueriesContext(connection) as captured:
            assert mover.post(f"{page}move/", fields).status_code == status
        asked[name] = len(captured)
    assert asked == {"refused": 13, "late": 14}


@pytest.mark.django_db(transaction=True)
def test_a_default_of_the_clock_asks_no_more_than_a_move():
    """BEGIN, game, site, seats; miss, event, move, email, seats, state; COMMIT."""
    game = open_table("Anna", "Boris", "Clara")
    now = seats_to_move(game)[0].deadline_at
    with CaptureQueriesContext(connection) as captured:
        assert clock.help_out(now=now) == 1
    statements = [query["sql"] for query in captured]
    first = next(place for place, one in enumerate(statements) if "FOR NO KEY UPDATE" in one)
    last = next(place for place, one in enumerate(statements[first:], first) if one == "COMMIT")
    assert len(statements[first - 1 : last + 1]) == 11


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_one_more_email_costs_three_statements(smtp):
    """The seats of its game, what happened since the last move, and that it was sent."""
    asked = []
    for number in (1, 1, 2):
        for table in range(number):
            open_table(*(f"{name}{len(asked)}{table}" for name in ("Anna", "Boris", "Clara")))
        OutboxEmail.objects.exclude(kind="your_turn").delete()
        with CaptureQueriesContext(connection) as captured:
            assert delivery.drain(now=MONDAY) == number
        asked.append(len(captured))
    _first, one, two = asked
    assert two - one == 3


@pytest.mark.full
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
