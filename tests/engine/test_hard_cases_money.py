"""Hard cases of paying (ruling 4) and of refunds (ruling 5)."""

import pytest

from games.engine.events import BribesPaid, ScholarBanished
from tests.engine.cases import at

FOUR = "red yellow green blue"


def blue_applies(edition="mayfair-2005", options=None, *, cash, scholars=("scientist", "doctor")):
    """Blue has an applicant of each of these occupations before red's palace, and this cash."""
    return at(
        edition,
        FOUR,
        options,
        round=2,
        cash={"blue": cash},
        applicants={"red": [f"blue-{occupation}-1" for occupation in scholars]},
    )


def paid(game):
    """What was bribed so far: for each scholar the amount, and the bank's part of it."""
    names = game.state.table.names
    return {
        names[payment.scholar]: (payment.amount, payment.bank)
        for event in game.events
        if isinstance(event, BribesPaid)
        for payment in event.payments
    }


def banished(game):
    """What the banished got back: for each scholar the refund, and what went to the bank."""
    names = game.state.table.names
    return {
        names[event.scholar]: (event.refund, event.bank)
        for event in game.events
        if isinstance(event, ScholarBanished)
    }


def test_broke_before_the_bribe_the_bank_pays_the_minimum():
    """Ruling 4: with less than the minimum, exactly the minimum, and the bank pays."""
    game = blue_applies(cash=0, scholars=["clerk"])
    only = "When blue-clerk-1 is paid for, 0 is left: the bribe must be exactly 1000."
    with game.refuses("cash", only):
        game.bribe({"blue-clerk-1": 2000})
    game.bribe({"blue-clerk-1": 1000})
    assert paid(game) == {"blue-clerk-1": (1000, 1000)}
    assert game.change == {"red": 1000}
    assert game.state.bank == -1000


def test_broke_between_two_bribes_the_bank_pays_the_second():
    """Ruling 4: a first bribe may take the last ducat; nothing must be kept for the next one."""
    game = blue_applies(cash=5000)
    game.bribe({"blue-doctor-1": 5000, "blue-scientist-1": 1000})
    assert paid(game) == {"blue-doctor-1": (5000, 0), "blue-scientist-1": (1000, 1000)}
    assert game.change == {"red": 6000, "blue": -5000}


def test_the_order_of_paying_decides_what_the_bank_pays():
    """Ruling 2: bribes are paid in the order in which the player wants them paid."""
    game = blue_applies(cash=5000)
    too_much = "When blue-doctor-1 is paid for, 4000 is left: the bribe can be at most 4000."
    with game.refuses("cash", too_much):
        game.bribe({"blue-scientist-1": 1000, "blue-doctor-1": 5000})
    game.bribe({"blue-scientist-1": 1000, "blue-doctor-1": 4000})
    assert paid(game) == {"blue-scientist-1": (1000, 0), "blue-doctor-1": (4000, 0)}


def test_the_bank_pays_for_each_scholar_of_a_broke_player():
    """Edge 52."""
    game = blue_applies(cash=0, scholars=["scientist", "doctor", "clerk"])
    game.let_pass("blue")
    assert set(paid(game).values()) == {(1000, 1000)}
    assert game.change == {"red": 3000}


def test_whoever_has_the_minimum_may_not_offer_more_than_he_has():
    """Edge 33: the most is one's own cash at that moment."""
    game = blue_applies(cash=3000, scholars=["clerk"])
    too_much = "When blue-clerk-1 is paid for, 3000 is left: the bribe can be at most 3000."
    with game.refuses("cash", too_much):
        game.bribe({"blue-clerk-1": 4000})
    game.bribe({"blue-clerk-1": 3000})
    assert game.cash["blue"] == 0


def test_where_editions_know_debts_the_minimum_is_owed():
    """Ruling 4: with less than the minimum he goes into debt by it, and the bank does not help."""
    game = blue_applies("reference-manual", cash=0, scholars=["scribe", "healer"])
    game.bribe({"blue-scribe-1": 1000, "blue-healer-1": 1000})
    assert game.cash["blue"] == -2000
    assert set(paid(game).values()) == {(1000, 0)}
    assert game.change == {"red": 2000, "blue": -2000}
    assert game.state.bank == 0


@pytest.mark.parametrize("cash", [0, -3000])
def test_no_more_than_the_minimum_can_be_owed(cash):
    """Ruling 1: debt, of the minimum only."""
    game = blue_applies("reference-manual", cash=cash, scholars=["scribe"])
    only = f"When blue-scribe-1 is paid for, {cash} is left: the bribe must be exactly 1000."
    with game.refuses("cash", only):
        game.bribe({"blue-scribe-1": 2000})
    game.bribe({"blue-scribe-1": 1000})
    assert game.cash["blue"] == cash - 1000


