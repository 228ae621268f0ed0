"""Hard cases of internal conflicts: their order, who must bribe, and who may win.

Rulings and edge cases are those of docs/rules.md, quoted in own words.
"""

import pytest

from games.engine import JudgeChoice, legal
from tests.engine.cases import at

FOUR = "red yellow green blue"
FIVE = "red yellow green blue violet"


def two_internal_conflicts(edition, options):
    return at(
        edition,
        FOUR,
        options,
        round=3,
        palaces={"red": {1000: "green-doctor-1", 10000: "blue-priest-1"}},
        applicants={"red": ["yellow-doctor-1", "yellow-priest-1"]},
    )


@pytest.mark.parametrize(
    ("edition", "options", "first", "second"),
    [
        ("mayfair-2005", {}, 1000, 10000),
        ("russian", {}, 10000, 1000),
        ("mayfair-2005", {"internal_order": "descending"}, 10000, 1000),
        ("russian", {"internal_order": "ascending"}, 1000, 10000),
    ],
)
def test_internal_conflicts_come_by_salary(edition, options, first, second):
    """Ruling 1: lowest salary first, in the Russian rules highest first."""
    game = two_internal_conflicts(edition, options)
    fought_for = []
    while game.stage == "internal-bribes":
        fought_for.append(game.state.area)
        while game.stage == "internal-bribes" and game.state.area == fought_for[-1]:
            game.let_pass(game.waiting[0])
        game.let_pass("red")
    assert fought_for == [first, second]


def attacked_by_three(attackers="highest"):
    return at(
        "reference-manual",
        FIVE,
        {"attackers": attackers},
        round=2,
        palaces={"red": {6000: "yellow-healer-1"}},
        applicants={"red": ["green-healer-1", "blue-healer-1", "violet-healer-1"]},
    )


def bribed(game, *amounts):
    scholars = ("yellow-healer-1", "green-healer-1", "blue-healer-1", "violet-healer-1")
    for scholar, amount in zip(scholars, amounts, strict=True):
        game.bribe({scholar: amount})
    return game


def may_win(game):
    choice = legal(game.state, game.seat("red"))
    assert isinstance(choice, JudgeChoice)
    assert choice.area == 6000
    return [game.state.table.names[scholar].split("-")[0] for scholar in choice.winners]


def test_only_the_highest_attacker_can_beat_the_resident():
    """Ruling 1: the defender, or the attacker with the highest attacking bribe."""
    game = bribed(attacked_by_three(), 1000, 3000, 5000, 4000)
    assert may_win(game) == ["yellow", "blue"]
    with game.refuses("contenders", "The winner must be one of yellow-healer-1, blue-healer-1."):
        game.judge("violet-healer-1")
    game.judge("blue-healer-1")
    assert game.palace("red") == {6000: "blue-healer-1"}


def test_all_attackers_tied_for_the_highest_bribe_can_win():
    """Edge 64."""
    game = bribed(attacked_by_three(), 1000, 5000, 3000, 5000)
    assert may_win(game) == ["yellow", "green", "violet"]


def test_the_defenders_own_bribe_does_not_make_an_attack_too_low():
    """Ruling 1: highest among the attacks, however much the resident paid."""
    game = bribed(attacked_by_three(), 9000, 1000, 2000, 1000)
    assert may_win(game) == ["yellow", "blue"]


def test_anyone_may_win_where_the_edition_says_so():
    """Edge 63: the owner may pick the lower bribe."""
    game = bribed(attacked_by_three("any"), 9000, 1000, 2000, 1000)
    assert may_win(game) == ["yellow", "green", "blue", "violet"]
    game.judge("green-healer-1")
    assert game.palace("red") == {6000: "green-healer-1"}


def test_the_defenders_second_scholar_may_be_the_highest_attacker():
    """Rulings 1 and 2 together: it counts as an attack like any other."""
    game = at(
        "reference-manual",
        FOUR,
        round=2,
        palaces={"red": {6000: "yellow-healer-1"}},
        applicants={"red": ["yellow-healer-2", "green-healer-1"]},
    )
    game.bribe({"yellow-healer-1": 8000, "yellow-healer-2": 3000})
    game.bribe({"green-healer-1": 2000})
    with game.refuses("contenders", "The winner must be one of yellow-healer-1, yellow-healer-2."):
        game.judge("green-healer-1")
    game.judge("yellow-healer-2")
    assert game.island == ["green-healer-1", "yellow-healer-1"]


def test_a_defender_who_passed_may_be_kept():
    """Edge 65: with the defender's bribe optional, 0 is a pass and the area can stay his."""
    game = bribed(attacked_by_three(), 0, 3000, 5000, 4000)
    assert may_win(game) == ["yellow", "blue"]
    game.judge("yellow-healer-1")
    assert game.palace("red") == {6000: "yellow-healer-1"}
    assert game.island == ["blue-healer-1", "green-healer-1", "violet-healer-1"]
    assert game.change == {"red": 12000, "green": -3000, "blue": -5000, "violet": -4000}


def test_between_passing_and_the_minimum_is_nothing():
    """Edge 41: 0 or at least the minimum, for the resident only."""
    game = attacked_by_three()
    rule = "The bribe for yellow-healer-1 must be a multiple of 1000 from 1000 on, or 0 to pass."
    for amount in (500, -1000, 1500):
        with game.refuses("amount", rule):
            game.bribe({"yellow-healer-1": amount})
    game.bribe({"yellow-healer-1": 0})
    rule = "The bribe for green-healer-1 must be a multiple of 1000 and at least 1000."
    with game.refuses("amount", rule):
        game.bribe({"green-healer-1": 0})


def test_only_the_residents_owner_is_offered_to_pass():
    """The choice that forms show: nobody else's names the resident."""
    game = attacked_by_three()
    defender = game.state.contenders[0]
    assert legal(game.state, game.seat("yellow")).may_pass == (defender,)
    game.bribe({"yellow-healer-1": 0})
    assert legal(game.state, game.seat("green")).may_pass == ()


def test_a_resident_must_bribe_where_the_edition_says_so():
    """Ruling 1: the defender's bribe is required in the other editions."""
    game = two_internal_conflicts("mayfair-2005", {})
    rule = "The bribe for green-doctor-1 must be a multiple of 1000 and at least 1000."
    with game.refuses("amount", rule):
        game.bribe({"green-doctor-1": 0})


def test_an_attacker_of_the_defenders_owner_may_not_pass():
    """Edge 38: only as defender may he pass."""
    game = at(
        "reference-manual",
        FOUR,
        round=2,
        palaces={"red": {6000: "yellow-healer-1"}},
        applicants={"red": ["yellow-healer-2"]},
    )
    rule = "The bribe for yellow-healer-2 must be a multiple of 1000 and at least 1000."
    with game.refuses("amount", rule):
        game.bribe({"yellow-healer-1": 0, "yellow-healer-2": 0})
    game.bribe({"yellow-healer-1": 0, "yellow-healer-2": 1000})
    assert game.change == {"red": 1000, "yellow": -1000}


def test_a_resident_nobody_attacks_pays_nothing_and_stays():
    """Edge 40."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        palaces={"red": {6000: "yellow-priest-1", 1000: "blue-clerk-1"}},
        applicants={"red": ["green-priest-1"]},
    )
    assert game.contenders() == ["yellow-priest-1", "green-priest-1"]
    game.let_pass("yellow")
    game.let_pass("green")
    game.judge("green-priest-1")
    assert game.palace("red") == {6000: "green-priest-1", 1000: "blue-clerk-1"}
    assert "blue" not in game.change
