"""What a seat owes, and which standing orders would break it."""

import pytest

from games.engine import EDITIONS, view
from games.engine.ledger import follow
from games.engine.moves import Send
from games.engine.orders import (
    HighestBribes,
    PayAbove,
    PayAmount,
    PayMinimum,
    SendThese,
)
from games.engine.owed import broken_by, owed_by
from games.engine.promises import Verdict
from games.engine.rules import step
from tests.engine.negotiating import ALONE, CONTEST, both_pay, contested, negotiated_at

pytestmark = pytest.mark.parametrize("edition", EDITIONS)


def broken(game, player, order, scholar=None):
    """The numbers of the offers that the order would break now."""
    seen = view(game.state, game.seat(player))
    who = None if scholar is None else game.state.table.scholars[game.name(scholar)]
    promises = broken_by(seen, game.ledger, who, order)
    return [one.id for one in game.ledger if set(one.owed) & set(promises)]


def sends(game, **palaces):
    table = game.state.table
    return SendThese(
        tuple(
            (table.scholars[game.name(one.replace("_", "-"))], game.seat(to))
            for one, to in palaces.items()
        )
    )


@pytest.mark.parametrize(
    ("terms", "breaks"),
    [
        ({"form": "send-nobody", "until": 2}, True),
        ({"form": "send-nobody", "until": 2, "occupation": 0}, True),
        ({"form": "send-nobody", "until": 2, "occupation": 2}, False),
        ({"form": "send"}, False),
        ({"form": "send", "occupation": 0}, False),
        ({"form": "send", "occupation": 2}, True),
    ],
)
def test_a_sending_that_was_promised(edition, terms, breaks):
    game = negotiated_at(edition)
    game.owes("red", "yellow", **terms)
    order = sends(game, red_0_1="yellow", red_1_1="blue")
    assert broken(game, "red", order) == [1] * breaks
    before, made = game.state, step(game.state, game.seat("red"), Send(order.scholars))
    [entry] = follow(game.ledger, before, made.events)
    assert (entry.verdict is Verdict.BROKEN) == breaks
    away = sends(game, red_0_1="green", red_1_1="blue")
    assert broken(game, "red", away) == [1] * (terms["form"] == "send")


def test_peace_that_ends_before_the_next_turn(edition):
    game = negotiated_at(edition)
    game.owes("red", "yellow", form="send-nobody", until=2)
    game.sends(red_0_1="green", red_0_2="blue")
    assert broken(game, "red", sends(game, red_1_1="yellow", red_1_2="blue")) == []


@pytest.mark.parametrize(
    ("form", "terms", "order", "breaks"),
    [
        ("pay", {"scholar": "yellow-0-1", "least": 3}, 2, True),
        ("pay", {"scholar": "yellow-0-1", "least": 3}, 3, False),
        ("pay", {"least": 3}, 2, True),
        ("pay", {"least": 3}, "minimum", True),
        ("pay-at-most", {"scholar": "yellow-0-1", "most": 3}, 4, True),
        ("pay-at-most", {"scholar": "yellow-0-1", "most": 3}, 3, False),
        ("pay-at-most", {"scholar": "yellow-0-1", "most": 3}, "minimum", False),
    ],
)
def test_a_bribe_that_was_promised(edition, form, terms, order, breaks):
    game = contested(edition)
    game.owes("yellow", "red", form=form, **terms)
    given = PayMinimum() if order == "minimum" else PayAmount(order * game.unit)
    assert broken(game, "yellow", given, "yellow-0-1") == [1] * breaks


def test_more_than_the_highest_bribe_counts_as_things_stand(edition):
    game = contested(edition, options={"bribing": "sequential"})
    game.owes("green", "yellow", form="pay-at-most", scholar="green-0-1", most=3)
    above = PayAbove(game.unit, 20 * game.unit, then_limit=False)
    assert broken(game, "green", above, "green-0-1") == []
    game.pays("yellow-0-1", 3)
    assert broken(game, "green", above, "green-0-1") == [1]


def test_a_decision_by_the_bribes(edition):
    game = contested(edition)
    game.owes("red", "yellow", form="hire", scholar="yellow-0-1")
    assert broken(game, "red", HighestBribes()) == []  # nothing has been paid yet
    both_pay(game, 2, 3)
    assert broken(game, "red", HighestBribes()) == [1]


def test_an_area_that_was_promised(edition):
    game = negotiated_at(edition, **ALONE)
    game.owes("red", "yellow", form="place", scholar="yellow-0-1", area=0)
    game.pays("yellow-0-1", 2)
    assert broken(game, "red", HighestBribes()) == [1]  # the default gives the highest salary


def test_what_waits_for_a_bribe_is_not_owed_yet_and_what_is_in_return_is(edition):
    game = negotiated_at(edition, **CONTEST)
    bribe = {"bribe": "yellow-0-1", "least": 2}
    game.owes("red", "yellow", form="send-nobody", until=2, returns=bribe)
    assert owed_by(game.ledger, game.seat("red")) == []
    back = {"form": "send-nobody", "until": 2}
    game.owes("green", "red", form="send-nobody", until=2, returns=back)
    [owed] = owed_by(game.ledger, game.seat("red"))
    assert owed.to == game.seat("green")
    both_pay(game, 2, 1)
    assert len(owed_by(game.ledger, game.seat("red"))) == 2
