"""The default move of every stage (ruling 8): always legal, always shown beforehand."""

import pytest

from games.engine import default_move, to_move, view
from tests.engine.cases import at
from tests.engine.playouts import PLAIN, play

FOUR = "red yellow green blue"


def test_a_bribe_is_the_minimum_for_each_in_card_order():
    """Mayfair's card order: scientist, doctor, priest, clerk, then the number."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        applicants={"red": ["blue-clerk-1", "blue-scientist-2", "blue-priest-1"]},
    )
    assert game.default("blue") == {
        "player": "blue",
        "type": "bribe",
        "bribes": [["blue-scientist-2", 1000], ["blue-priest-1", 1000], ["blue-clerk-1", 1000]],
    }


@pytest.mark.parametrize("edition", ["mayfair-2005", "reference-manual"])
def test_a_resident_comes_first_and_bribes_even_where_he_might_pass(edition):
    """The minimum for each contender, a resident too."""
    occupation = {"mayfair-2005": "clerk", "reference-manual": "healer"}[edition]
    game = at(
        edition,
        FOUR,
        round=2,
        palaces={"red": {6000: f"blue-{occupation}-2"}},
        applicants={"red": [f"blue-{occupation}-1"]},
    )
    assert game.default("blue")["bribes"] == [
        [f"blue-{occupation}-2", 1000],
        [f"blue-{occupation}-1", 1000],
    ]


def test_the_default_bribe_knows_the_literal_russian_minimum():
    """Ruling 1: 10000 for uncontested applicants."""
    game = at(
        "russian",
        FOUR,
        {"uncontested_min_bribe": 10000},
        cash={"blue": 4000},
        round=2,
        applicants={"red": ["blue-clerk-1"]},
    )
    assert game.default("blue")["bribes"] == [["blue-clerk-1", 10000]]
    game.let_pass("blue")
    assert game.change == {"red": 10000, "blue": -4000}


@pytest.mark.parametrize(("broke", "left"), [("bank", 0), ("debt", -2000)])
def test_a_broke_player_defaults_to_the_minimum(broke, left):
    """It is the only legal bribe then."""
    game = at(
        "mayfair-2005",
        FOUR,
        {"broke": broke},
        cash={"blue": 0},
        round=2,
        applicants={"red": ["blue-clerk-1", "blue-priest-1"]},
    )
    game.let_pass("blue")
    assert game.cash["blue"] == left


def three_applicants(yellow, green, blue):
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        applicants={"red": ["blue-clerk-1", "yellow-priest-1", "green-doctor-1"]},
    )
    game.bribe({"yellow-priest-1": yellow})
    game.bribe({"green-doctor-1": green})
    game.bribe({"blue-clerk-1": blue})
    return game


def test_the_best_area_goes_to_the_highest_bribe_and_so_on():
    game = three_applicants(2000, 1000, 3000)
    assert game.default("red") == {
        "player": "red",
        "type": "place",
        "placements": [
            ["blue-clerk-1", 10000],
            ["yellow-priest-1", 6000],
            ["green-doctor-1", 3000],
        ],
    }


def test_equal_bribes_are_placed_in_bribing_order():
    """Clockwise from the palace owner's left."""
    game = three_applicants(1000, 2000, 2000)
    assert game.default("red")["placements"] == [
        ["green-doctor-1", 10000],
        ["blue-clerk-1", 6000],
        ["yellow-priest-1", 3000],
    ]


def test_among_ones_own_equal_bribes_card_order_counts_whatever_was_paid_first():
    """ "Earlier in bribing order": one player's own contenders stand in card order."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        applicants={"red": ["blue-clerk-1", "blue-scientist-1"]},
    )
    game.bribe({"blue-clerk-1": 2000, "blue-scientist-1": 2000})
    assert game.default("red")["placements"] == [
        ["blue-scientist-1", 10000],
        ["blue-clerk-1", 6000],
    ]


def test_only_open_areas_are_given():
    """The best open area: 10000 and 3000 are held by others here."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        palaces={"red": {10000: "green-scientist-1", 3000: "yellow-doctor-1"}},
        applicants={"red": ["blue-clerk-1", "yellow-priest-1"]},
    )
    game.bribe({"yellow-priest-1": 1000})
    game.bribe({"blue-clerk-1": 2000})
    assert game.default("red")["placements"] == [["blue-clerk-1", 6000], ["yellow-priest-1", 1000]]


def two_external_conflicts(green_clerk, blue_clerk, yellow_priest, blue_priest):
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        applicants={"red": ["green-clerk-1", "blue-clerk-1", "yellow-priest-1", "blue-priest-1"]},
    )
    game.bribe({"yellow-priest-1": yellow_priest})
    game.bribe({"green-clerk-1": green_clerk})
    game.bribe({"blue-clerk-1": blue_clerk, "blue-priest-1": blue_priest})
    return game