def test_a_player_with_money_cannot_go_into_debt_by_one_great_bribe():
    """Ruling 4: only the payment that falls due with less than the minimum in hand is owed."""
    game = blue_applies("reference-manual", cash=2000, scholars=["scribe", "healer"])
    too_much = "When blue-scribe-1 is paid for, 2000 is left: the bribe can be at most 2000."
    with game.refuses("cash", too_much):
        game.bribe({"blue-scribe-1": 3000, "blue-healer-1": 1000})
    game.bribe({"blue-scribe-1": 2000, "blue-healer-1": 1000})
    assert game.cash["blue"] == -1000


def test_the_literal_russian_minimum_holds_for_uncontested_applicants():
    """Ruling 1: `uncontested_min_bribe: 10000`; bribes stay multiples of the unit."""
    game = blue_applies("russian", {"uncontested_min_bribe": 10000}, cash=32000)
    rule = "The bribe for blue-scientist-1 must be a multiple of 1000 and at least 10000."
    for amount in (9000, 10500):
        with game.refuses("amount", rule):
            game.bribe({"blue-scientist-1": amount, "blue-doctor-1": 10000})
    game.bribe({"blue-scientist-1": 11000, "blue-doctor-1": 10000})
    assert game.change == {"red": 21000, "blue": -21000}


def test_the_literal_russian_minimum_leaves_the_conflicts_alone():
    """Ruling 1: in external and internal conflicts the minimum is the unit."""
    game = at(
        "russian",
        FOUR,
        {"uncontested_min_bribe": 10000},
        round=3,
        palaces={"red": {6000: "green-priest-1"}},
        applicants={"red": ["blue-priest-1", "yellow-clerk-1", "green-clerk-1"]},
    )
    assert game.stage == "external-bribes"
    game.bribe({"yellow-clerk-1": 1000})
    game.bribe({"green-clerk-1": 1000})
    game.place({"green-clerk-1": 3000})
    game.bribe({"green-priest-1": 1000})
    game.bribe({"blue-priest-1": 1000})
    assert game.stage == "judgement"


def test_the_bank_adds_what_is_missing_to_the_literal_russian_minimum():
    """Edge 54: between 0 and the minimum, the player pays what he has and the bank the rest."""
    game = blue_applies("russian", {"uncontested_min_bribe": 10000}, cash=14000)
    only = "When blue-doctor-1 is paid for, 4000 is left: the bribe must be exactly 10000."
    with game.refuses("cash", only):
        game.bribe({"blue-scientist-1": 10000, "blue-doctor-1": 11000})
    game.bribe({"blue-scientist-1": 10000, "blue-doctor-1": 10000})
    assert paid(game) == {"blue-scientist-1": (10000, 0), "blue-doctor-1": (10000, 6000)}
    assert game.change == {"red": 20000, "blue": -14000}
    assert game.state.bank == -6000


def test_with_debts_the_missing_part_of_the_russian_minimum_is_owed():
    """Ruling 4: he goes into debt by it."""
    options = {"uncontested_min_bribe": 10000, "broke": "debt"}
    game = blue_applies("russian", options, cash=4000, scholars=["clerk"])
    game.bribe({"blue-clerk-1": 10000})
    assert game.cash["blue"] == -6000
    assert game.state.bank == 0


def test_whoever_has_just_the_minimum_must_bribe_exactly_that():
    """Ruling 4: from the minimum up to all of it, which is the same here."""
    game = blue_applies(cash=1000, scholars=["clerk"])
    only = "When blue-clerk-1 is paid for, 1000 is left: the bribe must be exactly 1000."
    with game.refuses("cash", only):
        game.bribe({"blue-clerk-1": 2000})
    game.bribe({"blue-clerk-1": 1000})
    assert paid(game) == {"blue-clerk-1": (1000, 0)}


def test_a_refusal_shows_a_broke_defender_that_they_may_pass():
    """Rulings 1 and 4."""
    game = at(
        "reference-manual",
        FOUR,
        round=2,
        cash={"yellow": 0},
        palaces={"red": {6000: "yellow-healer-1"}},
        applicants={"red": ["green-healer-1"]},
    )
    with game.refuses(
        "cash",
        "When yellow-healer-1 is paid for, 0 is left: "
        "the bribe must be exactly 1000, or 0 to pass.",
    ):
        game.bribe({"yellow-healer-1": 2000})


@pytest.mark.parametrize(("broke", "left"), [("bank", 0), ("debt", -1000)])
def test_a_broke_defender_who_may_pass_may_also_bribe_the_minimum(broke, left):
    """Ruling 4: he may always bribe 0, broke or not; and the minimum like anybody."""
    for bribe, cash in ((0, 0), (1000, left)):
        game = at(
            "reference-manual",
            FOUR,
            {"broke": broke},
            round=2,
            cash={"yellow": 0},
            palaces={"red": {6000: "yellow-healer-1"}},
            applicants={"red": ["green-healer-1"]},
        )
        game.bribe({"yellow-healer-1": bribe})
        assert game.cash["yellow"] == cash


def yellow_attacks_twice(options):
    return at(
        "mayfair-2005",
        FOUR,
        options,
        round=3,
        cash={"yellow": 5000},
        palaces={"red": {1000: "green-doctor-1", 10000: "blue-priest-1"}},
        applicants={"red": ["yellow-doctor-1", "yellow-priest-1"]},
    )


