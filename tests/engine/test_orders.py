"""Standing orders: what they would pay, what they play (async-rules 5)."""

from random import Random

import pytest

from games.engine import (
    Bribe,
    BribeChoice,
    Judge,
    PlaceChoice,
    Send,
    SendChoice,
    check,
    default_move,
    step,
    to_move,
    view,
)
from games.engine.forced import DECISIONS
from games.engine.orders import (
    HighestBribes,
    Orders,
    PayAbove,
    PayAmount,
    PayMinimum,
    PayNothing,
    SendThese,
    amount_now,
    decision_now,
    may_order,
    move_at_deadline,
    move_of_orders,
    refuse_order,
    sending_now,
)
from tests.engine.cases import at
from tests.engine.playouts import FEWER, mixed_settings, play, wild_move
from tests.engine.standing_orders import (
    FOUR,
    attacked,
    external,
    played,
    scholar,
    seen,
    sending,
    two_of_green,
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
        (4000, PayAbove(1000, 8000, then_limit=True), 4000),
        (8000, PayAbove(5000, 8000, then_limit=True), 8000),
        (7000, PayAbove(5000, 8000, then_limit=True), 7000),
        (0, PayAbove(1000, 8000, then_limit=True), 1000),
        (0, PayMinimum(), 1000),
    ],
)
def test_past_the_cash_it_is_the_minimum_or_what_there_is(cash, order, pays):
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


def test_the_whole_decision_must_be_covered():
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


def test_an_order_waits_until_its_seat_is_to_move():
    game = external()
    assert played(game, "blue", {"blue-clerk-1": PayMinimum()}) is None
    assert amount_now(seen(game, "blue"), scholar(game, "blue-clerk-1"), PayMinimum()) == 1000


def test_a_resident_who_may_pass_can_be_ordered_to():
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


def test_nobody_who_is_not_to_move_has_a_deadline():
    with pytest.raises(ValueError, match="not to move"):
        move_at_deadline(seen(external(), "red"), Orders())


def test_whoever_pays_most_is_the_default_decision():
    game = external()
    game.bribe({"green-clerk-1": 9000})
    game.bribe({"blue-clerk-1": 1000})
    assert move_of_orders(seen(game, "red"), Orders()) is None
    move = move_of_orders(seen(game, "red"), Orders(decision=HighestBribes()))
    assert move == default_move(game.state, 0)
    assert game.state.table.names[move.placements[0][0]] == "green-clerk-1"


def decided_now(game, player):
    """Whom an order for decisions would hire now, and where; None where there is nothing to say."""
    names, move = game.state.table.names, decision_now(seen(game, player))
    return None if move is None else {names[one]: area for one, area in move.placements}


def test_what_would_be_decided_follows_the_open_bribes_so_far():
    game = external()
    assert decided_now(game, "red") == {"yellow-clerk-1": 10000}
    for player in ("yellow", "green", "blue", None):
        view_of = view(game.state, None) if player is None else seen(game, player)
        assert decision_now(view_of) is None, "only who holds court decides"
    game.bribe({"green-clerk-1": 9000})
    assert decided_now(game, "red") == {"green-clerk-1": 10000}
    game.bribe({"blue-clerk-1": 1000})
    assert decision_now(seen(game, "red")) == seen(game, "red").default


def test_nothing_is_decided_by_bribes_that_are_not_open():
    game = external(options={"bribing": "simultaneous"})
    assert decided_now(game, "red") is None
    for player in ("yellow", "green"):
        game.bribe({f"{player}-clerk-1": 2000})
        assert decided_now(game, "red") is None
    game.bribe({"blue-clerk-1": 5000})
    assert decided_now(game, "red") == {"blue-clerk-1": 10000}


def test_what_would_be_decided_in_a_fight_for_an_area():
    game = attacked()
    assert decision_now(seen(game, "red")) is None
    game.bribe({"yellow-healer-1": 3000})
    assert decision_now(seen(game, "red")) == Judge(scholar(game, "yellow-healer-1"))
    game.bribe({"green-healer-1": 4000})
    assert decision_now(seen(game, "red")) == Judge(scholar(game, "green-healer-1"))


@pytest.mark.full
def test_with_all_bribes_in_the_highest_decide_as_the_default():
    """In every decision of some games of each edition."""
    decided = 0
    for setting in FEWER:
        for moment in play(setting.begin(), seed=5):
            seen_by = view(moment.before, moment.seat)
            if seen_by.stage in DECISIONS:
                assert decision_now(seen_by) == seen_by.default
                decided += 1
    assert decided > 100


def test_what_would_be_sent_now():
    game = at("russian", FOUR, round=2)
    both = sending(game, {"red-clerk-1": "blue", "red-clerk-2": "green"})
    assert sending_now(seen(game, "red"), both) == Send(both.scholars)
    twice = sending(game, {"red-clerk-1": "blue", "red-clerk-2": "blue"})
    assert sending_now(seen(game, "red"), twice) is None


def test_what_was_ordered_is_sent_while_it_is_legal():
    game = at("russian", FOUR, round=2)
    both = sending(game, {"red-clerk-1": "blue", "red-clerk-2": "green"})
    assert move_of_orders(seen(game, "red"), Orders(sending=both)).scholars == both.scholars
    for bad in ({"red-clerk-1": "blue", "red-clerk-2": "blue"}, {"red-clerk-1": "blue"}):
        order = Orders(sending=sending(game, bad))
        assert move_of_orders(seen(game, "red"), order) is None
        assert move_at_deadline(seen(game, "red"), order) == default_move(game.state, 0)


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


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize(
    ("seed", "setting"), [*enumerate(FEWER + mixed_settings(40, seed=9), 500)], ids=str
)
def test_orders_play_only_what_could_be_played_by_hand(seed, setting):
    chance = Random(seed)
    for moment in play(setting.begin(), seed):
        for seat in to_move(moment.before):
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
    """What `may_order` offers for a contender agrees with its owner's decision then."""
    for moment in play(setting.begin(), seed=3):
        seen = view(moment.before, moment.seat)
        if isinstance(seen.choice, BribeChoice):
            offered = {one.scholar: one for one in may_order(seen).bribes}
            for each in seen.choice.scholars:
                one = offered[each]
                assert (one.minimum, one.unit) == (seen.choice.minimum, seen.choice.unit)
                assert one.may_pass == (each in seen.choice.may_pass)
                assert one.palace == seen.active
