"""Misses, absent seats, coming back, substitutes and days off (docs/play-over-days.md)."""

from datetime import date, timedelta
from itertools import product

import pytest
import time_machine

from games.models import Event, Game, Move, Order, OutboxEmail, Seat
from games.services.accounts.account import delete_account
from games.services.game import seats
from games.services.game.absence import record_miss, record_move
from games.services.lobby import tables
from games.services.operations import clock
from games.services.refused import Refused
from tests.support.client import browser, html_of, person, text_of
from tests.support.tables import (
    DAY,
    MONDAY,
    open_table,
    seat_of,
    seats_to_move,
    submit_move,
    table_settings,
    tick,
)

pytestmark = pytest.mark.django_db


def miss_until_absent(game, name):
    """Everybody answers but this one, until the seat is absent; the instant."""
    now = MONDAY
    while seat_of(game, name).absent_since is None:
        game.refresh_from_db()
        assert game.status == Game.Status.RUNNING
        willing = [seat for seat in seats_to_move(game) if seat.user.name != name]
        if willing:
            submit_move(game, willing[0].user, now)
        else:
            now = game.deadline_at
            tick(now)
            clock.sweep(now=now)
    return now


def kinds(game, *wanted):
    return list(Event.objects.filter(game=game, kind__in=wanted).values_list("kind", "cause"))


@pytest.mark.parametrize(
    ("questions", "absent"),
    [
        ("miss", False),
        ("miss miss", True),
        ("miss answer miss", False),
        ("miss answer miss answer miss", True),
        ("miss answer answer answer miss answer answer miss", True),
        ("miss answer answer answer miss answer answer answer miss", False),
    ],
)
def test_two_misses_in_a_row_or_three_of_eight_make_a_seat_absent(questions, absent):
    seat = seat_of(open_table("Anna", "Boris", "Clara"), "Anna")
    now = MONDAY
    absences = []
    for question in questions.split():
        now += DAY
        if question == "miss":
            absences.append(record_miss(seat, now))
        else:
            record_move(seat)
    assert absences == [False] * (len(absences) - 1) + [absent]


def test_a_shortened_answering_time_let_pass_is_no_miss():
    seat = seat_of(open_table("Anna", "Boris", "Clara"), "Anna")
    seat.full_time = False
    assert not record_miss(seat, MONDAY)
    assert seat.missed == []


def test_at_most_one_miss_a_seat_in_24_hours():
    seat = seat_of(open_table("Anna", "Boris", "Clara"), "Anna")
    for hours in (0, 5, 23):
        assert not record_miss(seat, MONDAY + timedelta(hours=hours))
    assert seat.missed == [True]
    assert record_miss(seat, MONDAY + timedelta(hours=24))


@pytest.mark.full
def test_nobody_waits_for_an_absent_seat_and_it_is_told_by_mail_and_log():
    game = open_table("Anna", "Boris", "Clara")
    miss_until_absent(game, "Clara")
    clara = seat_of(game, "Clara")
    assert kinds(game, "SeatAbsent") == [("SeatAbsent", "clock")]
    assert OutboxEmail.objects.filter(kind="marked_absent", person=clara.user).count() == 1
    before = Move.objects.filter(seat=clara).count()
    while game.status == Game.Status.RUNNING:
        assert all(seat.user.name != "Clara" for seat in seats_to_move(game))
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    after = Move.objects.filter(seat=clara).order_by("pk")[before:]
    assert {(move.cause, move.user) for move in after} <= {("clock", None), ("rules", None)}
    assert after


def test_people_who_have_played_with_the_table_are_asked_to_take_the_seat_over():
    game = open_table("Anna", "Boris", "Clara")
    dora, emil, _ = person("Dora"), person("Emil"), person("Zoe")
    other = tables.open_table(host=dora, settings=table_settings(size=3), now=MONDAY)
    for user in (emil, seat_of(game, "Anna").user):
        tables.join(game_id=other.pk, user=user, now=MONDAY)
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Clara").user, now=MONDAY)
    wanted = OutboxEmail.objects.filter(kind="substitute_wanted")
    assert {mail.person.name for mail in wanted} == {"Dora", "Emil"}


@pytest.mark.full
def test_the_tables_computer_player_plays_for_an_absent_seat():
    game = open_table("Anna", "Boris", "Clara", absent_player="random")
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Clara").user, now=MONDAY)
    for _ in range(10):
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    played = Move.objects.filter(seat__user__name="Clara").values_list("cause", flat=True)
    assert set(played) == {"house"}


