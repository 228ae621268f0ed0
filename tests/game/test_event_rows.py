"""The events that an email about a turn tells, read in one statement, are those of the models."""

import pytest

from games.services.game.replay import (
    LATEST,
    event_rows,
    event_rows_for,
    event_rows_since_move,
    latest_event_rows,
)
from games.table_events import LASTING_EVENTS
from tests.support.tables import DAY, MONDAY, long_game, open_table, seats_to_move, submit_move

pytestmark = [pytest.mark.full, pytest.mark.django_db]


def first_since_move(game, seat):
    """The number of the first event since the last move of a seat; 1 if it has made none."""
    last = game.moves.filter(seat=seat).order_by("pk").last()
    if last is None:
        return 1
    events = game.events.filter(phase_no=last.phase_no, at__gte=last.at)
    return events.order_by("seq").values_list("seq", flat=True).first()


def test_they_begin_with_the_last_move_of_the_seat():
    game = open_table("Anna", "Boris", "Clara")
    found = set()
    for hours in range(12):
        submit_move(game, seats_to_move(game)[0].user, MONDAY + hours * DAY / 24)
        game.refresh_from_db()
        for seat in game.seats.all():
            since = event_rows_since_move(game, seat)
            assert since == (event_rows(game), first_since_move(game, seat), None)
            found.add(since.first)
    assert len(found) > 6
    assert event_rows_since_move(game, None) == (event_rows(game), 1, None)


def test_whether_an_order_made_the_last_move_is_read_with_them():
    game = open_table("Anna", "Boris", "Clara")
    for hours in range(12):
        submit_move(game, seats_to_move(game)[0].user, MONDAY + hours * DAY / 24)
        game.refresh_from_db()
    seat = game.seats.get(user__name="Anna")
    first, *_others, last = seat.moves.order_by("pk")
    seat.moves.filter(pk=first.pk).update(by_order=True)
    assert event_rows_since_move(game, seat).phase_of_order is None
    seat.moves.filter(pk=last.pk).update(by_order=True)
    assert event_rows_since_move(game, seat).phase_of_order == last.phase_no


def test_what_happened_before_is_read_only_if_it_is_among_the_latest_or_no_move():
    game = long_game("Anna", "Boris")
    everything = event_rows(game)
    latest = everything[-1].seq - LATEST
    for seat in game.seats.all():
        since = first_since_move(game, seat)
        wanted = [
            row
            for row in everything
            if row.seq > latest or row.seq >= since or row.kind in LASTING_EVENTS
        ]
        assert event_rows_since_move(game, seat) == (wanted, since, None)
        assert since > 1
        assert len(wanted) < len(everything)


def test_for_a_player_all_is_read_since_they_moved_themselves_or_sat_down():
    game = open_table("Anna", "Boris", "Clara")
    for hours in range(12):
        submit_move(game, seats_to_move(game)[0].user, MONDAY + hours * DAY / 24)
        game.refresh_from_db()
    seat, *others = game.seats.all()
    for one in (seat, *others):
        assert event_rows_for(game, one, None) == (event_rows(game), first_since_move(game, one))
    last = seat.moves.latest("pk")
    seat.moves.filter(pk=last.pk).update(by_order=True)
    before = seat.moves.exclude(pk=last.pk).latest("pk")
    at_once = game.events.filter(phase_no=before.phase_no, at__gte=before.at)
    assert event_rows_for(game, seat, None)[1] == at_once.earliest("seq").seq
    seat.moves.update(user=None, cause="clock")
    assert event_rows_for(game, seat, None)[1] == 1
    came = game.events.filter(at__gte=MONDAY + 6 * DAY / 24).earliest("seq")
    seat.sittings.update(began_at=came.at)
    assert event_rows_for(game, seat, None)[1] == came.seq > 1


def test_whoever_has_not_moved_for_long_reads_further_back():
    game = long_game("Anna", "Boris")
    seat = game.seats.get(user__name="Boris")
    everything = event_rows(game)
    assert event_rows_for(game, None, None) == (latest_event_rows(game, None), 1)
    assert len(latest_event_rows(game, None)) < len(everything)
    seat.moves.update(user=None)
    assert event_rows_for(game, seat, None) == (everything, 1)
