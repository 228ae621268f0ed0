"""Standing orders: which may be left, and how they are written (async-rules 5)."""

import json

import pytest

from games.engine import view
from games.engine.errors import BadOrder
from games.engine.order_codec import decode_order, encode_order
from games.engine.orders import (
    HighestBribes,
    PayAbove,
    PayAmount,
    PayMinimum,
    PayNothing,
    SendThese,
    amount_now,
    may_order,
    move_at_deadline,
    refuse_order,
)
from tests.engine.cases import at
from tests.engine.playouts import FEWER, play
from tests.engine.standing_orders import FOUR, attacked, external, played, scholar, seen, sending


def offered(game, player):
    names = game.state.table.names
    return {names[one.scholar]: one[2:] for one in may_order(seen(game, player)).bribes}


def test_bribes_may_be_ordered_for_scholars_at_a_door_or_with_an_area():
    game = at(
        "reference-manual",
        FOUR,
        {"uncontested_min_bribe": 10000},
        round=2,
        palaces={"blue": {1000: "green-scribe-1"}, "yellow": {1000: "red-scribe-1"}},
        applicants={
            "red": ["green-healer-1", "yellow-healer-1"],
            "yellow": ["green-scribe-2", "green-alchemist-1"],
        },
    )
    game.bribe({"yellow-healer-1": 1000})
    assert offered(game, "green") == {
        "green-healer-1": (1000, 1000, False, True),
        "green-scribe-1": (1000, 1000, True, False),
        "green-scribe-2": (1000, 1000, False, True),
        "green-alchemist-1": (10000, 1000, False, False),
    }
    assert offered(game, "yellow") == {}, "what is paid is paid"


def test_a_hired_scholar_may_be_ordered_for_as_a_resident_as_soon_as_the_conflict_is_over():
    game = at("reference-manual", FOUR, round=2, applicants={"red": ["green-healer-1"]})
    game.bribe({"green-healer-1": 3000})
    assert offered(game, "green") == {}
    game.place({"green-healer-1": 6000})
    assert game.stage == "sending"
    assert offered(game, "green") == {"green-healer-1": (1000, 1000, True, False)}


def test_orders_at_a_door_in_sealed_bribing_name_an_amount():
    game = external(options={"bribing": "simultaneous"})
    clerk = scholar(game, "green-clerk-1")
    refuse_order(seen(game, "green"), clerk, PayAmount(3000))
    above = PayAbove(1000, 8000, then_limit=True)
    with pytest.raises(BadOrder, match="Nobody's bribes are seen here"):
        refuse_order(seen(game, "green"), clerk, above)
    assert played(game, "green", {"green-clerk-1": above}) is None
    assert amount_now(seen(game, "green"), clerk, above) is None
    game.bribe({"green-clerk-1": 2000})
    assert offered(game, "green") == {}


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (PayAmount(2500), "The bribe must be a multiple of 1000 and at least 1000."),
        (PayAmount(0), "The bribe must be a multiple of 1000 and at least 1000."),
        (PayAmount(-1000), "The bribe must be a multiple of 1000 and at least 1000."),
        (PayNothing(), "Only a resident of an edition that allows it may pass."),
        (
            PayAbove(0, 8000, then_limit=True),
            "What is paid above the highest bribe must be a multiple of 1000 and at least 1000.",
        ),
        (
            PayAbove(1000, 0, then_limit=True),
            "The limit must be a multiple of 1000 and at least 1000.",
        ),
        (
            PayAbove(1000, 1500, then_limit=True),
            "The limit must be a multiple of 1000 and at least 1000.",
        ),
    ],
)
def test_what_can_never_be_is_refused(order, sentence):
    game = external()
    with pytest.raises(BadOrder) as refusal:
        refuse_order(seen(game, "green"), scholar(game, "green-clerk-1"), order)
    assert str(refusal.value) == sentence


def test_more_than_ones_cash_may_be_ordered_there_may_be_more_in_time():
    game = external(cash=0)
    refuse_order(seen(game, "green"), scholar(game, "green-clerk-1"), PayAmount(20000))