@pytest.mark.full
def test_the_player_comes_back_with_one_click_until_a_substitute_sits():
    game = open_table("Anna", "Boris", "Clara")
    clara = seat_of(game, "Clara").user
    page = browser(clara)
    page.post(f"{game.get_absolute_url()}step-aside/")
    assert "You've been marked absent" in page.get(game.get_absolute_url()).content.decode()
    page.post(f"{game.get_absolute_url()}come-back/")
    assert seat_of(game, "Clara").absent_since is None
    assert kinds(game, "SeatAbsent", "SeatReturned") == [
        ("SeatAbsent", "player"),
        ("SeatReturned", "player"),
    ]


def test_seats_played_at_once_are_the_same_for_python_and_the_database():
    game = open_table("Anna", "Boris", "Clara")
    anna = seat_of(game, "Anna")
    players = {"user": anna.user}, {"computer_player": "courtier"}, {}
    for player, absent, reply in product(players, (None, MONDAY), (None, MONDAY)):
        times = {"absent_since": absent, "reply_until": reply}
        kind = {"user": None, "computer_player": ""} | player | times
        game.seats.filter(pk=anna.pk).update(**kind)
        waits = {seat.pk for seat in game.seats.all() if not seat.is_played_at_once()}
        assert waits == {seat.pk for seat in game.seats.not_played_at_once()}, kind


@pytest.mark.full
def test_nobody_reads_a_deadline_for_a_seat_that_nobody_waits_for():
    game = open_table("Anna", "Boris", "Clara")
    [asked] = seats_to_move(game)
    # The rest of a long row, which the clock goes on with.
    Seat.objects.filter(pk=asked.pk).update(absent_since=MONDAY, deadline_at=MONDAY)
    Game.objects.filter(pk=game.pk).update(deadline_at=MONDAY)
    for seat in game.seats.select_related("user"):
        page = browser(seat.user).get(game.get_absolute_url())
        text = text_of(page)
        assert "Nobody needs to move; the game will continue automatically in a moment." in text
        assert "time is up" not in page.content.decode().partition("data-over")[0]
        assert "by then, the default move is played" not in text
        assert "/review/" not in page.content.decode()


@pytest.mark.full
def test_a_substitute_takes_the_seat_over_and_the_leaver_sees_what_a_spectator_sees():
    game = open_table("Anna", "Boris", "Clara")
    clara, dora = seat_of(game, "Clara").user, person("Dora")
    answer_of_clara(game, clara)
    seats.step_aside(game_id=game.pk, user=clara, now=MONDAY)
    page = browser(dora).get(game.get_absolute_url()).content.decode()
    number = game.seats.get(user=clara).number
    assert f"/take-over/{number}/" in page
    browser(dora).post(f"{game.get_absolute_url()}take-over/{number}/")
    assert game.seats.get(number=number).user == dora
    assert ">You have</th>" in browser(dora).get(game.get_absolute_url()).content.decode()
    leaver = html_of(browser(clara).get(game.get_absolute_url()))
    assert "You have" not in leaver
    colour = game.seats.get(number=number).colour
    assert f"Dora takes over {colour} as a substitute." in leaver
    told = text_of(browser(dora).get(f"{game.get_absolute_url()}history/"))
    assert f"You take over {colour} as a substitute." in told
    assert "by the substitute" not in leaver + told
    log = html_of(browser(clara).get(f"{game.get_absolute_url()}history/"))
    assert "Clara sends" in log
    seats.step_aside(game_id=game.pk, user=dora, now=MONDAY)
    with pytest.raises(Refused, match="You have, or used to have, a seat at this table"):
        seats.take_over(game_id=game.pk, number=number, user=clara, now=MONDAY)


def answer_of_clara(game, clara):
    """Everybody answers until Clara has sent her first scholars."""
    while not Move.objects.filter(seat__user=clara, move__type="send").exists():
        submit_move(game, seats_to_move(game)[0].user, MONDAY)


@pytest.mark.full
def test_what_a_substitute_plays_is_told_as_theirs():
    game = open_table("Anna", "Boris", "Clara")
    clara, dora = seat_of(game, "Clara"), person("Dora")
    seats.step_aside(game_id=game.pk, user=clara.user, now=MONDAY)
    seats.take_over(game_id=game.pk, number=clara.number, user=dora, now=MONDAY)
    while not Move.objects.filter(user=dora).exists():
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    assert Move.objects.filter(user=dora).first().cause == "substitute"