def test_in_each_external_conflict_the_highest_bribe_wins():
    """Then the winners are placed by their bribes: 4000 before 2000."""
    game = two_external_conflicts(1000, 2000, 4000, 3000)
    assert game.default("red")["placements"] == [["yellow-priest-1", 10000], ["blue-clerk-1", 6000]]
    game.let_pass("red")
    assert game.island == ["blue-priest-1", "green-clerk-1"]


def test_an_external_tie_goes_to_the_earlier_in_bribing_order():
    game = two_external_conflicts(2000, 2000, 2000, 2000)
    assert game.default("red")["placements"] == [
        ["yellow-priest-1", 10000],
        ["green-clerk-1", 6000],
    ]


def attacked(resident, attacker, edition="mayfair-2005", occupation="clerk"):
    game = at(
        edition,
        FOUR,
        round=2,
        palaces={"red": {6000: f"green-{occupation}-1"}},
        applicants={"red": [f"yellow-{occupation}-1"]},
    )
    game.bribe({f"green-{occupation}-1": resident})
    game.bribe({f"yellow-{occupation}-1": attacker})
    return game


@pytest.mark.parametrize(
    ("resident", "attacker", "winner"),
    [
        (2000, 2000, "green-clerk-1"),
        (2000, 3000, "yellow-clerk-1"),
        (3000, 2000, "green-clerk-1"),
    ],
)
def test_an_attacker_must_pay_more_than_the_resident(resident, attacker, winner):
    """Equal bribes: earlier in bribing order, and there the resident is the first."""
    game = attacked(resident, attacker)
    assert game.default("red") == {"player": "red", "type": "judge", "winner": winner}


def test_a_resident_who_passed_loses_to_the_least_attack():
    game = attacked(0, 1000, "reference-manual", "healer")
    assert game.default("red")["winner"] == "yellow-healer-1"


def test_tied_attackers_are_judged_in_bribing_order():
    game = at(
        "reference-manual",
        FOUR,
        round=2,
        palaces={"red": {6000: "blue-healer-1"}},
        applicants={"red": ["green-healer-1", "yellow-healer-1"]},
    )
    game.bribe({"blue-healer-1": 1000})
    game.bribe({"yellow-healer-1": 3000})
    game.bribe({"green-healer-1": 3000})
    assert game.default("red")["winner"] == "yellow-healer-1"


def test_among_ones_own_the_resident_comes_before_the_attacker():
    """Whatever order he paid in: blue-clerk-2 sits there, so he stays."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        palaces={"red": {6000: "blue-clerk-2"}},
        applicants={"red": ["blue-clerk-1"]},
    )
    game.bribe({"blue-clerk-1": 2000, "blue-clerk-2": 2000})
    assert game.default("red")["winner"] == "blue-clerk-2"


def test_the_first_two_in_card_order_are_sent_left_and_next():
    game = at(
        "mayfair-2005",
        FOUR,
        first="green",
        island=["green-scientist-1", "green-doctor-2"],
    )
    assert game.default("green") == {
        "player": "green",
        "type": "send",
        "scholars": [["green-scientist-2", "blue"], ["green-doctor-1", "red"]],
    }


def test_a_last_scholar_is_sent_to_the_left():
    others = [
        f"red-{occupation}-{number}"
        for occupation in ("scientist", "doctor", "priest", "clerk")
        for number in (1, 2)
    ]
    game = at("russian", FOUR, round=2, island=others[:-1])
    assert game.default("red")["scholars"] == [["red-clerk-2", "yellow"]]


def test_a_default_is_played_like_the_move_it_stands_for():
    """A record may say `default`; the state is the same as with the move itself."""
    game = three_applicants(2000, 1000, 3000)
    other = three_applicants(2000, 1000, 3000)
    other.play(game.default("red"))
    game.let_pass("red")
    assert game.state == other.state


def test_nobody_has_a_default_when_not_to_move():
    """Refused as any move of his would be."""
    game = three_applicants(2000, 1000, 3000)
    with game.refuses("turn", "It is not this player's turn; awaited: red."):
        game.default("blue")


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_everybody_may_know_what_is_played_for_whoever_does_nothing(setting):
    seen = 0
    for moment in play(setting.begin(), seed=8):
        state = moment.made.state
        defaults = tuple((seat, default_move(state, seat)) for seat in to_move(state))
        assert view(state, None).defaults == defaults
        seen += len(defaults)
    assert seen
