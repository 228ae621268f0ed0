"""Hard cases of conflicts: who contends, and in which order.

Rulings and edge cases are those of docs/rules.md, quoted in own words.
"""

import pytest

from games.engine import PlaceChoice, legal
from tests.engine.cases import at

FOUR = "red yellow green blue"
FIVE = "red yellow green blue violet"


def test_applicants_for_an_employed_occupation_make_one_internal_conflict():
    """Edge 20: not first an external conflict among the applicants, then one with the resident."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        palaces={"red": {6000: "blue-clerk-1"}},
        applicants={"red": ["green-clerk-1", "yellow-clerk-1"]},
    )
    assert game.stage == "internal-bribes"
    assert game.contenders() == ["blue-clerk-1", "yellow-clerk-1", "green-clerk-1"]
    game.bribe({"blue-clerk-1": 2000})
    game.bribe({"yellow-clerk-1": 1000})
    game.bribe({"green-clerk-1": 3000})
    game.judge("yellow-clerk-1")
    assert game.palace("red") == {6000: "yellow-clerk-1"}
    assert game.island == ["blue-clerk-1", "green-clerk-1"]
    assert game.change == {"red": 6000, "blue": -2000, "yellow": -1000, "green": -3000}
    assert game.stage == "sending"


def test_attackers_bribe_clockwise_from_the_palace_owner_not_from_the_defender():
    """Ruling 3: the resident's owner first, then clockwise from the owner's left."""
    game = at(
        "mayfair-2005",
        FIVE,
        round=2,
        active="yellow",
        palaces={"yellow": {6000: "blue-clerk-1"}},
        applicants={"yellow": ["red-clerk-1", "violet-clerk-1", "green-clerk-1"]},
    )
    order = []
    while game.stage == "internal-bribes":
        order += game.waiting
        game.let_pass(game.waiting[0])
    assert order == ["blue", "green", "violet", "red"]


def test_applicants_bribe_clockwise_from_the_owners_left():
    """Ruling 3, without a resident."""
    game = at(
        "mayfair-2005",
        FIVE,
        round=2,
        active="green",
        applicants={"green": ["red-clerk-1", "blue-clerk-1"]},
    )
    assert game.stage == "external-bribes"
    assert game.contenders() == ["blue-clerk-1", "red-clerk-1"]


def test_the_residents_owner_bribes_for_all_his_contenders_at_once():
    """Ruling 2: defender and attacker of one owner go together, before everybody else."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        palaces={"red": {3000: "blue-clerk-2"}},
        applicants={"red": ["yellow-clerk-1", "blue-clerk-1"]},
    )
    assert game.waiting == ["blue"]
    due = "Exactly one bribe is due for each of blue-clerk-2, blue-clerk-1."
    with game.refuses("contenders", due):
        game.bribe({"blue-clerk-2": 1000})
    game.bribe({"blue-clerk-1": 2000, "blue-clerk-2": 1000})
    assert game.waiting == ["yellow"]
    game.bribe({"yellow-clerk-1": 4000})
    game.judge("blue-clerk-1")
    assert game.palace("red") == {3000: "blue-clerk-1"}
    assert game.island == ["blue-clerk-2", "yellow-clerk-1"]
    assert game.change == {"red": 7000, "blue": -3000, "yellow": -4000}


@pytest.mark.parametrize(
    ("winner", "loser"), [("blue-clerk-1", "blue-clerk-2"), ("blue-clerk-2", "blue-clerk-1")]
)
def test_an_owner_who_attacks_only_himself_still_bribes_for_both(winner, loser):
    """Edge 39: it must be played, and both bribes are due."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        palaces={"red": {3000: "blue-clerk-1"}},
        applicants={"red": ["blue-clerk-2"]},
    )
    game.bribe({"blue-clerk-1": 1000, "blue-clerk-2": 1000})
    assert game.stage == "judgement"
    game.judge(winner)
    assert game.palace("red") == {3000: winner}
    assert game.island == [loser]
    assert game.change == {"red": 2000, "blue": -2000}


def test_two_contenders_of_one_owner_pay_two_bribes_and_one_is_hired():
    """Edge 36: the palace owner may pick either; a rival's bribe does not matter."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        applicants={"red": ["blue-clerk-1", "yellow-clerk-1", "blue-clerk-2"]},
    )
    assert game.stage == "external-bribes"
    game.bribe({"yellow-clerk-1": 9000})
    game.bribe({"blue-clerk-2": 1000, "blue-clerk-1": 3000})
    game.place({"blue-clerk-2": 10000})
    assert game.palace("red") == {10000: "blue-clerk-2"}
    assert game.island == ["blue-clerk-1", "yellow-clerk-1"]
    assert game.change == {"red": 13000, "yellow": -9000, "blue": -4000}


def test_two_scholars_of_one_player_alone_are_an_external_conflict():
    """Edge 37 (M-3): two bribes, one hired and one banished."""
    game = at("mayfair-2005", FOUR, round=2, applicants={"red": ["blue-clerk-1", "blue-clerk-2"]})
    assert game.stage == "external-bribes"
    game.bribe({"blue-clerk-1": 1000, "blue-clerk-2": 1000})
    needed = "Exactly one scholar each must be hired of: blue-clerk-1 or blue-clerk-2."
    with game.refuses("contenders", needed):
        game.place({"blue-clerk-1": 1000, "blue-clerk-2": 3000})
    game.place({"blue-clerk-1": 1000})
    assert game.island == ["blue-clerk-2"]


