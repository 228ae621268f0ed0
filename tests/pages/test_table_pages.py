"""The pages of a table: opening, joining, the decision, bad input, old pages, and secrets."""

import re
from datetime import timedelta
from itertools import groupby
from uuid import uuid4

import pytest
from django.utils import timezone

from games.models import Game, Move, User
from games.presentation.text.cities import city_table
from games.services.chat import messages
from games.services.game.replay import event_rows
from games.services.lobby import tables
from games.services.moderation.actions import timing
from games.services.people.display_names import seat_name
from tests.support.client import (
    as_shown,
    browser,
    forms_of,
    html_of,
    move_form,
    opening_form,
    person,
)
from tests.support.moderators import request_of_nora
from tests.support.tables import (
    DAY,
    MONDAY,
    alone,
    leave,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
)

pytestmark = pytest.mark.django_db


@pytest.mark.full
def test_the_log_says_that_a_computer_player_plays_only_where_the_name_of_the_seat_does_not():
    def log_of(game, name):
        page = browser(User.objects.get(name=name)).get(f"{game.get_absolute_url()}history/")
        return page.content.decode()

    game = alone()
    while not game.moves.filter(cause="house").exists():
        submit_move(game, seat_of(game, "Anna").user, MONDAY)
    mover = game.moves.filter(cause="house").latest("pk").seat
    assert f"{seat_name(mover)} sends" in log_of(game, "Anna")
    assert "(by the computer player)" not in log_of(game, "Anna")
    game = open_table("Boris", "Clara", "Dora", absent_player="random")
    leave(game, "Dora")
    while not game.moves.filter(cause="house").exists():
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    assert "(by the computer player)" in log_of(game, "Boris")


@pytest.mark.full
def test_the_page_says_below_the_decision_what_happened_last():
    game = open_table("Anna", "Boris", "Clara")
    [first] = seats_to_move(game)
    submit_move(game, first.user, MONDAY)
    [event] = event_rows(Game.objects.get())[-1:]
    for seat in game.seats.select_related("user"):
        reader = browser(seat.user)
        log = reader.get(f"{game.get_absolute_url()}history/").content.decode()
        told = re.search(rf'id="event-{event.seq}".*?<a [^>]*>\s*(.*?)</a>', log, re.DOTALL)[1]
        page = reader.get(game.get_absolute_url()).content.decode()
        assert f'<p class="latest">Latest: {told}</p>' in page


def test_one_click_opens_a_good_table():
    anna = browser(person("Anna"))
    form = forms_of(anna.get("/tables/new/").content.decode())[""]
    assert anna.post("/tables/new/", as_shown(form)).status_code == 302
    game = Game.objects.get()
    assert (game.name, game.edition, game.size, game.move_seconds, game.options) == (
        city_table(game.seed),
        "mayfair-2005",
        4,
        24 * 3600,
        {},
    )


def test_a_table_with_options_plays_by_them():
    anna = browser(person("Anna"))
    form = as_shown(forms_of(anna.get("/tables/new/").content.decode())[""])
    changed = {"edition": "russian", "refund_losers": "True", "broke": "debt", "rounds": "3"}
    anna.post("/tables/new/", form | changed | {"uncontested_min_bribe": "10000"})
    assert Game.objects.get().options == {
        "refund_losers": True,
        "broke": "debt",
        "rounds": 3,
        "uncontested_min_bribe": 10000,
    }


@pytest.mark.full
def test_a_bad_option_keeps_what_was_typed_and_says_what_is_right():
    anna = browser(person("Anna"))
    typed = {"name": "Rialto", "edition": "russian", "uncontested_min_bribe": "1500"}
    page = anna.post("/tables/new/", opening_form(anna) | typed)
    text = page.content.decode()
    assert "must be a multiple of 1,000." in text
    assert 'value="Rialto"' in text
    assert 'value="1500"' in text
    assert not Game.objects.exists()


@pytest.mark.full
def test_friends_join_by_the_link_and_the_last_one_starts_the_game():
    game = open_table("Anna", size=3)
    for name in ("Boris", "Clara"):
        friend = browser(person(name))
        assert "Take a seat" in friend.get(game.get_absolute_url()).content.decode()
        friend.post(f"{game.get_absolute_url()}join/")
    game.refresh_from_db()
    assert game.status == "running"


def test_a_double_click_on_join_takes_one_seat():
    game = open_table("Anna", size=3)
    boris = browser(person("Boris"))
    for _ in range(2):
        assert boris.post(f"{game.get_absolute_url()}join/").status_code == 302
    assert game.seats.count() == 2


def test_a_player_who_comes_too_late_reads_so():
    game = open_table("Anna", "Boris", "Clara")
    dora = browser(person("Dora"))
    page = dora.post(f"{game.get_absolute_url()}join/", follow=True).content.decode()
    assert "The game has started: there are no free seats left." in page
    assert game.seats.count() == 3


