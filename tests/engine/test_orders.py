"""Standing orders: what may be left, what they would pay, what they play (async-rules 5)."""

import json
from random import Random

import pytest

from games.engine import (
    Bribe,
    BribeChoice,
    PlaceChoice,
    SendChoice,
    awaited,
    check,
    default_move,
    step,
    view,
)
from games.engine.errors import BadOrder
from games.engine.order_codec import decode_order, encode_order
from games.engine.orders import (
    HighestBribes,
    Orders,
    PayAbove,
    PayAmount,
    PayMinimum,
    PayNothing,
    SendThese,
    amount_now,
    may_order,
    move_at_deadline,
    move_of_orders,
    refuse_order,
)
from tests.engine.cases import at
from tests.engine.playouts import FEWER, mixed_settings, play, wild_move

FOUR = "red yellow green blue"


def seen(game, player):
    return view(game.state, game.seat(player))


def scholar(game, name):
    return game.state.table.scholars[name]


def orders(game, bribes, **more):
    return Orders({scholar(game, name): order for name, order in bribes.items()}, **more)


def played(game, player, bribes, play_out=move_of_orders):
    """The amounts that these bribe orders play now, by scholar; None: the player is asked."""
    move = play_out(seen(game, player), orders(game, bribes))
    if move is None:
        return None
    names = game.state.table.names
    return {names[one]: amount for one, amount in move.bribes}


def external(cash=32000, options=None, edition="mayfair-2005"):
    """Three clerks at red's door; yellow has paid 4,000, green is asked next, then blue."""
    game = at(
        edition,
        FOUR,
        options,
        round=2,
        cash={"red": 32000, "yellow": 32000, "green": cash, "blue": 32000},
        applicants={"red": ["yellow-clerk-1", "green-clerk-1", "blue-clerk-1"]},
    )
    if not options:
        game.bribe({"yellow-clerk-1": 4000})
    return game


def two_of_green(cash=32000):
    """Green has a priest and a clerk in two external conflicts with yellow's."""
    applicants = ["yellow-clerk-1", "green-clerk-1", "yellow-priest-1", "green-priest-1"]
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        cash={"red": 32000, "yellow": 32000, "green": cash, "blue": 32000},
        applicants={"red": applicants},
    )
    game.bribe({"yellow-clerk-1": 4000, "yellow-priest-1": 7000})
    return game


def attacked(edition="reference-manual", cash=32000):
    """Yellow's healer in red's palace is attacked by green's: yellow is asked first."""
    return at(
        edition,
        FOUR,
        round=2,
        cash={"red": 32000, "yellow": cash, "green": 32000, "blue": 32000},
        palaces={"red": {6000: "yellow-healer-1"}},
        applicants={"red": ["green-healer-1"]},
    )


@pytest.mark.parametrize(
    ("order", "pays"),
    [
        (PayAmount(6000), 6000),
        (PayMinimum(), 1000),
        (PayAbove(1000, 8000, then_limit=False), 5000),
        (PayAbove(4000, 8000, then_limit=False), 8000),
        (PayAbove(5000, 8000, then_limit=False), 1000),
        (PayAbove(5000, 8000, then_limit=True), 8000),
    ],
)
def test_what_an_order_pays(order, pays):
    game = external()
    assert played(game, "green", {"green-clerk-1": order}) == {"green-clerk-1": pays}
    assert amount_now(seen(game, "green"), scholar(game, "green-clerk-1"), order) == pays


@pytest.mark.parametrize(
    ("cash", "order", "pays"),
    [
        (4000, PayAbove(1000, 8000, then_limit=False), 1000),
        (4000, PayAbove(1000, 8000, then_limit=True), 1000),
        (8000, PayAbove(5000, 8000, then_limit=True), 8000),
        (7000, PayAbove(5000, 8000, then_limit=True), 1000),
        (0, PayAbove(1000, 8000, then_limit=True), 1000),
        (0, PayMinimum(), 1000),
    ],
)
def test_past_the_cash_it_is_the_minimum(cash, order, pays):
    assert played(external(cash), "green", {"green-clerk-1": order}) == {"green-clerk-1": pays}


