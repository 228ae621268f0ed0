"""What a rewind does to misses: those of what is taken back are void, the others stand."""

from datetime import timedelta
from itertools import cycle

import pytest
from django.db import transaction

from games.models import Event, Game, Miss
from games.services.game import rewind as game_rewind
from games.services.game import seats
from games.services.game.replay import event_rows
from games.services.game.writer import Writer
from games.services.operations import clock
from tests.support.tables import open_table, seat_of, seats_to_move, submit_move, tick

pytestmark = [pytest.mark.full, pytest.mark.django_db]

SECOND = timedelta(seconds=1)


def rewind(game: Game, seq: int) -> None:
    game.refresh_from_db()
    writer = Writer(game, game.events.latest("seq").at + SECOND)
    game_rewind.rewind(writer, seq, "moderator")
    writer.commit()
    game.refresh_from_db()


def standing(game):
    """What is held against each seat: its questions, its latest miss, and whether it is absent."""
    return {
        seat.user.name: (seat.missed, seat.last_miss_at, seat.absent_since is not None)
        for seat in game.seats.select_related("user")
    }


def misses(game):
    rows = Miss.objects.filter(seat__game=game).order_by("at", "user__name")
    return list(rows.values_list("user__name", "at"))


def play(game, moves, **missing):
    """Everybody answers but those who let a question pass; how it stood after so many moves.

    `missing` has for a name an x for each question that is let pass, from now on, over and over.
    Gives by the number of moves what was held against whom, and all misses.
    """
    now, stood, decided = game.events.latest("seq").at, {}, {}
    habits = {name: cycle(habit) for name, habit in missing.items()}
    while len(stood) < moves and game.status == Game.Status.RUNNING:
        now += SECOND
        willing = None
        for seat in seats_to_move(game):
            asked = (seat.pk, game.phase_no)
            if asked not in decided:
                decided[asked] = next(habits.get(seat.user.name, cycle("-")))
            if decided[asked] == "-":
                willing = seat.user
        if willing is not None:
            submit_move(game, willing, now)
        else:
            now = game.deadline_at
            tick(now)
            clock.sweep(now=now)
        game.refresh_from_db()
        stood[game.moves.filter(abandoned=False).count()] = standing(game), misses(game)
    return stood


def undone(change):
    """What the game is like after a change that is rolled back."""
    with transaction.atomic():
        found = change()
        transaction.set_rollback(True)
    return found


@pytest.mark.long(every=3)
@pytest.mark.parametrize("bribing", ["sequential", "simultaneous"])
@pytest.mark.parametrize(
    "missing",
    [
        {"Anna": "x"},
        {"Anna": "x----", "Boris": "-x---"},
        {"Anna": "x-x-x-", "Boris": "----x", "Clara": "---xx-----"},
    ],
)
def test_at_every_boundary_what_was_missed_before_stands_and_nothing_else(bribing, missing):
    game = open_table("Anna", "Boris", "Clara", options={"bribing": bribing, "rounds": 2})
    stood = play(game, 40, **missing)
    assert len(misses(game)) >= 2
    rows = event_rows(game)
    compared = 0
    for count, boundary in enumerate(game_rewind.boundaries(game, rows)):
        if count not in stood:
            continue

        def after(seq=boundary.seq):
            rewind(game, seq)
            return standing(game), misses(game)

        assert undone(after) == stood[count], count
        game.refresh_from_db()
        compared += 1
    assert compared >= 10


def absent_after_two():
    """A game in which Anna missed two questions in a row, and the boundary between these."""
    game = open_table("Anna", "Boris", "Clara")
    play(game, 3)
    while not misses(game):
        play(game, 1, Anna="x")
    between = game.moves.count()
    while seat_of(game, "Anna").absent_since is None:
        play(game, 1, Anna="x")
    return game, game_rewind.boundaries(game, event_rows(game))[between]


def test_who_became_absent_by_a_void_miss_is_waited_for_and_the_first_miss_stands():
    game, between = absent_after_two()
    [first, _second] = misses(game)
    rewind(game, between.seq)
    anna = seat_of(game, "Anna")
    assert anna.absent_since is None
    assert misses(game) == [first]
    assert (anna.missed[-1], anna.last_miss_at) == (True, first[1])
    while len(misses(game)) < 2:
        play(game, 1, Anna="x")
    assert seat_of(game, "Anna").absent_since is not None


def test_a_return_by_a_rewind_forgets_nothing_at_the_next_rewind():
    game, between = absent_after_two()
    rewind(game, between.seq)
    first = seat_of(game, "Anna").missed
    play(game, 3)
    rewind(game, between.seq)
    assert seat_of(game, "Anna").missed == first
    assert first[-1] is True


def test_who_came_back_by_themselves_has_nothing_held_against_them():
    game, _between = absent_after_two()
    anna = seat_of(game, "Anna").user
    seats.come_back(game_id=game.pk, user=anna, now=game.events.latest("seq").at + SECOND)
    game.refresh_from_db()
    back = len(game_rewind.boundaries(game, event_rows(game)))
    play(game, 4)
    rewind(game, game_rewind.boundaries(game, event_rows(game))[back].seq)
    assert not any(seat_of(game, "Anna").missed)
    assert Event.objects.filter(game=game, kind="SeatReturned").count() == 1