@pytest.mark.full
def test_the_host_who_leaves_hands_the_table_on_and_the_last_one_closes_it():
    game = open_table("Anna", "Boris", size=4)
    anna, boris = game.seats.order_by("pk")
    browser(anna.user).post(f"{game.get_absolute_url()}leave/", {"sure": "yes"})
    game.refresh_from_db()
    assert game.host == boris.user
    browser(boris.user).post(f"{game.get_absolute_url()}leave/", {"sure": "yes"})
    game.refresh_from_db()
    assert game.status == "cancelled"
    assert (
        "This table is closed" in browser(boris.user).get(game.get_absolute_url()).content.decode()
    )


@pytest.mark.full
def test_only_the_host_starts_with_computer_players():
    game = open_table("Anna", "Boris", size=4)
    start = f"{game.get_absolute_url()}start/"
    boris = browser(seat_of(game, "Boris").user)
    refused = boris.post(start, {"computer_player": "random"}, follow=True).content.decode()
    assert "Only the host can start the game." in refused
    browser(game.host).post(start, {"computer_player": "default"})
    game.refresh_from_db()
    assert game.status == "running"
    assert sorted(game.seats.values_list("computer_player", flat=True)) == [
        "",
        "",
        "default",
        "default",
    ]


def asked(game):
    """The browser of the first person to move, and their page."""
    seat = seats_to_move(game)[0]
    player = browser(seat.user)
    return player, player.get(game.get_absolute_url()).content.decode()


@pytest.mark.full
def test_bad_input_keeps_what_was_typed_and_says_what_would_be_right():
    game = until_bribing(open_table("Anna", "Boris", "Clara"))
    player, page = asked(game)
    form = move_form(page)
    [amount] = [name for name, field in form.items() if field.numbers]
    occupation = amount.removesuffix("-1").split("-")[-1]
    before = Move.objects.count()
    response = player.post(f"{game.get_absolute_url()}move/", as_shown(form) | {amount: "1500"})
    text = response.content.decode()
    assert response.status_code == 422
    rule = "must be a multiple of 1,000 and at least 1,000."
    assert f"The bribe for your {occupation} {rule}" in text
    assert move_form(text)[amount].value == "1500"
    for typed in ("", "all of it", "1e3", "99999999999999999999", "-1000"):
        page = player.post(f"{game.get_absolute_url()}move/", as_shown(form) | {amount: typed})
        assert page.status_code == 422
        assert move_form(page.content.decode())[amount].value == typed
    assert Move.objects.count() == before


@pytest.mark.full
def test_an_old_page_says_so_with_what_was_typed_and_shows_how_it_stands_now():
    game = until_bribing(open_table("Anna", "Boris", "Clara"))
    player, page = asked(game)
    form = move_form(page)
    [amount] = [name for name, field in form.items() if field.numbers]
    submit_move(game, seats_to_move(game)[0].user, MONDAY)
    before = Move.objects.count()
    late = player.post(f"{game.get_absolute_url()}move/", as_shown(form) | {amount: "4000"})
    assert late.status_code == 409
    text = late.content.decode()
    assert "The game has moved on since you opened this page" in text
    assert f"You entered: {amount.replace('-', ' ')}: Bribe: 4000" in text
    assert Move.objects.count() == before


def test_the_same_post_twice_is_one_move():
    game = open_table("Anna", "Boris", "Clara")
    player, page = asked(game)
    filled = as_shown(move_form(page))
    for _ in range(2):
        posted = player.post(f"{game.get_absolute_url()}move/", filled)
        assert (posted.status_code, posted["Location"]) == (302, game.get_absolute_url())
    assert Move.objects.count() == 1


def test_pages_are_kept_by_no_cache():
    game = open_table("Anna", "Boris", "Clara")
    page = browser(game.host).get(game.get_absolute_url())
    assert "no-store" in page["Cache-Control"]
    assert "ETag" not in page


@pytest.mark.full
def test_nobody_sees_the_cash_of_others_nor_what_is_sealed():
    game = open_table("Anna", "Boris", "Clara", "Dora", options={"bribing": "simultaneous"})
    while len(seats_to_move(game)) < 2:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    bribing, other = seats_to_move(game)[:2]
    player = browser(bribing.user)
    form = move_form(player.get(game.get_absolute_url()).content.decode())
    [amount] = [name for name, field in form.items() if field.numbers]
    player.post(f"{game.get_absolute_url()}move/", as_shown(form) | {amount: "13000"})
    game.refresh_from_db()
    assert [sealed.bribes[0][1] for sealed in game.decoded().sealed] == [13000]
    assert (
        "You submit sealed bribes: 13,000" in player.get(game.get_absolute_url()).content.decode()
    )
    stranger = browser(person("Zoe"))
    for reader in (browser(other.user), stranger):
        page = html_of(reader.get(game.get_absolute_url()))
        assert f"{bribing.user.name} submits sealed bribes." in page
        assert "13,000" not in page
        assert "13000" not in page
    assert "You have" not in stranger.get(game.get_absolute_url()).content.decode()


