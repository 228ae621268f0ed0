"""Simultaneous bribing: all are to move at once, and nothing is paid or shown until the last."""

from games.engine.events import BribesPaid, BribesSealed, replay
from tests.engine.cases import at

FOUR = "red yellow green blue"
SEALED = {"bribing": "simultaneous"}


def three_are_to_move(**more):
    return at(
        "mayfair-2005",
        FOUR,
        SEALED,
        round=2,
        applicants={"red": ["blue-clerk-1", "yellow-priest-1", "green-doctor-1"]},
        **more,
    )


def paid_by(game):
    return [
        game.state.table.players[event.seat]
        for event in game.events
        if isinstance(event, BribesPaid)
    ]


def sealed_by(game):
    return [
        game.state.table.players[event.seat]
        for event in game.events
        if isinstance(event, BribesSealed)
    ]


def test_all_owners_of_contenders_are_to_move_in_any_order():
    game = three_are_to_move()
    assert game.waiting == ["blue", "green", "yellow"]
    game.bribe({"green-doctor-1": 2000})
    assert game.waiting == ["blue", "yellow"]
    game.bribe({"yellow-priest-1": 3000})
    assert game.waiting == ["blue"]


def test_nothing_is_paid_until_the_last_one_is_in():
    game = three_are_to_move()
    game.bribe({"green-doctor-1": 2000})
    game.bribe({"blue-clerk-1": 5000})
    assert game.change == {}
    assert game.state.paid == ()
    game.bribe({"yellow-priest-1": 3000})
    assert game.change == {"red": 10000, "green": -2000, "blue": -5000, "yellow": -3000}
    assert game.stage == "placement"
    assert game.state.sealed == ()


def test_bribes_are_opened_in_bribing_order_not_as_handed_in():
    """Ruling 3: clockwise from the palace owner's left."""
    game = three_are_to_move()
    game.bribe({"blue-clerk-1": 5000})
    game.bribe({"green-doctor-1": 2000})
    game.bribe({"yellow-priest-1": 3000})
    assert sealed_by(game) == ["blue", "green", "yellow"]
    assert paid_by(game) == ["yellow", "green", "blue"]


def test_each_opened_bribe_is_sealed_no_more():
    """Also between the events of one step, as a log that is read event by event shows it."""
    game = three_are_to_move()
    for player in ("blue", "green", "yellow"):
        game.let_pass(player)
    first = next(at for at, event in enumerate(game.events) if isinstance(event, BribesPaid))
    opened = []
    for number in range(first, first + 4):
        state = replay(game.events[:number])
        opened.append([state.table.players[sealed.seat] for sealed in state.sealed])
    assert opened == [["blue", "green", "yellow"], ["blue", "green"], ["blue"], []]


def test_in_an_internal_conflict_the_residents_owner_is_opened_first():
    """Ruling 3."""
    game = at(
        "mayfair-2005",
        FOUR,
        SEALED,
        round=2,
        palaces={"red": {6000: "blue-clerk-1"}},
        applicants={"red": ["green-clerk-1", "yellow-clerk-1", "blue-clerk-2"]},
    )
    assert game.waiting == ["blue", "green", "yellow"]
    game.bribe({"yellow-clerk-1": 1000})
    game.bribe({"green-clerk-1": 1000})
    game.bribe({"blue-clerk-2": 1000, "blue-clerk-1": 1000})
    assert paid_by(game) == ["blue", "yellow", "green"]


def test_what_was_handed_in_stands():
    """No second bribe of the same player in a stage."""
    game = three_are_to_move()
    game.bribe({"green-doctor-1": 2000})
    not_again = "It is not this player's turn; awaited: yellow, blue."
    with game.refuses("turn", not_again):
        game.bribe({"green-doctor-1": 9000})
    with game.refuses("turn", not_again):
        game.let_pass("green")


def test_a_sealed_bribe_is_checked_when_it_is_handed_in():
    """Ruling 4: a player may only offer what he has."""
    game = three_are_to_move(cash={"blue": 4000})
    too_much = "When blue-clerk-1 is paid for, 4000 is left: the bribe can be at most 4000."
    with game.refuses("cash", too_much):
        game.bribe({"blue-clerk-1": 5000})
    assert game.waiting == ["blue", "green", "yellow"]


def test_the_bank_pays_for_the_broke_when_the_bribes_are_opened():
    """Ruling 4."""
    game = three_are_to_move(cash={"blue": 0})
    for player in ("blue", "green"):
        game.let_pass(player)
    assert game.state.bank == 0
    game.let_pass("yellow")
    assert game.state.bank == -1000
    assert game.change == {"red": 3000, "green": -1000, "yellow": -1000}


def test_a_default_is_sealed_like_any_other_bribe():
    """Ruling 8: the minimum, and the others still see nothing."""
    game = three_are_to_move()
    game.let_pass("green")
    assert game.waiting == ["blue", "yellow"]
    assert game.change == {}


def test_a_seat_alone_to_move_pays_at_once():
    """The last one in is then also the first."""
    game = at("mayfair-2005", FOUR, SEALED, round=2, applicants={"red": ["blue-clerk-1"]})
    game.bribe({"blue-clerk-1": 5000})
    assert game.stage == "placement"
    assert game.change == {"red": 5000, "blue": -5000}


def test_stages_still_come_one_after_the_other():
    """External bribers learn first which areas are left."""
    game = at(
        "mayfair-2005",
        FOUR,
        SEALED,
        round=2,
        palaces={"red": {6000: "green-priest-1"}},
        applicants={
            "red": ["blue-priest-1", "blue-clerk-1", "yellow-clerk-1", "green-scientist-1"]
        },
    )
    assert (game.stage, game.waiting) == ("uncontested-bribes", ["green"])
    game.let_pass("green")
    game.let_pass("red")
    assert (game.stage, game.waiting) == ("external-bribes", ["blue", "yellow"])
    game.let_pass("blue")
    game.let_pass("yellow")
    game.let_pass("red")
    assert (game.stage, game.waiting) == ("internal-bribes", ["blue", "green"])