ABOVE = PayAbove(1000, 8000, then_limit=False)


def test_nobody_bribes_before_a_resident_or_beside_one_who_is_uncontested():
    defended = attacked("reference-manual")
    alone = at("mayfair-2005", FOUR, round=2, applicants={"red": ["green-clerk-1"]})
    for game, player, name in (
        (defended, "yellow", "yellow-healer-1"),
        (alone, "green", "green-clerk-1"),
    ):
        with pytest.raises(BadOrder, match="No rival bribes before this scholar"):
            refuse_order(seen(game, player), scholar(game, name), ABOVE)
    assert played(alone, "green", {"green-clerk-1": ABOVE}) is None
    assert played(alone, "green", {"green-clerk-1": ABOVE}, move_at_deadline) == {
        "green-clerk-1": 1000
    }


@pytest.mark.parametrize("name", ["blue-clerk-1", "green-clerk-2", None])
def test_an_order_is_for_ones_own_scholar_at_a_door(name):
    game = external()
    with pytest.raises(BadOrder, match="only for one's own scholar"):
        refuse_order(seen(game, "green"), name and scholar(game, name), PayMinimum())


def test_a_sending_is_checked_against_what_is_left_to_send():
    game = external()
    refuse_order(
        seen(game, "green"), None, sending(game, {"green-priest-1": "red", "green-priest-2": "red"})
    )
    with pytest.raises(BadOrder, match="Exactly 2 different scholars must be sent"):
        refuse_order(seen(game, "green"), None, sending(game, {"green-clerk-1": "red"}))
    with pytest.raises(BadOrder, match="Scholars go to the palaces of others"):
        refuse_order(
            seen(game, "green"),
            None,
            sending(game, {"green-priest-1": "green", "green-doctor-1": "red"}),
        )


@pytest.mark.parametrize(
    ("round_", "player", "decides", "sends"),
    [(4, "red", True, False), (4, "green", True, True), (5, "red", False, False)],
)
def test_after_the_last_turn_there_is_nothing_to_order(round_, player, decides, sends):
    """Yellow is active; red has had its turn of this round and green has not."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=round_,
        active="yellow",
        applicants={"yellow": ["blue-clerk-1"]},
    )
    choice = may_order(seen(game, player))
    assert (choice.decision, choice.sending is not None) == (decides, sends)
    if not decides:
        with pytest.raises(BadOrder, match="no decision to come"):
            refuse_order(seen(game, player), None, HighestBribes())
    if not sends:
        with pytest.raises(BadOrder, match="nothing to be sent"):
            refuse_order(seen(game, player), None, SendThese(()))


def test_spectators_and_finished_games_have_no_orders():
    *_, last = play(FEWER[0].begin(), seed=2)
    for nothing in (may_order(view(last.made.state, 0)), may_order(view(last.before, None))):
        assert nothing == ((), False, None)


def test_orders_survive_json():
    game = external()
    table = game.state.table
    for order in (
        PayAmount(3000),
        PayMinimum(),
        PayAbove(1000, 8000, then_limit=True),
        PayNothing(),
        HighestBribes(),
        sending(game, {"green-priest-1": "red", "green-priest-2": "blue"}),
    ):
        assert decode_order(table, json.loads(json.dumps(encode_order(table, order)))) == order


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"kind": "all"},
        {"kind": ["amount"]},
        {"kind": "amount"},
        {"kind": "amount", "amount": True},
        {"kind": "amount", "amount": 1.0},
        {"kind": "amount", "amount": 1000, "more": 1},
        {"kind": "above", "more": 1000, "limit": 5000, "then_limit": 1},
        {"kind": "send", "scholars": {}},
        {"kind": "send", "scholars": [["green-clerk-1"]]},
        {"kind": "send", "scholars": [["green-clerk-1", "pink"]]},
        {"kind": "send", "scholars": [["green-clerk-9", "red"]]},
        {"kind": "send", "scholars": [[["green"], "red"]]},
    ],
)
def test_what_is_no_order_is_refused(value):
    with pytest.raises(BadOrder):
        decode_order(external().state.table, value)
