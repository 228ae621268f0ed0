"""Which promises to a seat its decision is about, and what its moves leave without a condition."""

import pytest

from games.engine import EDITIONS, view
from games.engine.at_stake import agreed_bribes, is_at_stake
from games.engine.moves import Bribe
from games.engine.owed import undone_by_moves
from tests.engine.negotiating import ALONE, ATTACK, CONTEST, both_pay, contested, negotiated_at

pytestmark = pytest.mark.parametrize("edition", EDITIONS)

FOR_YELLOW = {"bribe": "yellow-0-1", "least": 4}
PEACE = {"form": "send-nobody", "until": 4}


def at_stake(game, player):
    """The numbers of the offers that the player has to reckon with now."""
    seen = view(game.state, game.seat(player))
    return [one.id for one in game.ledger if is_at_stake(seen, one)]


def agreed(game, player, scholar):
    """What was agreed to be paid, in units."""
    seen = view(game.state, game.seat(player))
    who = game.state.table.scholars[game.name(scholar)]
    return [amount // game.unit for amount in agreed_bribes(seen, game.ledger, who)]


def unmet(game, player, **units):
    """The deeds of those promises which such bribes leave without their condition."""
    scholars = {
        name: game.state.table.scholars[game.name(name.replace("_", "-"))] for name in units
    }
    move = Bribe(tuple((scholars[name], amount * game.unit) for name, amount in units.items()))
    seat = game.seat(player)
    return [
        (type(one.deed).__name__, one.seat)
        for one in undone_by_moves(game.ledger, game.state, seat, [move]).unmet
    ]


def test_an_owners_promises_for_the_bribe_and_about_the_contender_count(edition):
    game = contested(edition)
    game.owes("red", "yellow", form="hire", scholar="yellow-0-1", returns=FOR_YELLOW)
    game.owes("red", "yellow", **PEACE, returns=FOR_YELLOW)
    game.owes("red", "yellow", form="hire", scholar="yellow-0-1")
    game.owes("red", "yellow", form="give-area", least=1)
    assert at_stake(game, "yellow") == [1, 2, 3, 4]
    assert agreed(game, "yellow", "yellow-0-1") == [4]
    assert at_stake(game, "red") == at_stake(game, "green") == []


def test_what_a_rival_pays_at_most_counts(edition):
    game = contested(edition)
    game.owes("green", "yellow", form="pay-at-most", scholar="green-0-1", most=3)
    assert at_stake(game, "yellow") == [1]
    assert agreed(game, "yellow", "yellow-0-1") == []


def test_another_turn_another_scholar_and_what_is_only_offered_are_kept_out(edition):
    game = negotiated_at(
        edition, applicants={"red": ["yellow-0-1", "green-0-1"], "green": ["yellow-1-1"]}
    )
    later = {"bribe": "yellow-1-1", "least": 4}
    game.owes("green", "yellow", form="place", scholar="yellow-1-1", area=0, returns=later)
    game.owes("red", "green", form="hire", scholar="green-0-1")
    game.owes("red", "yellow", form="place", scholar="yellow-2-1", area=0)
    game.owes("red", "yellow", **PEACE)
    withdrawn = game.offers("red", "yellow", form="hire", scholar="yellow-0-1", returns=FOR_YELLOW)
    game.says("red", "withdrawn", withdrawn)
    game.offers("red", "yellow", **PEACE, returns=FOR_YELLOW)
    assert at_stake(game, "yellow") == []
    assert agreed(game, "yellow", "yellow-0-1") == []
    assert unmet(game, "yellow", yellow_0_1=1) == []


def test_what_was_judged_is_kept_out(edition):
    game = negotiated_at(edition, **ATTACK)
    game.owes("red", "yellow", **PEACE, returns=FOR_YELLOW)
    assert at_stake(game, "yellow") == [1]
    both_pay(game, 1, 1)
    assert game.verdicts == ["void"]
    assert at_stake(game, "yellow") == at_stake(game, "red") == []


def test_a_sending_may_rely_on_what_an_owner_promised(edition):
    game = negotiated_at(edition)
    bribe = {"bribe": "red-0-1", "least": 4}
    game.owes("yellow", "red", form="place", scholar="red-0-1", area=0, returns=bribe)
    game.owes("yellow", "red", form="give-area", least=1)
    game.owes("yellow", "red", **PEACE)
    game.owes("red", "yellow", **PEACE)
    assert at_stake(game, "red") == [1, 2]


def test_the_decision_before_a_joined_sending_tells_of_it_too(edition):
    game = negotiated_at(edition, **CONTEST)
    game.owes("yellow", "red", form="give-area", least=1)
    both_pay(game, 2, 3)
    assert at_stake(game, "red") == [1]


def test_a_bribe_that_the_seat_has_promised_is_agreed(edition):
    game = contested(edition)
    back = {"form": "pay", "scholar": "yellow-0-1", "least": 3}
    game.owes("red", "yellow", form="hire", scholar="yellow-0-1", returns=back)
    game.owes("yellow", "red", form="pay", least=5)
    game.owes("yellow", "green", **PEACE)
    assert agreed(game, "yellow", "yellow-0-1") == [3, 5]


def test_a_bribe_for_the_next_applicant_is_agreed_for_the_only_one(edition):
    game = negotiated_at(edition, applicants={"red": ["yellow-0-1", "yellow-1-1"]})
    game.owes("yellow", "red", form="pay", least=5)
    assert agreed(game, "yellow", "yellow-0-1") == agreed(game, "yellow", "yellow-1-1") == []
    game = negotiated_at(edition, **ALONE)
    game.owes("yellow", "red", form="pay", least=5)
    assert agreed(game, "yellow", "yellow-0-1") == [5]


def test_a_lower_bribe_leaves_the_condition_unmet(edition):
    game = contested(edition)
    red = game.seat("red")
    game.owes("red", "yellow", form="hire", scholar="yellow-0-1", returns=FOR_YELLOW)
    assert unmet(game, "yellow", yellow_0_1=3) == [("Hire", red)]
    assert unmet(game, "yellow", yellow_0_1=4) == []


def test_a_broken_promise_ends_what_was_promised_in_return(edition):
    game = contested(edition)
    back = {"form": "pay", "scholar": "yellow-0-1", "least": 3}
    game.owes("red", "yellow", form="hire", scholar="yellow-0-1", returns=back)
    hire = {"form": "hire", "scholar": "yellow-0-1"}
    game.owes("yellow", "red", form="pay", scholar="yellow-0-1", least=3, returns=hire)
    red = game.seat("red")
    assert unmet(game, "yellow", yellow_0_1=2) == [("Hire", red), ("Hire", red)]
    assert unmet(game, "yellow", yellow_0_1=3) == []
