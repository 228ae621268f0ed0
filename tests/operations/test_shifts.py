"""What a worker does for messages of beats, of which there may be too many."""

from contextlib import suppress
from datetime import timedelta

import pytest

from games.models import OutboxMail, Seat, Tick, database_now
from games.services.operations import shifts
from tests.support.tables import MONDAY, awaited_seats, open_table

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def nobody_helps(until):
    raise AssertionError(f"Nobody is called until {until}.")


def sweep():
    shifts.sweep(nobody_helps)


QUARTER = 15 * SECOND


@pytest.mark.counts
def test_of_many_that_begin_at_once_one_does():
    begun = [Tick.objects.begin("sweep begun", now=MONDAY, within=QUARTER) for _ in range(5)]
    assert begun == [True, False, False, False, False]
    assert not Tick.objects.begin("sweep begun", now=MONDAY + 14 * SECOND, within=QUARTER)
    assert Tick.objects.begin("sweep begun", now=MONDAY + 15 * SECOND, within=QUARTER)


def test_what_began_in_the_future_holds_nobody_up():
    """A clock was set back: else nothing would happen until it is that late again."""
    Tick.objects.create(name="sweep begun", at=MONDAY + timedelta(hours=1))
    assert Tick.objects.begin("sweep begun", now=MONDAY, within=QUARTER)
    assert not Tick.objects.begin("sweep begun", now=MONDAY, within=QUARTER)


def test_a_surplus_message_costs_three_small_queries(django_assert_num_queries):
    sweep()
    shifts.trim()
    swept = Tick.objects.last_sweep()
    for surplus in (sweep, shifts.trim):
        with django_assert_num_queries(3):
            surplus()
    assert Tick.objects.last_sweep() == swept


def test_a_surplus_message_about_mail_opens_no_connection(smtp, django_assert_max_num_queries):
    open_table("Anna", "Boris", "Clara", now=database_now())
    shifts.mail()
    assert smtp.messages
    smtp.messages.clear()
    with django_assert_max_num_queries(16):
        shifts.mail()
    assert smtp.messages == []


def test_a_sweep_that_fails_stops_no_mail(smtp):
    """One seat that cannot be reminded, whatever the sweep makes of it."""
    now = database_now()
    broken = open_table("Anna", "Boris", "Clara", now=now)
    asked = awaited_seats(broken)[0]
    Seat.objects.filter(pk=asked.pk).update(asked_at=None, remind_at=now - SECOND)
    open_table("Dora", "Emil", "Fanny", now=now)
    with suppress(ValueError):
        sweep()
    shifts.mail()
    assert not OutboxMail.objects.filter(status="ready").exists()
    assert {"dora@example.org", asked.user.email} <= {mail["To"] for mail in smtp.messages}


def test_the_clock_of_the_database_counts_and_not_that_of_the_worker(time_machine):
    """A worker two hours ahead plays nothing early."""
    before = database_now()
    time_machine.move_to(before + timedelta(hours=2))
    game = open_table("Anna", "Boris", "Clara", now=before)
    sweep()
    assert before <= Tick.objects.last_sweep() < before + timedelta(hours=1)
    assert not game.moves.exists()
