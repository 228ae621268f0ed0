"""What stops the clock of a game: one value, of which no impossible combination can be written."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.db import IntegrityError, connection, transaction

from games.models import Cause, Clock, Game, Seat, Stop
from games.services.game import interventions
from games.services.game.writer import Writer
from tests.support.tables import DAY, MONDAY, open_table, seats_to_move

HOUR = timedelta(hours=1)

PAUSED = Clock().pause(MONDAY, MONDAY + DAY)


class TestWhatItReturnsTo:
    def test_the_outermost_stop_counts_and_leaves_the_ones_below(self):
        clock = PAUSED.fall_dormant(MONDAY + HOUR).park(MONDAY + 2 * HOUR)
        assert clock.stop is Stop.PARKED
        assert clock.take_up().stop is Stop.DORMANT
        assert clock.take_up().wake() == PAUSED
        assert clock.take_up().wake().stop is Stop.PAUSED
        assert clock.take_up().wake().resume() == Clock()
        assert Clock().stop is None

    def test_a_pause_can_end_below_another_stop(self):
        clock = PAUSED.fall_dormant(MONDAY + HOUR).resume()
        assert (clock.stop, clock.paused_until, clock.wake()) == (Stop.DORMANT, None, Clock())

    def test_negotiation_time_stops_nothing_and_is_kept_as_play_time(self):
        clock = Clock().talk(MONDAY + 12 * HOUR)
        assert clock.stop is None
        kept = clock.pause(MONDAY, None).keep_talk(12 * HOUR)
        assert (kept.talk_until, kept.talk_seconds_left) == (None, 43200)
        assert kept.resume().talk(MONDAY + DAY) == Clock(talk_until=MONDAY + DAY)
        assert clock.talk(None) == Clock()

    @pytest.mark.django_db
    def test_a_game_stores_it_whole(self):
        game = open_table("Anna", "Boris", "Clara")
        assert (game.clock, game.is_going_on) == (Clock(), True)
        game.clock, game.deadline_at = PAUSED.park(MONDAY + HOUR), None
        game.save()
        stored = Game.objects.get(pk=game.pk)
        assert stored.clock == PAUSED.park(MONDAY + HOUR)
        assert (stored.is_in_play, stored.is_going_on) == (False, False)


STOPPED = {"deadline_at": None, "parked_at": MONDAY}
TALK = {"talk_until": MONDAY + DAY, "deadline_at": MONDAY + DAY}
WAITS = {"talk_seconds_left": 3600, "deadline_at": None}
IMPOSSIBLE = {
    "deadline while parked": {"parked_at": MONDAY},
    "deadline while dormant": {"dormant_since": MONDAY},
    "deadline while paused": {"paused_at": MONDAY},
    "no deadline though it goes on": {"deadline_at": None},
    "deadline of a game that is over": {"status": "finished"},
    "parked when it is over": {"status": "finished"} | STOPPED,
    "parked before it began": {"status": "waiting"} | STOPPED,
    "dormant when it is over": {
        "status": "abandoned", "deadline_at": None, "dormant_since": MONDAY,
    },
    "paused when it is over": {"status": "cancelled", "deadline_at": None, "paused_at": MONDAY},
    "talk when it is over": {"status": "finished"} | TALK | {"deadline_at": None},
    "talk left when it is over": {"status": "finished"} | WAITS,
    "end of a pause without a pause": {"paused_until": MONDAY},
    "end of a pause that is parked without it": STOPPED | {"paused_until": MONDAY},
    "pause that ends before it begins": {
        "deadline_at": None, "paused_at": MONDAY, "paused_until": MONDAY - HOUR,
    },
    "pause that ends as it begins": {
        "deadline_at": None, "paused_at": MONDAY, "paused_until": MONDAY,
    },
    "talk that ends at another time than is due": TALK | {"deadline_at": MONDAY + HOUR},
    "talk that ends while paused": TALK | {"deadline_at": None, "paused_at": MONDAY},
    "talk that ends while dormant": TALK | {"deadline_at": None, "dormant_since": MONDAY},
    "talk that ends while parked in a pause": TALK | STOPPED | {"paused_at": MONDAY},
    "talk left though it goes on": {"talk_seconds_left": 3600},
    "talk that ends and is left": TALK | {"talk_seconds_left": 3600},
    "talk that ends and is left while parked": TALK | STOPPED | {"talk_seconds_left": 3600},
}  # fmt: skip

POSSIBLE = {
    "parked": STOPPED,
    "parked in a pause": STOPPED | {"paused_at": MONDAY, "paused_until": MONDAY + HOUR},
    "parked while dormant in a pause": (
        STOPPED | {"paused_at": MONDAY, "dormant_since": MONDAY, "talk_seconds_left": 0}
    ),
    "dormant in a pause": {
        "deadline_at": None, "paused_at": MONDAY, "dormant_since": MONDAY,
    },
    "talk": TALK,
    "talk while parked": TALK | STOPPED,
    "talk left in a pause": WAITS | {"paused_at": MONDAY},
    "talk left while dormant": WAITS | {"dormant_since": MONDAY},
}  # fmt: skip


@pytest.mark.django_db
class TestConstraints:
    @pytest.mark.full
    @pytest.mark.parametrize("columns", IMPOSSIBLE.values(), ids=list(IMPOSSIBLE))
    def test_what_cannot_be_cannot_be_written(self, columns):
        game = open_table("Anna", "Boris", "Clara")
        with pytest.raises(IntegrityError, match="violates check constraint"), transaction.atomic():
            Game.objects.filter(pk=game.pk).update(**columns)

    @pytest.mark.parametrize("columns", POSSIBLE.values(), ids=list(POSSIBLE))
    def test_what_can_be_can_be_written(self, columns):
        game = open_table("Anna", "Boris", "Clara")
        assert Game.objects.filter(pk=game.pk).update(**columns) == 1

    def test_no_seat_has_a_deadline_and_time_left(self):
        [seat] = seats_to_move(open_table("Anna", "Boris", "Clara"))
        with pytest.raises(IntegrityError, match="seat_deadline_or_time_left"):
            Seat.objects.filter(pk=seat.pk).update(seconds_left=60)


MIGRATION = import_module("games.migrations.0026_game_clock")
REFUSED_BEFORE = ("deadline", "no deadline", "end of a pause")


@pytest.mark.full
@pytest.mark.django_db
@pytest.mark.parametrize("name", [one for one in IMPOSSIBLE if not one.startswith(REFUSED_BEFORE)])
def test_rows_that_cannot_be_are_repaired_before_they_are_checked(name):
    game = open_table("Anna", "Boris", "Clara")
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with connection.schema_editor() as editor:
        for constraint in MIGRATION.GAME_CONSTRAINTS:
            editor.remove_constraint(Game, constraint)
    Game.objects.filter(pk=game.pk).update(**IMPOSSIBLE[name])
    with connection.cursor() as cursor:
        for repair in MIGRATION.REPAIRS:
            cursor.execute(repair)
    with connection.schema_editor() as editor:
        for constraint in MIGRATION.GAME_CONSTRAINTS:
            editor.add_constraint(Game, constraint)


@pytest.mark.django_db
def test_a_game_that_lost_its_pause_when_it_was_parked_returns_to_it():
    game = open_table("Anna", "Boris", "Clara")
    writer = Writer(Game.objects.lock(game.pk), MONDAY + HOUR)
    interventions.pause(writer, MONDAY + DAY, Cause.MODERATOR)
    writer.commit()
    lost = STOPPED | {"paused_at": None, "paused_until": None}
    Game.objects.filter(pk=game.pk).update(**lost)
    with connection.cursor() as cursor:
        cursor.execute(MIGRATION.PARKED_IN_A_PAUSE)
    game.refresh_from_db()
    assert game.clock == Clock().pause(MONDAY + HOUR, MONDAY + DAY).park(MONDAY)
