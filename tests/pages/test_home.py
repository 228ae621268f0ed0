"""The home page and the list of tables: what is needed, what is unread, where help is wanted."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Game
from games.presentation.log.story import event_text
from games.presentation.text.words import People
from games.services.accounts.queries.own_games import LATEST_SHOWN
from games.services.chat import messages
from games.services.game import seats
from games.services.game.queries.log import read_event
from games.services.lobby import tables
from games.services.people.display_names import seat_name, seat_names
from tests.support.client import as_shown, browser, move_form, person, text_of
from tests.support.promising import bribing_table, in_order, offers, place_for, sitter
from tests.support.tables import (
    DAY,
    MONDAY,
    long_game,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
    table_settings,
)
from tests.support.whispering import offers_privately

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def test_the_deadline_is_shown_on_the_readers_own_clock():
    game = open_table("Anna", "Boris", "Clara")
    asked = seats_to_move(game)[0].user
    asked.time_zone = "Asia/Tokyo"
    asked.save()
    page = browser(asked).get("/").content.decode()
    assert "Tue 3 Mar, 18:00 (Asia/Tokyo)</time>" in page
    assert "<title>(1) My games</title>" in page


@pytest.mark.full
def test_unread_messages_are_counted_until_the_table_is_visited():
    game = open_table("Anna", "Boris", "Clara")
    anna, boris = seat_of(game, "Anna").user, browser(seat_of(game, "Boris").user)
    for text in ("Good morning.", "Who begins?"):
        messages.say(game_id=game.pk, user=anna, text=text, token=uuid4(), now=MONDAY)
    assert "2 unread chat messages" in boris.get("/").content.decode()
    boris.get(game.get_absolute_url())
    assert "unread" not in boris.get("/").content.decode()


def test_a_parked_game_waits_for_nobody():
    game = open_table("Anna", "Boris", "Clara")
    asked = seats_to_move(game)[0].user
    Game.objects.filter(pk=game.pk).update(parked_at=MONDAY, deadline_at=None)
    assert "Your turn" not in browser(asked).get("/").content.decode()


@pytest.mark.full
def test_my_games_come_by_the_nearest_deadline_with_ones_decision_or_who_is_to_move():
    first = open_table("Anna", "Boris", "Clara", name="First")
    anna = seat_of(first, "Anna").user
    slow = table_with(anna, "Slow", now=MONDAY + 2 * DAY)
    fast = table_with(anna, "Fast", now=MONDAY + DAY)
    for game in (first, slow, fast):
        until_asked(game, anna)
    waits = table_with(anna, "Others")
    while seats_to_move(waits)[0].user == anna:
        submit_move(waits, anna, MONDAY)
    with time_machine.travel(MONDAY, tick=False):
        text = text_of(browser(anna).get("/"))
    assert "Your turn (3) First" in text
    assert text.index("First") < text.index("Fast") < text.index("Slow") < text.index("Others")
    asked = (
        r"(Choose where to send|Bribe \w+ for your|Choose (the area|areas) for|Choose who to hire) "
    )
    assert re.search(rf"First {asked}.+? by Tue 3 Mar, 09:00 \(UTC\) 1 day left", text)
    other = seats_to_move(waits)[0].user.name
    assert f"Other players' turn (1) Others To move: {other} by Tue 3 Mar, 09:00" in text


@pytest.mark.full
def test_a_running_game_shows_its_round_opponents_board_and_what_somebody_did_last():
    game = long_game("Anna", "Boris")
    anna = seat_of(game, "Anna")
    page = browser(anna.user).get("/")
    text, state = text_of(page), game.decoded()
    others = [seat for seat in game.seats.select_related("user") if seat != anna]
    names = " , ".join(seat_name(seat) for seat in others)
    assert f"Round {state.round} of {state.table.edition.rounds} · {names}" in text
    last = game.events.filter(kind__in=LATEST_SHOWN).last()
    people = People(state.table, seat_names(game.seats.order_by("number")))
    people = people._replace(reader=anna.drawn_number)
    assert event_text(people, read_event(last, anna.drawn_number)) in text
    cells = [
        re.findall(r"<i(?: class=\"(\w+)\")?>", palace)
        for palace in page.content.decode().split('class="small-board"')[1].split("<small>")[:-1]
    ]
    colours = state.table.players
    assert cells == [
        ["" if holds is None else colours[holds.owner] for holds in palace]
        for palace in state.palaces
    ]
    assert any(any(palace) for palace in cells)


def test_a_last_event_that_cannot_be_read_leaves_its_line_out():
    game = open_table("Anna", "Boris", "Clara")
    asked = seats_to_move(game)[0].user
    submit_move(game, asked, MONDAY)
    client = browser(asked)
    assert 'class="last"' in client.get("/").content.decode()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_event DISABLE TRIGGER USER")
        cursor.execute("UPDATE games_event SET payload = '{}' WHERE kind = ANY(%s)", [LATEST_SHOWN])
    page = client.get("/")
    assert page.status_code == 200
    assert game.name in text_of(page)
    assert 'class="last"' not in page.content.decode()


def table_with(user, name, now=MONDAY):
    """A running table of this person and two others."""
    settings = table_settings(size=3, name=name)
    game = tables.open_table(host=user, settings=settings, now=now)
    for other in (f"{name} B", f"{name} C"):
        tables.join(game_id=game.pk, user=person(other.replace(" ", "")), now=now)
    game.refresh_from_db()
    return game


def until_asked(game, user):
    """Others move until this person is to send."""
    while (seat := seats_to_move(game)[0]).user != user:
        submit_move(game, seat.user, game.started_at)


@pytest.mark.full
def test_a_finished_game_shows_how_it_ended_for_the_reader():
    game = open_table("Anna", "Boris", "Clara", options={"rounds": 1})
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    cash = game.decoded().cash
    for seat in game.seats.all():
        text = text_of(browser(seat.user).get("/"))
        place = 1 + sum(money > cash[seat.number] for money in cash)
        first = "You share the victory" if cash.count(max(cash)) > 1 else "You won"
        results = [first, "You finished second of 3", "You finished third of 3"]
        assert f"The Venice table {results[place - 1]}" in text


@pytest.mark.full
def test_the_page_after_a_move_leads_to_the_next_game_and_so_does_every_page():
    first = open_table("Anna", "Boris", "Clara", name="First")
    anna = seat_of(first, "Anna").user
    until_asked(first, anna)
    second = table_with(anna, "Second", now=MONDAY + DAY)
    until_asked(second, anna)
    client = browser(anna)
    while seats_to_move(first)[0].user == anna:
        form = as_shown(move_form(client.get(first.get_absolute_url()).content.decode()))
        sent = form | {"reviewed": "yes"}
        page = client.post(f"{first.get_absolute_url()}move/", sent, follow=True)
    text = text_of(page)
    waited = " and ".join(seat.user.name for seat in seats_to_move(first))
    assert re.search(rf"Your move is in: [^.]+\. Next to move: {waited}\.", text)
    assert "Next game: Second (your turn)" in text
    assert f'class="next" href="{second.get_absolute_url()}"' in page.content.decode()
    there = client.get(second.get_absolute_url()).content.decode()
    assert 'class="next"' not in there
    assert "My games (1" in text_of(client.get("/accounts/profile/"))


@pytest.mark.full
def test_my_games_need_as_many_queries_for_thirty_games_as_for_one():
    game = open_table("Anna", "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    client = browser(anna)
    client.get("/")
    few = queries(client)
    people = [seat_of(game, name).user for name in ("Boris", "Clara")]
    for number in range(29):
        day = MONDAY + number * DAY  # twenty tables are the most in one
        more = tables.open_table(
            host=anna, settings=table_settings(size=3, name=f"Table {number}"), now=day
        )
        for friend in people:
            tables.join(game_id=more.pk, user=friend, now=day)
    assert queries(client) == few <= 15


def queries(client):
    with CaptureQueriesContext(connection) as captured:
        assert client.get("/").status_code == 200
    return len(captured)


@pytest.mark.full
def test_a_listed_game_with_an_absent_seat_asks_strangers_for_help():
    game = open_table("Anna", "Boris", "Clara", listed=True)
    private = open_table("Dora", "Emil", "Fanny", name="The Rialto table")
    for table, name in ((game, "Clara"), (private, "Fanny")):
        seats.step_aside(game_id=table.pk, user=seat_of(table, name).user, now=MONDAY)
    page = browser(person("Zoe")).get("/tables/").content.decode()
    assert "Substitutes wanted" in page
    assert game.get_absolute_url() in page
    assert private.get_absolute_url() not in page
    leaver = browser(seat_of(game, "Clara").user).get("/tables/").content.decode()
    assert "Substitutes wanted" not in leaver


def test_pages_respond_to_head():
    assert browser(person("Anna")).head("/").status_code == 200


def test_what_is_needed_comes_first_by_the_nearest_deadline():
    anna = person("Anna", time_zone="Europe/Vienna")
    for name, hours in (("Later", 48), ("Sooner", 24)):
        a_game_that_waits_for(anna, name, hours * HOUR)
    waiting = tables.open_table(host=anna, settings=table_settings(name="Unstarted"), now=MONDAY)
    page = text_of(browser(anna).get("/"))
    words = [
        "Your turn (2)",
        "Sooner ",
        "by Tue 3 Mar, 10:00 (Europe/Vienna)",
        "Later ",
        "by Wed 4 Mar, 10:00 (Europe/Vienna)",
        "Waiting for players (1)",
        "Unstarted Seated: Anna (host) 1 of 4 seats taken",
    ]
    places = [page.index(word) for word in words]
    assert places == sorted(places)
    assert waiting.status == "waiting"


def a_game_that_waits_for(user, name, move_time):
    settings = table_settings(name=name, move_time=move_time)
    game = tables.open_table(host=user, settings=settings, now=MONDAY)
    tables.start_with_computer_players(
        game_id=game.pk, user=user, computer_player="default", now=MONDAY
    )
    assert [seat.user for seat in seats_to_move(game)] == [user]


def test_games_of_others_and_closed_tables_are_not_on_it():
    open_table("Boris", "Clara", "Dora", name="Lido")
    closed = open_table("Anna", size=3, name="Burano")
    tables.cancel(game_id=closed.pk, user=closed.host, now=MONDAY)
    page = text_of(browser(closed.host).get("/"))
    assert "You aren't at a table yet." in page
    assert "Lido" not in page
    assert "Burano" not in page


@pytest.mark.full
def test_running_and_finished_games_stand_below():
    game = open_table("Anna", "Boris", "Clara", name="Lido", options={"rounds": 2})
    [seat] = seats_to_move(game)
    other = game.seats.exclude(pk=seat.pk).first().user
    assert "Other players' turn (1) Lido" in text_of(browser(other).get("/"))
    while seats_to_move(game):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    assert "Finished (1) Lido" in text_of(browser(other).get("/"))


def test_it_needs_as_many_queries_for_many_games(django_assert_max_num_queries):
    anna = person("Anna")
    for _ in range(3):
        tables.open_table(host=anna, settings=table_settings(), now=MONDAY)
    reader = browser(anna)
    reader.get("/")  # the first visit of a day is noted
    caches["process"].clear()
    with django_assert_max_num_queries(15):
        reader.get("/")


@pytest.mark.full
def test_offers_and_the_negotiation_time_wait_for_whom_they_concern_and_for_nobody_else():
    game = bribing_table(press="private", talk_seconds=12 * 3600)
    first, second, third = in_order(game)
    offers(game, first, place_for(game))
    offers_privately(game, first, place_for(game, least=5000))
    said = {seat: text_of(browser(sitter(game, seat)).get("/")) for seat in (first, second, third)}
    assert "Negotiation time (1)" in said[first]
    assert "offer" not in said[first]
    assert "Negotiation time (1)" in said[second]
    assert "2 offers for you" in said[second]
    assert "Other players' turn (1)" in said[third]
    assert "offer for you" not in said[third]
    seats.say_ready(game_id=game.pk, user=sitter(game, second), ready=True, now=MONDAY)
    page = text_of(browser(sitter(game, second)).get("/"))
    assert "Other players' turn (1)" in page
    assert "2 offers for you" in page
