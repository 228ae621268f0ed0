"""The one statement that reads the seats of a game reads what the models hold."""

import pytest
from django.db.models import Max

from games.engine.orders import HighestBribes
from games.models import Acquaintance, Draft, Order, Sitting
from games.services.game import notes, orders, seats
from games.services.game.read_seats import Days, read_seats
from tests.support.client import person
from tests.support.promising import bribing_table, in_order, place_for
from tests.support.tables import DAY, MONDAY, alone, leave, open_table, seat_of
from tests.support.whispering import offers_privately, replies_privately, whisper

pytestmark = pytest.mark.django_db


def columns(row):
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def assert_as_the_models_say(game):
    """Compare all that was read with what the ORM finds, and return it."""
    read = read_seats(game)
    rows = list(game.seats.select_related("user").order_by("number"))
    assert [columns(seat) for seat in read.rows] == [columns(seat) for seat in rows]
    for seat, row in zip(read.rows, rows, strict=True):
        assert (seat.game, seat.user) == (game, row.user)
        assert seat.user is None or columns(seat.user) == columns(row.user)
    assert read.sat == [
        list(row.sittings.order_by("pk").values_list("user__name", flat=True)) for row in rows
    ]
    assert read.days_off == {
        row.pk: [
            Days(off.pk, off.first_day, off.last_day, off.announced_at)
            for off in row.days_off.order_by("first_day", "pk")
        ]
        for row in rows
    }
    former = Sitting.objects.filter(seat__game=game, ended_at__isnull=False)
    assert read.by_substitute == set(former.values_list("seat", flat=True))
    assert read.with_orders == set(
        Order.objects.filter(seat__game=game).values_list("seat", flat=True)
    )
    drafts = Draft.objects.filter(game=game, about=Draft.About.MOVE)
    assert read.has_drafts == drafts.exists()
    assert read.last_event == game.events.aggregate(last=Max("seq"))["last"]
    players = [row.user_id for row in rows]
    known = Acquaintance.objects.filter(confirmed_at__isnull=False).order_by("confirmed_at", "pk")
    pairs = known.filter(person__in=players, other__in=players).values_list("person", "other")
    assert read.known == list(pairs)
    threads = list(game.threads.exclude(ledger=[]))
    names = ("pk", "game", "token", "seats", "length", "ledger")
    assert [[getattr(one, name) for name in names] for one in read.threads] == [
        [getattr(one, name) for name in names] for one in threads
    ]
    return read


def test_a_new_game_with_people_and_one_with_computer_players():
    for game in (open_table("Anna", "Boris", "Clara"), alone("Dora")):
        read = assert_as_the_models_say(game)
        assert (read.by_substitute, read.with_orders, read.has_drafts) == (set(), set(), False)


def test_seats_with_orders_drafts_days_off_and_a_substitute():
    game = open_table("Anna", "Boris", "Clara", move_time=DAY)
    now = MONDAY + DAY / 24
    asked = next(seat for seat in game.seats.all() if seat.deadline_at)
    other = next(seat for seat in game.seats.all() if not seat.deadline_at)
    third = next(seat for seat in game.seats.all() if seat not in {asked, other})
    for first in (9, 4):
        day = (MONDAY + first * DAY).date()
        seats.announce_days_off(
            game_id=game.pk, user=other.user, first_day=day, last_day=day, now=now
        )
    orders.leave_order(
        game_id=game.pk,
        user=other.user,
        scholar=None,
        order=HighestBribes(),
        wait_if_addressed=False,
        now=now,
    )
    game.refresh_from_db()
    notes.keep_draft(
        game=game,
        user=asked.user,
        about=Draft.About.MOVE,
        phase_no=game.phase_no,
        fields={"first": "red-clerk-1"},
        now=now,
    )
    leave(game, third.user.name, now=now)
    seats.take_over(game_id=game.pk, number=third.number, user=person("Dora"), now=now)
    person_gone = seat_of(game, "Dora")
    game.refresh_from_db()
    read = assert_as_the_models_say(game)
    assert read.by_substitute == {person_gone.pk}
    assert read.with_orders == {other.pk}
    assert read.has_drafts
    assert [off.first_day.day for off in read.days_off[other.pk]] == [6, 11]
    assert read.sat[third.number] == [third.user.name, "Dora"]


def test_players_who_know_each_other_in_the_order_in_which_they_came_to():
    game = open_table("Anna", "Boris", "Clara")
    anna, boris, clara = (seat_of(game, name).user for name in ("Anna", "Boris", "Clara"))
    for one, two, days in ((clara, anna, 3), (anna, boris, 2), (boris, clara, None)):
        at = None if days is None else MONDAY + days * DAY
        Acquaintance.objects.create(person=one, other=two, confirmed_at=at, declared_at=MONDAY)
    Acquaintance.objects.create(
        person=anna, other=person("Dora"), confirmed_at=MONDAY, declared_at=MONDAY
    )
    assert assert_as_the_models_say(game).known == [(anna.pk, boris.pk), (clara.pk, anna.pk)]


@pytest.mark.full
def test_the_threads_in_which_offers_were_made():
    game = bribing_table(press="private")
    other, owner, third = in_order(game)
    whisper(game, owner, third)
    assert assert_as_the_models_say(game).threads == []
    made = offers_privately(game, owner, place_for(game))
    assert assert_as_the_models_say(game).threads == [made.thread]
    replies_privately(game, other, made)
    assert_as_the_models_say(game)