@pytest.mark.full
def test_an_orphaned_seat_goes_on_and_wants_a_substitute():
    game = open_table("Anna", "Boris", "Clara")
    clara = seat_of(game, "Clara")
    clara.user.delete()
    while game.status == Game.Status.RUNNING:
        waiting = [seat for seat in seats_to_move(game) if seat.user is not None]
        if waiting:
            submit_move(game, waiting[0].user, MONDAY)
        else:
            clock.sweep(now=game.deadline_at)
        game.refresh_from_db()
    assert game.status == Game.Status.FINISHED


def test_a_leavers_orders_are_void():
    game = open_table("Anna", "Boris", "Clara")
    clara = seat_of(game, "Clara")
    Order.objects.create(seat=clara, kind="sending", formula={}, made_at=MONDAY)
    seats.step_aside(game_id=game.pk, user=clara.user, now=MONDAY)
    assert not Order.objects.exists()


def test_days_off_come_out_of_the_budget_and_are_refused_beyond_it():
    game = open_table("Anna", "Boris", "Clara", days_off=3)
    anna = seat_of(game, "Anna").user
    seats.announce_days_off(
        game_id=game.pk,
        user=anna,
        first_day=date(2026, 3, 9),
        last_day=date(2026, 3, 10),
        now=MONDAY,
    )
    assert seat_of(game, "Anna").days_off_left == 1
    with pytest.raises(Refused, match="You have 1 day off left, but this would use 2"):
        seats.announce_days_off(
            game_id=game.pk,
            user=anna,
            first_day=date(2026, 3, 16),
            last_day=date(2026, 3, 17),
            now=MONDAY,
        )


def test_days_off_count_for_what_is_asked_afterwards_only():
    game = open_table("Anna", "Boris", "Clara")
    [asked] = seats_to_move(game)
    tuesday = {"first_day": date(2026, 3, 3), "last_day": date(2026, 3, 3)}
    seats.announce_days_off(game_id=game.pk, user=asked.user, now=MONDAY, **tuesday)
    assert seat_of(game, asked.user.name).deadline_at == MONDAY + DAY
    while [seat.pk for seat in seats_to_move(game)] != [asked.pk] or game.phase_no == 1:
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    assert seat_of(game, asked.user.name).deadline_at == MONDAY + 2 * DAY


@pytest.mark.full
def test_days_off_that_may_be_in_use_are_not_taken_back():
    game = open_table("Anna", "Boris", "Clara")
    [asked] = seats_to_move(game)
    days = {"first_day": date(2026, 3, 9), "last_day": date(2026, 3, 10)}
    seats.announce_days_off(game_id=game.pk, user=asked.user, now=MONDAY, **days)
    announced = asked.days_off.get()
    page = browser(asked.user)
    with time_machine.travel(MONDAY, tick=False):
        refused = page.post(
            f"{game.get_absolute_url()}days-off/{announced.pk}/withdraw/", follow=True
        )
    assert "It's your turn: move first, then cancel your days off." in text_of(refused)
    assert seat_of(game, asked.user.name).days_off_left == 5
    other = game.seats.exclude(pk=asked.pk).first()
    seats.announce_days_off(game_id=game.pk, user=other.user, now=MONDAY, **days)
    seats.withdraw_days_off(
        game_id=game.pk, user=other.user, days_off_id=other.days_off.get().pk, now=MONDAY
    )
    assert seat_of(game, other.user.name).days_off_left == 7


def test_a_substitute_is_asked_with_full_time_and_a_mail():
    game = open_table("Anna", "Boris", "Clara")
    clara, dora = seat_of(game, "Clara"), person("Dora")
    seats.step_aside(game_id=game.pk, user=clara.user, now=MONDAY)
    seats.take_over(game_id=game.pk, number=clara.number, user=dora, now=MONDAY)
    now = MONDAY
    while not game.seats.get(number=clara.number).deadline_at:
        now += timedelta(minutes=5)
        submit_move(game, seats_to_move(game)[0].user, now)
    assert OutboxEmail.objects.filter(kind="your_turn", person=dora).exists()


def test_who_deletes_the_account_while_awaited_is_waited_for_no_more():
    game = open_table("Anna", "Boris", "Clara")
    [asked] = seats_to_move(game)
    delete_account(asked.user, MONDAY)
    assert all(seat.number != asked.number for seat in seats_to_move(game))
    assert kinds(game, "SeatAbsent") == [("SeatAbsent", "player")]
    game.refresh_from_db()
    assert game.moves.filter(seat=asked).exists()