def test_the_highest_of_others_counts_not_ones_own_and_only_of_the_same_conflict():
    game = two_of_green()
    above = PayAbove(1000, 20000, then_limit=False)
    assert played(game, "green", {"green-clerk-1": above, "green-priest-1": above}) == {
        "green-clerk-1": 5000,
        "green-priest-1": 8000,
    }


def test_contenders_are_paid_in_their_order_out_of_one_purse():
    """The priest comes first in card order, so that the clerk finds the rest."""
    game = two_of_green(cash=9000)
    above = PayAbove(1000, 20000, then_limit=False)
    assert list(
        played(game, "green", {"green-clerk-1": above, "green-priest-1": above}).items()
    ) == [
        ("green-priest-1", 8000),
        ("green-clerk-1", 1000),
    ]


def test_the_whole_question_must_be_covered():
    game = two_of_green()
    assert played(game, "green", {"green-clerk-1": PayMinimum()}) is None
    assert played(game, "green", {}) is None


def test_none_yet_is_the_minimum():
    game = at(
        "mayfair-2005",
        FOUR,
        round=2,
        applicants={"red": ["yellow-clerk-1", "green-clerk-1"]},
    )
    above = PayAbove(1000, 8000, then_limit=True)
    assert played(game, "yellow", {"yellow-clerk-1": above}) == {"yellow-clerk-1": 1000}
    assert amount_now(seen(game, "green"), scholar(game, "green-clerk-1"), above) == 1000


def test_an_order_waits_until_its_seat_is_asked():
    game = external()
    assert played(game, "blue", {"blue-clerk-1": PayMinimum()}) is None
    assert amount_now(seen(game, "blue"), scholar(game, "blue-clerk-1"), PayMinimum()) == 1000


def test_who_may_pass_can_order_it():
    game = attacked()
    assert played(game, "yellow", {"yellow-healer-1": PayNothing()}) == {"yellow-healer-1": 0}
    refuse_order(seen(game, "yellow"), scholar(game, "yellow-healer-1"), PayNothing())


@pytest.mark.parametrize("cash", [3000, 0])
def test_what_is_too_dear_asks_the_player_and_at_the_deadline_pays_the_nearest_lower(cash):
    game = external(cash)
    dear = {"green-clerk-1": PayAmount(6000)}
    assert played(game, "green", dear) is None
    assert (
        amount_now(seen(game, "green"), scholar(game, "green-clerk-1"), dear["green-clerk-1"])
        is None
    )
    assert played(game, "green", dear, move_at_deadline) == {"green-clerk-1": max(cash, 1000)}


def test_at_the_deadline_each_part_has_its_order_or_its_default():
    game = two_of_green(cash=9000)
    assert played(game, "green", {"green-clerk-1": PayAmount(5000)}, move_at_deadline) == {
        "green-priest-1": 1000,
        "green-clerk-1": 5000,
    }
    assert played(game, "green", {"green-priest-1": PayAmount(9000)}, move_at_deadline) == {
        "green-priest-1": 9000,
        "green-clerk-1": 1000,
    }


def test_at_the_deadline_less_than_the_minimum_is_to_pass_where_one_may():
    low = {"yellow-healer-1": PayAmount(0)}
    assert played(attacked(), "yellow", low, move_at_deadline) == {"yellow-healer-1": 0}


def test_the_default_is_played_where_nothing_was_ordered():
    for moment in play(FEWER[0].begin(), seed=5):
        state, seat = moment.before, moment.seat
        assert move_of_orders(view(state, seat), Orders()) is None
        assert move_at_deadline(view(state, seat), Orders()) == default_move(state, seat)


def test_nobody_who_is_not_asked_has_a_deadline():
    with pytest.raises(ValueError, match="not awaited"):
        move_at_deadline(seen(external(), "red"), Orders())


def test_whoever_pays_most_is_the_default_decision():
    game = external()
    game.bribe({"green-clerk-1": 9000})
    game.bribe({"blue-clerk-1": 1000})
    assert move_of_orders(seen(game, "red"), Orders()) is None
    move = move_of_orders(seen(game, "red"), Orders(decision=HighestBribes()))
    assert move == default_move(game.state, 0)
    assert game.state.table.names[move.placements[0][0]] == "green-clerk-1"


