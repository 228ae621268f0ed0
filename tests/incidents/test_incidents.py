"""What broke deadlines at other servers of slow games, each as a test of this one.

What another file tests already is not tested here again:

| incident                                  | tests                                              |
| ----------------------------------------- | -------------------------------------------------- |
| a phase resolved twice, emails doubled     | test_races, all; test_clock                        |
|                                           | test_two_sweeps_play_a_default_once; test_outbox   |
|                                           | test_the_same_mail_is_written_once                 |
| a finished game kept a live deadline      | test_clock                                         |
|                                           | test_the_clock_plays_a_game_to_its_end_when_...    |
| an exception in one game stopped others   | test_clock test_a_game_that_cannot_be_advanced_... |
| false warnings                            | test_clock test_nobody_is_reminded_of_what_was_... |
|                                           | test_outbox test_a_reminder_of_an_older_...        |
| a double tap on join took two seats       | test_lobby_races                                   |
|                                           | test_one_person_clicks_eight_times_on_join         |
| two migrations at once                    | test_backup test_two_migrations_at_once_are_...    |
| tables that were never trimmed            | test_trim, all                                     |
| the clock stopped and nobody noticed      | test_health test_the_cron_stopped_and_...          |
|                                           | test_doctor test_a_clock_that_never_ticked_or_...  |
| the clock change broke deadlines          | test_deadlines test_a_full_answering_time[clocks]  |
| draw and resolution 125 ms apart          | test_incidents_at_once                             |
|                                           | test_the_table_agrees_to_end_the_game_while_...    |
| bounces switched all mail off             | test_incidents_at_once                             |
|                                           | test_a_dead_address_is_tried_once_and_never_again  |
| one mistake, 120 alarms                   | test_incidents_at_once                             |
|                                           | test_120_games_that_fail_for_one_reason_are_...    |
| a failed mail was marked sent             | test_outbox test_a_mail_that_cannot_be_sent_is_... |
"""

from datetime import date, timedelta

import pytest

from games.engine import default_move
from games.engine.orders import PayAmount
from games.models import DaysOff, Game, Move, Order, OutboxEmail, Seat
from games.services.accounts.account import delete_account
from games.services.game import orders, seats
from games.services.lobby import tables
from games.services.operations import clock
from intrigue_site.celery import app as celery_app
from tests.game.test_orders import second_briber, two_bribe, until
from tests.operations.test_processes import CELERY
from tests.support.client import person
from tests.support.hosted import running
from tests.support.patience import wait_until
from tests.support.races import assert_whole, at_once
from tests.support.tables import DAY, MONDAY, open_table, seat_of, seats_to_move, submit_move, tick

transactional = pytest.mark.django_db(transaction=True)


def swept(now):
    """A clock that ticks at this instant."""
    return lambda: clock.sweep(now=now)


def answered(game, user, phase_no):
    """Hand in the default, chosen before anybody else moves."""
    move = default_move(Game.objects.get(pk=game.pk).decoded(), game.seats.get(user=user).number)
    return lambda: submit_move(Game.objects.get(pk=game.pk), user, MONDAY, move, phase_no=phase_no)


class TestDeletedDuringTheResolution:
    """An order was deleted while its phase was resolved: the whole phase was rolled back."""

    @pytest.mark.sample(1)
    @transactional
    @pytest.mark.parametrize("attempt", range(3))
    def test_an_order_is_withdrawn_while_it_is_executed(self, attempt):
        game = open_table("Anna", "Boris", "Clara", "Dora")
        seat, scholar = second_briber(game, until(game, two_bribe))
        left = {"scholar": scholar, "order": PayAmount(4000), "wait_if_addressed": False}
        orders.leave_order(game_id=game.pk, user=seat.user, now=MONDAY, **left)
        order, first = Order.objects.get(), seats_to_move(game)[0]
        at_once(
            lambda: orders.withdraw_order(game_id=game.pk, user=seat.user, order_id=order.pk),
            answered(game, first.user, game.phase_no),
        )
        assert Move.objects.filter(seat=first, phase_no=game.phase_no).count() == 1
        assert not Order.objects.exists()
        assert_whole(game)

    @pytest.mark.sample(1)
    @transactional
    @pytest.mark.parametrize("attempt", range(3))
    def test_days_off_are_taken_back_while_the_default_is_played(self, attempt):
        game = open_table("Anna", "Boris", "Clara")
        [late] = seats_to_move(game)
        other = game.seats.exclude(pk=late.pk).first()
        days = {"first_day": date(2026, 3, 9), "last_day": date(2026, 3, 10)}
        seats.announce_days_off(game_id=game.pk, user=other.user, now=MONDAY, **days)
        announced = DaysOff.objects.get()
        tick(MONDAY + DAY)
        at_once(
            lambda: seats.withdraw_days_off(
                game_id=game.pk, user=other.user, days_off_id=announced.pk, now=MONDAY
            ),
            swept(MONDAY + DAY),
        )
        clock.sweep(now=MONDAY + DAY)  # a clock passes over a game that is just being changed
        assert list(game.moves.values_list("seat", "cause")) == [(late.pk, "clock")]
        assert not DaysOff.objects.exists()
        assert seat_of(game, other.user.name).days_off_left == 7
        assert_whole(game)