def first_conflict_lost(options):
    game = yellow_attacks_twice(options)
    game.bribe({"green-doctor-1": 1000})
    game.bribe({"yellow-doctor-1": 5000})
    game.judge("green-doctor-1")
    game.bribe({"blue-priest-1": 1000})
    assert game.stage == "internal-bribes"
    assert game.waiting == ["yellow"]
    return game


def test_a_refund_can_be_used_in_the_next_conflict():
    """Ruling 5: at once when the conflict is decided (edge 74)."""
    game = first_conflict_lost({"refund_losers": True})
    assert game.cash["yellow"] == 5000
    game.bribe({"yellow-priest-1": 5000})
    assert paid(game)["yellow-priest-1"] == (5000, 0)
    game.judge("yellow-priest-1")
    # Red keeps green's 1000 (who won) and yellow's second 5000; blue lost and has his 1000 again.
    assert game.change == {"red": 6000, "green": -1000, "yellow": -5000}
    assert banished(game) == {"yellow-doctor-1": (5000, 0), "blue-priest-1": (1000, 0)}


def test_without_refunds_the_same_player_is_broke_in_the_next_conflict():
    """Ruling 1: refunds are only an option."""
    game = first_conflict_lost({})
    only = "When yellow-priest-1 is paid for, 0 is left: the bribe must be exactly 1000."
    with game.refuses("cash", only):
        game.bribe({"yellow-priest-1": 5000})
    game.bribe({"yellow-priest-1": 1000})
    game.judge("blue-priest-1")
    assert banished(game) == {"yellow-doctor-1": (0, 0), "yellow-priest-1": (0, 0)}
    assert game.change == {"red": 8000, "green": -1000, "yellow": -5000, "blue": -1000}


def test_the_beaten_resident_gets_his_bribe_back_as_well():
    """Ruling 5: every banished contender, the beaten resident included; not the winner."""
    game = yellow_attacks_twice({"refund_losers": True})
    game.bribe({"green-doctor-1": 7000})
    game.bribe({"yellow-doctor-1": 2000})
    game.judge("yellow-doctor-1")
    assert game.change == {"red": 2000, "yellow": -2000}
    assert game.palace("red")[1000] == "yellow-doctor-1"


def test_losers_of_an_external_conflict_get_their_bribes_back():
    """Ruling 5, for external conflicts."""
    game = at(
        "fx-schmid-1994",
        FOUR,
        {"refund_losers": True},
        round=2,
        applicants={"red": ["yellow-banker-1", "green-banker-1", "blue-banker-1"]},
    )
    game.bribe({"yellow-banker-1": 30000})
    game.bribe({"green-banker-1": 20000})
    game.bribe({"blue-banker-1": 10000})
    game.place({"blue-banker-1": 100000})
    assert game.change == {"red": 10000, "blue": -10000}
    assert banished(game) == {"yellow-banker-1": (30000, 0), "green-banker-1": (20000, 0)}


def blue_is_broke_and_loses(edition, occupation):
    game = at(
        edition,
        FOUR,
        {"refund_losers": True},
        round=2,
        cash={"blue": 0},
        palaces={"red": {6000: f"yellow-{occupation}-1"}},
        applicants={"red": [f"blue-{occupation}-1"]},
    )
    game.bribe({f"yellow-{occupation}-1": 2000})
    game.bribe({f"blue-{occupation}-1": 1000})
    return game


def test_what_the_bank_had_paid_goes_back_to_the_bank():
    """Ruling 5: else money would be made."""
    game = blue_is_broke_and_loses("mayfair-2005", "clerk")
    assert game.state.bank == -1000
    game.judge("yellow-clerk-1")
    assert banished(game) == {"blue-clerk-1": (0, 1000)}
    assert game.change == {"red": 2000, "yellow": -2000}
    assert game.state.bank == 0


def test_a_refund_cancels_the_debt():
    """Edge 73: a refund of owed money pays the debt."""
    game = blue_is_broke_and_loses("reference-manual", "healer")
    assert game.cash["blue"] == -1000
    game.judge("yellow-healer-1")
    assert banished(game) == {"blue-healer-1": (1000, 0)}
    assert game.cash["blue"] == 0
    assert game.change == {"red": 2000, "yellow": -2000}


def test_a_defender_who_passed_has_nothing_to_get_back():
    """Rulings 4 and 5 together."""
    game = at(
        "reference-manual",
        FOUR,
        {"refund_losers": True},
        round=2,
        palaces={"red": {6000: "yellow-healer-1"}},
        applicants={"red": ["green-healer-1"]},
    )
    game.bribe({"yellow-healer-1": 0})
    game.bribe({"green-healer-1": 3000})
    game.judge("green-healer-1")
    assert banished(game) == {"yellow-healer-1": (0, 0)}
    assert game.change == {"red": 3000, "green": -3000}