def test_the_record_is_kept_until_the_game_is_over():
    game = open_table("Anna", "Boris", "Clara")
    page = browser(game.host).get(f"{game.get_absolute_url()}record/", follow=True)
    assert "The record will be available once the game is over." in page.content.decode()


@pytest.mark.full
def test_a_game_page_needs_as_many_queries_after_many_events(django_assert_max_num_queries):
    game = open_table("Anna", size=4)
    tables.start_with_computer_players(
        game_id=game.pk, user=game.host, computer_player="random", now=MONDAY
    )
    player = browser(game.host)
    player.get(game.get_absolute_url())  # the first of a day also writes the session and the visit
    with django_assert_max_num_queries(15):
        player.get(game.get_absolute_url())
    for _ in range(15):
        game.refresh_from_db()
        submit_move(game, game.host, MONDAY)
    with django_assert_max_num_queries(15):
        player.get(game.get_absolute_url())


def until_bribing(game):
    """Default moves until exactly one person bribes for exactly one scholar."""
    while True:
        game.refresh_from_db()
        state = game.decoded()
        own = [scholar.owner for scholar in state.contenders]
        [seat] = seats_to_move(game)
        if state.stage.value.endswith("bribes") and own.count(seat.number) == 1:
            return game
        submit_move(game, seat.user, MONDAY)


def test_the_log_has_the_last_income_under_a_heading_of_its_own():
    game = open_table("Anna", "Boris", "Clara", options={"rounds": 1})
    anna = browser(seat_of(game, "Anna").user)
    while game.status == Game.Status.RUNNING:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    page = anna.get(f"{game.get_absolute_url()}history/").content.decode()
    headings = re.findall("<h3>(?:<[^>]*>)*([^<]*)", page)
    assert headings[-1] == "Final income"
    assert sum("Round 1" in heading for heading in headings) == 3


def test_a_line_of_the_log_shows_when_it_happened_on_the_readers_clock():
    game = open_table("Anna", "Boris", "Clara")
    anna = seat_of(game, "Anna").user
    anna.time_zone = "Europe/Vienna"
    anna.save()
    page = browser(anna).get(game.get_absolute_url()).content.decode()
    when = 'title="Mon 2 Mar, 10:00 (Europe/Vienna)">Mon 2 Mar, 10:00</time>'
    assert f'<time datetime="2026-03-02T09:00:00+00:00" {when}' in page


def test_the_log_shows_a_time_where_it_is_another_than_in_the_line_above():
    game = open_table("Anna", "Boris", "Clara")
    for place in range(4):
        submit_move(game, seats_to_move(game)[0].user, MONDAY + timedelta(minutes=place // 2))
        game.refresh_from_db()
    page = browser(seat_of(game, "Anna").user).get(f"{game.get_absolute_url()}history/")
    turns = page.content.decode().split('<section class="turn">')[1:]
    clocks = [re.findall("<time [^>]*>Mon 2 Mar, ([^<]*)", turn) for turn in turns]
    minutes = [row.at.strftime("%H:%M") for row in event_rows(game)]
    assert sorted({clock for turn in clocks for clock in turn}) == sorted(set(minutes))
    for told in clocks:
        assert told == [clock for clock, _same in groupby(told)]


@pytest.mark.full
def test_no_page_shows_a_time_more_exactly_than_to_the_minute():
    """Two moves at the very same instant would give away that the second was played by an order."""
    now = timezone.now().replace(second=35, microsecond=52428)
    game = open_table("Anna", "Boris", "Clara", now=now)
    anna = seat_of(game, "Anna").user
    messages.say(game_id=game.pk, user=anna, text="Hello", token=uuid4(), now=now)
    for _ in range(4):
        submit_move(game, seats_to_move(game)[0].user, now)
    game.refresh_from_db()
    timing.extend(request_of_nora(game), time=DAY)
    last = game.events.latest("seq").seq
    for reader in (anna, person("Zoe")):
        client = browser(reader)
        for path in ("", "history/", f"history/{last}/", "deadlines/"):
            page = client.get(f"{game.get_absolute_url()}{path}").content.decode()
            times = re.findall(r'(data-until|datetime)="([^"]*)"', page)
            assert times, path
            exact = [at for name, at in times if name == "datetime" and ":00+00:00" not in at]
            assert exact == [], path
            assert not re.search(r":\d\d\.\d", page), path