@pytest.mark.full
@pytest.mark.counts
@transactional
@pytest.mark.parametrize("attempt", range(3))
def test_a_game_ends_once_though_the_last_answer_and_its_deadline_come_together(attempt):
    """Two ends at once: a game ended and went on."""
    answers = play_on(drawn_alike("Dora", "Emil", "Fanny"))
    game = drawn_alike("Anna", "Boris", "Clara")
    play_on(game, answers - 1)
    [last] = seats_to_move(game)
    deadline = game.deadline_at
    tick(deadline)
    handed_in = answered(game, last.user, game.phase_no)
    at_once(handed_in, handed_in, swept(deadline), swept(deadline))
    game.refresh_from_db()
    assert (game.status, game.deadline_at) == (Game.Status.FINISHED, None)
    assert game.events.filter(kind="GameEnded").count() == 1
    assert OutboxEmail.objects.filter(kind="game_over", game=game).count() == 3
    assert_nothing_is_due(game)
    assert_whole(game)


def drawn_alike(*names) -> Game:
    """A game of two rounds, always with the same first player, so that it goes as the others do."""
    game = open_table(*names[:2], size=3, options={"rounds": 2})
    Game.objects.filter(pk=game.pk).update(seed=2026)
    tables.join(game_id=game.pk, user=person(names[2]), now=MONDAY)
    game.refresh_from_db()
    return game


def play_on(game, most=1000) -> int:
    """Default moves, at most so many; how many the game took."""
    for played in range(most):
        if game.status != Game.Status.RUNNING:
            return played
        submit_move(game, seats_to_move(game)[0].user, MONDAY)
        game.refresh_from_db()
    return most


def assert_nothing_is_due(game):
    """However late it is, neither the clock nor a reminder finds this game."""
    later = MONDAY + 1000 * DAY
    assert not Game.objects.due(later).filter(pk=game.pk).exists()
    assert not Seat.objects.reminder_due(later).filter(game=game).exists()
    assert not game.seats.exclude(deadline_at=None).exists()


@pytest.mark.full
@transactional
def test_stale_messages_in_the_queue_hold_up_no_game(process_environment, smtp, tmp_path):
    """A stale queued job held up a game for five hours."""
    game = open_table("Anna", "Boris", "Clara")
    celery_app.send_task("games.tasks.advance", args=[game.pk, 1])  # of an older version
    for _ in range(20):
        celery_app.send_task("games.tasks.sweep", expires=MONDAY)
    celery_app.send_task("games.tasks.sweep")
    worker = [*CELERY, "worker", "--concurrency", "1", "--without-gossip", "--without-mingle"]
    with running(worker, process_environment, tmp_path / "worker.log"):
        wait_until(game.moves.exists)
        celery_app.send_task("games.tasks.mail")
        wait_until(lambda: OutboxEmail.objects.filter(kind="default_played", status="sent"))
    assert game.moves.count() == 1


@pytest.mark.full
@pytest.mark.django_db
@pytest.mark.parametrize("bribing", ["sequential", "simultaneous"])
def test_no_stage_is_over_before_somebody_was_asked_and_has_answered(bribing):
    """The first turn was resolved empty: that all have confirmed is true of no rows."""
    game = open_table("Anna", "Boris", "Clara", "Dora", options={"bribing": bribing, "rounds": 2})
    while game.status == Game.Status.RUNNING:
        asked = seats_to_move(game)
        assert asked
        assert clock.sweep(now=MONDAY) == 0
        submit_move(game, asked[0].user, MONDAY)
        game.refresh_from_db()
    opened = set(game.events.filter(kind="StageOpened").values_list("phase_no", flat=True))
    assert opened == set(game.moves.values_list("phase_no", flat=True))


@pytest.mark.full
@pytest.mark.django_db
def test_absent_and_deleted_players_use_up_no_deadline():
    """Seats that were dead, deleted or had nothing to do used up extensions."""
    game = open_table("Anna", "Boris", "Clara")
    seats.step_aside(game_id=game.pk, user=seat_of(game, "Boris").user, now=MONDAY)
    for _ in range(200):
        if [seat.user.name for seat in seats_to_move(game)] == ["Clara"]:
            break
        submit_move(game, seat_of(game, "Anna").user, MONDAY)
    delete_account(seat_of(game, "Clara").user, MONDAY)
    for _ in range(200):
        if seats_to_move(game) == [seat_of(game, "Anna")]:
            submit_move(game, seat_of(game, "Anna").user, MONDAY)
        clock.sweep(now=MONDAY)
    game.refresh_from_db()
    assert (game.status, game.finished_at) == (Game.Status.FINISHED, MONDAY)


@pytest.mark.full
@pytest.mark.django_db
def test_a_deadline_months_ahead_is_kept():
    """A job for in 100 days broke the queue. Here no queue holds a deadline."""
    only_mondays = {"move_time": 7 * DAY, "no_play_days": (1, 2, 3, 4, 5, 6), "days_off": 30}
    game = open_table("Anna", "Boris", "Clara", **only_mondays)
    [asked] = seats_to_move(game)
    deadline = asked.deadline_at
    assert deadline > MONDAY + 42 * DAY
    for days in range((deadline - MONDAY).days):
        tick(MONDAY + days * DAY)
        assert clock.sweep(now=MONDAY + days * DAY) == 0
    reminders = OutboxEmail.objects.filter(kind__in=["reminder", "last_reminder"])
    assert {mail.person for mail in reminders} == {asked.user}
    assert reminders.count() <= 2
    tick(deadline)
    assert clock.sweep(now=deadline - timedelta(seconds=1)) == 0
    assert clock.sweep(now=deadline) == 1
