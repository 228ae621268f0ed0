"""Moves in the form of the record, as a program sends them: the same rules, limits and refusals."""

from uuid import uuid4

import pytest

from games.changes import Change
from games.engine import encode_move
from games.models import Move
from games.services.refused import Refused
from tests.support.client import person
from tests.support.tables import MONDAY, open_table, seats_to_move

pytestmark = pytest.mark.django_db


@pytest.fixture
def game():
    return open_table("Anna", "Boris", "Clara")


def to_move(game):
    """What the player who is to move can change, and a legal move of theirs as data."""
    [seat] = seats_to_move(game)
    change = Change(seat.user, game, None, MONDAY)
    view = change.position.view
    move = encode_move(view.table, seat.number, view.default)
    return change, {"kind": "play", "move": move}


def test_it_is_described_and_played_once(game):
    change, wanted = to_move(game)
    token = uuid4()
    assert change.described(wanted)
    assert not Move.objects.exists()
    [done] = change.done(wanted, token, game.phase_no)
    assert done.startswith("Your move is in: ")
    assert Move.objects.get().move == wanted["move"]
    assert change.done(wanted, token, game.phase_no) == [
        "Your move had already been submitted, and it counts."
    ]
    assert Move.objects.count() == 1


def test_what_was_written_for_another_phase_is_not_played(game):
    change, wanted = to_move(game)
    with pytest.raises(Refused, match="The game has moved on since you wrote that"):
        change.done(wanted, uuid4(), game.phase_no - 1)


def test_nobody_moves_for_another_seat_nor_out_of_turn(game):
    change, wanted = to_move(game)
    other = next(seat for seat in game.seats.all() if seat.user != change.person)
    theirs = {"kind": "play", "move": {**wanted["move"], "player": other.colour}}
    for wrong, reader, said in [
        (theirs, change.person, "This move isn't for your seat."),
        (wanted, other.user, "It isn't your turn, so nothing was played."),
        (wanted, person("Zoe"), "You don't have a seat at this table."),
    ]:
        way = change._replace(person=reader)
        with pytest.raises(Refused) as refused:
            way.described(wrong)
        assert str(refused.value) == said
        with pytest.raises(Refused) as refused:
            way.done(wrong, uuid4(), game.phase_no)
        assert str(refused.value) == said
    assert not Move.objects.exists()


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ({"type": "pass"}, "The type of a move must be one of"),
        ({"type": "send"}, "has exactly the keys player, scholars, type"),
        ({"type": "send", "scholars": [["red-king-1", "red"]] * 2}, "you can send, each only once"),
        ({"type": "default"}, "This move doesn't match the decision you have to make now"),
    ],
)
def test_what_is_no_legal_move_is_refused_with_a_sentence(game, move, said):
    change, wanted = to_move(game)
    move = {"player": wanted["move"]["player"], **move}
    with pytest.raises(Refused, match=said):
        change.done({"kind": "play", "move": move}, uuid4(), game.phase_no)
    assert not Move.objects.exists()
