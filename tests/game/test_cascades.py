"""Long rows of moves that play themselves: at most so many in a transaction, the rest at once."""

import pytest

from games.engine.orders import PayMinimum
from games.models import Game, Move, Order, OutboxEmail
from games.services.game import orders, writer
from games.services.lobby import tables
from games.services.operations import clock
from tests.game.test_orders import second_briber, two_bribe, until
from tests.support.races import assert_whole
from tests.support.tables import MONDAY, open_table, seats_to_move, submit_move, tick

pytestmark = pytest.mark.counts

LIMIT = 3
"""Fifty moves in a row are not reached in a game (45 are the most that were ever seen)."""


def alone_against_the_house() -> Game:
    """Its computer players wait for nobody's reply."""
    game = open_table("Anna", size=5)
    tables.start_with_computer_players(
        game_id=game.pk, user=game.host, computer_player="random", now=MONDAY
    )
    game.refresh_from_db()
    return game


@pytest.mark.full
@pytest.mark.django_db(transaction=True)
def test_the_rest_of_a_long_row_is_played_at_once(monkeypatch):
    game = alone_against_the_house()
    monkeypatch.setattr(writer, "MOST_STEPS", LIMIT)
    for _ in range(6):
        before = Move.objects.count()
        [asked] = seats_to_move(game)
        submit_move(game, asked.user, MONDAY)
        game.refresh_from_db()
        if Move.objects.count() - before > 2 * LIMIT:
            break
    else:
        raise AssertionError("No row was so long.")
    [asked] = seats_to_move(game)
    assert asked.user == game.host
    assert asked.to_move_phase == game.phase_no
    assert game.deadline_at == asked.deadline_at > MONDAY
    assert_whole(game)


@pytest.mark.django_db
def test_the_clock_plays_the_rest_where_the_process_died_after_the_cut(monkeypatch):
    """What follows a commit does not happen in this test: the game is due, and nobody is asked."""
    game = alone_against_the_house()
    monkeypatch.setattr(writer, "MOST_STEPS", LIMIT)
    OutboxEmail.objects.all().delete()
    while game.deadline_at != MONDAY:
        [asked] = seats_to_move(game)
        submit_move(game, asked.user, MONDAY)
        game.refresh_from_db()
    assert [seat.to_move_phase for seat in seats_to_move(game)] == [0]
    OutboxEmail.objects.all().delete()
    tick(MONDAY)
    clock.sweep(now=MONDAY)
    game.refresh_from_db()
    [asked] = seats_to_move(game)
    assert (asked.user, asked.to_move_phase) == (game.host, game.phase_no)
    [mail] = OutboxEmail.objects.filter(kind="your_turn")
    assert (mail.person, mail.phase_no) == (game.host, game.phase_no)
    assert not Move.objects.filter(cause="clock").exists()
    assert_whole(game)


@pytest.fixture
def cut_before_an_order(monkeypatch):
    """A game whose row was cut just before a standing order, and the seat that left it."""
    game = open_table("Anna", "Boris", "Clara", "Dora")
    seat, scholar = second_briber(game, until(game, two_bribe))
    orders.leave_order(
        game_id=game.pk,
        user=seat.user,
        scholar=scholar,
        order=PayMinimum(),
        wait_if_addressed=False,
        now=MONDAY,
    )
    with monkeypatch.context() as patch:
        patch.setattr(writer, "MOST_STEPS", 0)
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
    game.refresh_from_db()
    assert game.deadline_at == MONDAY
    tick(MONDAY)
    return game, seat


@pytest.mark.full
@pytest.mark.django_db
def test_an_order_just_after_the_cut_is_played_and_nobody_is_asked(cut_before_an_order):
    game, seat = cut_before_an_order
    clock.sweep(now=MONDAY)
    played = Move.objects.get(seat=seat, move__type="bribe", phase_no=game.phase_no)
    assert (played.cause, played.by_order) == ("player", True)
    assert not OutboxEmail.objects.filter(person=seat.user, phase_no=game.phase_no).exists()


@pytest.mark.full
@pytest.mark.django_db
def test_an_order_withdrawn_at_the_cut_asks_and_plays_no_default(cut_before_an_order):
    game, seat = cut_before_an_order
    Order.objects.all().delete()
    clock.sweep(now=MONDAY)
    [asked] = seats_to_move(game)
    assert asked == seat
    assert asked.to_move_phase == game.phase_no
    assert asked.deadline_at > MONDAY
    assert not Move.objects.filter(seat=seat, phase_no=game.phase_no).exists()