def all_three_kinds():
    return at(
        "mayfair-2005",
        FOUR,
        round=3,
        palaces={"red": {10000: "green-priest-1"}},
        applicants={
            "red": ["blue-priest-1", "green-clerk-1", "blue-scientist-1", "yellow-clerk-1"]
        },
    )


def test_one_turn_holds_all_three_kinds_in_their_order():
    """Edge 21: uncontested, external, internal, then sending; the same player pays each time."""
    game = all_three_kinds()
    stages = [game.stage]
    moves = [
        lambda: game.bribe({"blue-scientist-1": 1000}),
        lambda: game.place({"blue-scientist-1": 6000}),
        lambda: game.bribe({"yellow-clerk-1": 2000}),
        lambda: game.bribe({"green-clerk-1": 1000}),
        lambda: game.place({"green-clerk-1": 3000}),
        lambda: game.bribe({"green-priest-1": 4000}),
        lambda: game.bribe({"blue-priest-1": 5000}),
        lambda: game.judge("blue-priest-1"),
    ]
    for move in moves:
        move()
        if game.stage != stages[-1]:
            stages.append(game.stage)
    assert stages == [
        "uncontested-bribes",
        "placement",
        "external-bribes",
        "hiring",
        "internal-bribes",
        "judgement",
        "sending",
    ]
    assert game.palace("red") == {
        6000: "blue-scientist-1",
        3000: "green-clerk-1",
        10000: "blue-priest-1",
    }
    assert game.island == ["green-priest-1", "yellow-clerk-1"]
    assert game.change == {"red": 13000, "blue": -6000, "yellow": -2000, "green": -5000}


def test_external_bribers_see_which_areas_are_left():
    """Edge 66: uncontested applicants have their areas before any external bribe."""
    game = all_three_kinds()
    game.bribe({"blue-scientist-1": 1000})
    game.place({"blue-scientist-1": 6000})
    assert game.stage == "external-bribes"
    assert game.palace("red") == {10000: "green-priest-1", 6000: "blue-scientist-1"}
    game.let_pass("yellow")
    game.let_pass("green")
    with game.refuses("area", "Each scholar needs an area of its own; open are 1000, 3000."):
        game.place({"yellow-clerk-1": 6000})


def test_uncontested_applicants_are_all_placed_at_once_each_in_its_own_area():
    """Edges 60 and 66: nobody can be refused, no area is given twice."""
    game = at(
        "mayfair-2005", FOUR, round=2, applicants={"red": ["blue-clerk-1", "yellow-priest-1"]}
    )
    game.let_pass("yellow")
    game.let_pass("blue")
    one_each = "Exactly one scholar each must be hired of: yellow-priest-1; blue-clerk-1."
    own_area = "Each scholar needs an area of its own; open are 1000, 6000, 10000, 3000."
    with game.refuses("contenders", one_each):
        game.place({"blue-clerk-1": 1000})
    with game.refuses("area", own_area):
        game.place({"blue-clerk-1": 1000, "yellow-priest-1": 1000})
    with game.refuses("area", own_area):
        game.place({"blue-clerk-1": 1000, "yellow-priest-1": 2000})
    game.place({"blue-clerk-1": 10000, "yellow-priest-1": 1000})
    assert game.palace("red") == {10000: "blue-clerk-1", 1000: "yellow-priest-1"}
    assert game.island == []


def test_all_external_conflicts_are_bribed_in_one_round_and_decided_together():
    """Edge 22: one pass of bribes by seat over every conflict, then all decisions."""
    game = at(
        "mayfair-2005",
        FIVE,
        round=2,
        active="red",
        applicants={
            "red": ["violet-clerk-1", "yellow-scientist-1", "blue-scientist-1", "yellow-clerk-1"]
        },
    )
    assert game.contenders() == [
        "yellow-scientist-1",
        "yellow-clerk-1",
        "blue-scientist-1",
        "violet-clerk-1",
    ]
    game.bribe({"yellow-clerk-1": 1000, "yellow-scientist-1": 2000})
    game.bribe({"blue-scientist-1": 1000})
    game.bribe({"violet-clerk-1": 1000})
    assert legal(game.state, game.seat("red")) == PlaceChoice(
        conflicts=(
            (game.state.contenders[0], game.state.contenders[2]),
            (game.state.contenders[1], game.state.contenders[3]),
        ),
        open_areas=(1000, 6000, 10000, 3000),
    )
    game.place({"yellow-clerk-1": 1000, "blue-scientist-1": 10000})
    assert game.island == ["violet-clerk-1", "yellow-scientist-1"]


def test_an_area_keeps_its_occupation_when_its_resident_is_replaced():
    """Edge 28: the next scholar of that occupation attacks the same area."""
    game = at(
        "mayfair-2005",
        "red yellow green",
        round=2,
        palaces={"red": {6000: "yellow-priest-1"}},
        applicants={"red": ["green-priest-1"]},
    )
    game.let_pass("yellow")
    game.let_pass("green")
    game.judge("green-priest-1")
    game.send({"red-clerk-1": "yellow", "red-clerk-2": "green"})
    game.let_pass("red")
    game.let_pass("yellow")
    game.send({"yellow-priest-2": "red", "yellow-clerk-1": "green"})
    while game.stage != "sending":
        game.let_pass(game.waiting[0])
    game.send({"green-clerk-1": "yellow", "green-clerk-2": "yellow"})
    assert game.state.area == 6000
    assert game.contenders() == ["green-priest-1", "yellow-priest-2"]