def sending(game, pairs):
    return SendThese(tuple((scholar(game, name), game.seat(to)) for name, to in pairs.items()))


def test_what_was_ordered_is_sent_while_it_is_legal():
    game = at("russian", FOUR, round=2)
    both = sending(game, {"red-clerk-1": "blue", "red-clerk-2": "green"})
    assert move_of_orders(seen(game, "red"), Orders(sending=both)).scholars == both.scholars
    for bad in ({"red-clerk-1": "blue", "red-clerk-2": "blue"}, {"red-clerk-1": "blue"}):
        order = Orders(sending=sending(game, bad))
        assert move_of_orders(seen(game, "red"), order) is None
        assert move_at_deadline(seen(game, "red"), order) == default_move(game.state, 0)


# What may be ordered.


def offered(game, player):
    names = game.state.table.names
    return {names[one.scholar]: one[2:] for one in may_order(seen(game, player)).bribes}


def test_bribes_may_be_ordered_for_who_stands_at_a_door_or_holds_an_area():
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


def test_who_was_hired_may_be_ordered_for_as_a_resident_as_soon_as_the_conflict_is_over():
    game = at("reference-manual", FOUR, round=2, applicants={"red": ["green-healer-1"]})
    game.bribe({"green-healer-1": 3000})
    assert offered(game, "green") == {}
    game.place({"green-healer-1": 6000})
    assert game.stage == "sending"
    assert offered(game, "green") == {"green-healer-1": (1000, 1000, True, False)}


def test_who_is_at_a_door_in_sealed_bribing_names_an_amount():
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


# As JSON.


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


# Everywhere.


def random_orders(seen, chance):
    """Orders as a player could leave them, some of them not legal any more."""
    unit = seen.table.edition.unit
    amounts = [times * unit for times in (0, 1, 2, 5, 40)]
    kinds = (
        lambda: PayAmount(chance.choice(amounts)),
        PayMinimum,
        PayNothing,
        lambda: PayAbove(unit, chance.choice(amounts), then_limit=chance.random() < 0.5),
    )
    everybody = [one for one in seen.table.names if one.owner == seen.seat]
    bribes = {one: chance.choice(kinds)() for one in everybody if chance.random() < 0.9}
    sent = SendThese(())
    if isinstance(seen.choice, SendChoice) and chance.random() < 0.7:
        sent = SendThese(wild_move(seen.choice, chance).scholars)
    return Orders(bribes, chance.choice((None, HighestBribes())), sent)


@pytest.mark.parametrize(
    ("seed", "setting"), [*enumerate(FEWER + mixed_settings(40, seed=9), 500)], ids=str
)
def test_orders_play_only_what_could_be_played_by_hand(seed, setting):
    chance = Random(seed)
    for moment in play(setting.begin(), seed):
        for seat in awaited(moment.before):
            seen = view(moment.before, seat)
            given = random_orders(seen, chance)
            late = move_at_deadline(seen, given)
            check(seen.table, seen.choice, late)
            move = move_of_orders(seen, given)
            if move is not None:
                check(seen.table, seen.choice, move)
                assert late == move
                step(moment.before, seat, move)
            if isinstance(seen.choice, BribeChoice):
                assert isinstance(late, Bribe)
                assert (move is None) >= any(
                    one not in given.bribes for one in seen.choice.scholars
                )
            elif isinstance(seen.choice, PlaceChoice):
                assert late == seen.default


@pytest.mark.parametrize("setting", FEWER[:12], ids=str)
def test_every_order_that_is_taken_is_one_that_can_be_played_with_cash_enough(setting):
    """What `may_order` offers for a contender agrees with what is then asked of its owner."""
    for moment in play(setting.begin(), seed=3):
        seen = view(moment.before, moment.seat)
        if isinstance(seen.choice, BribeChoice):
            offered = {one.scholar: one for one in may_order(seen).bribes}
            for each in seen.choice.scholars:
                one = offered[each]
                assert (one.minimum, one.unit) == (seen.choice.minimum, seen.choice.unit)
                assert one.may_pass == (each in seen.choice.may_pass)
                assert one.palace == seen.active
