"""Forced moves and joined sendings, by name and against all legal moves of whole games."""

from collections.abc import Iterator
from itertools import combinations, permutations, product

import pytest

from games.engine import (
    BRIBING,
    Bribe,
    BribeChoice,
    Choice,
    Judge,
    JudgeChoice,
    Move,
    Place,
    PlaceChoice,
    Send,
    SendChoice,
    Stage,
    State,
    check,
    legal,
    step,
    view,
)
from games.engine.binding import accept, view_within
from games.engine.forced import forced_move, move_by_itself, sending_after
from games.engine.ledger import Status, follow, offer, reply
from games.engine.promises import (
    Hire,
    IfBribed,
    Keep,
    PayAtMost,
    Promise,
    SendNobody,
    Verdict,
    Win,
)
from tests.engine.cases import at
from tests.engine.playouts import FEWER, mixed_settings, play

EVERYWHERE = pytest.mark.parametrize(
    ("seed", "setting"), [*enumerate(FEWER + mixed_settings(40, seed=6), 70)], ids=str
)


def all_decisions(choice: Choice) -> Iterator[Move]:
    match choice:
        case PlaceChoice(conflicts, open_areas):
            yield from placements(conflicts, open_areas)
        case JudgeChoice(winners):
            yield from map(Judge, winners)
        case SendChoice(scholars, palaces, count, distinct):
            yield from sendings(scholars, palaces, count, distinct)


def placements(conflicts, open_areas) -> Iterator[Place]:
    for hired in product(*conflicts):
        for areas in permutations(open_areas, len(hired)):
            yield Place(tuple(zip(hired, areas, strict=True)))


def sendings(scholars, palaces, count, distinct) -> Iterator[Send]:
    for sent in combinations(scholars, count):
        for to in product(palaces, repeat=count):
            if not distinct or len(set(to)) == count:
                yield Send(tuple(zip(sent, to, strict=True)))


def up_to_twins(state: State, move: Move) -> object:
    """What the move does when twins are the same; with refunds also by what they were paid."""
    paid = {payment.scholar: (payment.amount, payment.bank) for payment in state.paid}
    refunds = state.table.edition.refund_losers

    def kind(scholar):
        return scholar[:2], paid[scholar] if refunds and state.stage != Stage.SENDING else None

    match move:
        case Judge(winner):
            return kind(winner)
        case Place(pairs) | Send(pairs):
            return tuple(sorted((kind(scholar), where) for scholar, where in pairs))


@pytest.mark.long(every=3)
@pytest.mark.full
@EVERYWHERE
def test_a_move_is_forced_exactly_where_all_legal_moves_are_the_same(seed, setting):
    for moment in play(setting.begin(), seed):
        state, seat = moment.before, moment.seat
        choice = legal(state, seat)
        forced = forced_move(view(state, seat))
        if isinstance(choice, BribeChoice):
            assert forced is None
            continue
        kinds = {up_to_twins(state, move) for move in all_decisions(choice)}
        assert (forced is not None) == (len(kinds) == 1)
        if forced is not None:
            check(state.table, choice, forced)


@pytest.mark.sample(17)
@EVERYWHERE
def test_the_sending_after_a_decision_is_the_one_that_comes_next(seed, setting):
    for moment in play(setting.begin(), seed):
        state, seat, after = moment.before, moment.seat, moment.made.state
        foreseen = sending_after(view(state, seat))
        if state.stage in BRIBING or state.stage is Stage.SENDING:
            assert foreseen is None
        elif after.stage is Stage.SENDING and after.active == seat:
            assert foreseen == legal(after, seat)
        else:
            assert foreseen is None


def test_nothing_is_foreseen_or_forced_for_a_seat_that_is_not_to_move():
    for moment in play(FEWER[0].begin(), seed=4):
        for seat in (None, *range(FEWER[0].players)):
            if seat is None or legal(moment.before, seat) is None:
                assert forced_move(view(moment.before, seat)) is None
                assert sending_after(view(moment.before, seat)) is None


THREE = "red yellow green"
ONE_OPEN = {
    "red": {1000: "green-doctor-1", 6000: "yellow-priest-1", 10000: "yellow-clerk-1"},
}


def forced_now(game, player):
    return forced_move(view(game.state, game.seat(player)))


def test_one_uncontested_applicant_and_one_open_area():
    game = at(
        "mayfair-2005", THREE, round=3, palaces=ONE_OPEN, applicants={"red": ["green-scientist-2"]}
    )
    assert forced_now(game, "green") is None
    game.bribe({"green-scientist-2": 5000})
    assert forced_now(game, "red") == Place(
        ((game.state.table.scholars["green-scientist-2"], 3000),)
    )
    assert sending_after(view(game.state, 0)).count == 2


def test_two_open_areas_are_a_choice():
    rows = {"red": {1000: "green-doctor-1", 6000: "yellow-priest-1"}}
    game = at(
        "mayfair-2005", THREE, round=3, palaces=rows, applicants={"red": ["green-scientist-2"]}
    )
    game.bribe({"green-scientist-2": 5000})
    assert forced_now(game, "red") is None


TWINS = {"red": ["green-scientist-2", "green-scientist-1"]}


def test_of_twins_the_lower_number_is_hired_whatever_was_paid():
    game = at("mayfair-2005", THREE, round=3, palaces=ONE_OPEN, applicants=TWINS)
    game.bribe({"green-scientist-1": 1000, "green-scientist-2": 5000})
    assert forced_now(game, "red") == Place(
        ((game.state.table.scholars["green-scientist-1"], 3000),)
    )


@pytest.mark.parametrize(("second", "is_forced"), [(5000, False), (1000, True)])
def test_with_refunds_twins_are_the_same_only_if_they_paid_the_same(second, is_forced):
    refunds = {"refund_losers": True}
    game = at("mayfair-2005", THREE, refunds, round=3, palaces=ONE_OPEN, applicants=TWINS)
    game.bribe({"green-scientist-1": 1000, "green-scientist-2": second})
    assert (forced_now(game, "red") is not None) == is_forced


def test_a_resident_against_its_own_twin_is_judged_by_itself():
    game = at(
        "mayfair-2005", THREE, round=3, palaces=ONE_OPEN, applicants={"red": ["green-doctor-2"]}
    )
    game.bribe({"green-doctor-1": 1000, "green-doctor-2": 1000})
    assert forced_now(game, "red") == Judge(game.state.table.scholars["green-doctor-1"])


OWN_TWIN = {
    "round": 3, "palaces": ONE_OPEN, "applicants": {"red": ["green-doctor-2"]}
}  # fmt: skip


def own_twin_attacks():
    game = at("mayfair-2005", THREE, **OWN_TWIN)
    game.bribe({"green-doctor-1": 1000, "green-doctor-2": 1000})
    return game


def ledger_with(game, by, promise, status=Status.ACCEPTED):
    ledger = offer((), game.state, by, promise)
    return ledger if status is Status.OPEN else reply(ledger, ledger[0].other, 1, status)


NAMING = {
    "the resident": lambda red, yellow, green, one, two: Promise(red, green, Keep(one, 4)),
    "its twin": lambda red, yellow, green, one, two: Promise(red, green, Win(two)),
    "in return": lambda red, yellow, green, one, two: Promise(
        green, red, SendNobody(None, 4), Keep(one, 4)
    ),
    "in a bribe that is asked for": lambda red, yellow, green, one, two: Promise(
        red, green, SendNobody(None, 4), IfBribed(one, 1000)
    ),
    "somebody else's": lambda red, yellow, green, one, two: Promise(
        green, yellow, PayAtMost(one, 1000)
    ),
}


@pytest.mark.parametrize("how", NAMING)
def test_twins_of_whom_an_owed_promise_names_one_are_a_choice(how):
    game = own_twin_attacks()
    one, two = (game.state.table.scholars[f"green-doctor-{number}"] for number in (1, 2))
    promise = NAMING[how](0, 1, 2, one, two)
    before = at("mayfair-2005", THREE, **OWN_TWIN)  # where nothing is paid yet
    seen, after = view(game.state, 0), ledger_with(before, promise.seat, promise)
    assert forced_move(seen, after) is None
    assert move_by_itself(after, game.state, seen) is None
    settled = (after[0]._replace(verdict=Verdict.VOID, condition=Verdict.VOID),)
    assert forced_move(seen, settled) == Judge(one)


@pytest.mark.parametrize(("by", "is_to_choose"), [("red", True), ("green", False)])
def test_only_an_open_offer_of_the_chooser_makes_twins_a_choice(by, is_to_choose):
    game = own_twin_attacks()
    promise = Promise(0, 2, Win(game.state.table.scholars["green-doctor-2"]))
    ledger = ledger_with(game, game.seat(by), promise, Status.OPEN)
    forced = forced_move(view(game.state, 0), ledger)
    assert (forced is None) == is_to_choose
    if forced is not None:  # somebody else's open offer lapses with it
        made = step(game.state, 0, forced)
        [entry] = follow(ledger, game.state, made.events, forced=True)
        assert entry.status is Status.LAPSED


def test_twins_who_are_sent_are_a_choice_too():
    kinds = ("minister", "alchemist", "healer")
    away = [f"red-{kind}-{number}" for kind in kinds for number in (1, 2)]
    game = at("reference-manual", THREE, round=3, island=away)
    assert forced_now(game, "red") is not None
    promise = Promise(1, 0, Hire(game.state.table.scholars["red-scribe-2"]))
    ledger = ledger_with(game, 1, promise)
    assert forced_move(view(game.state, 0), ledger) is None


@pytest.mark.parametrize(("forced", "verdict"), [(True, "void"), (False, "broken")])
def test_a_forced_choice_breaks_nothing(forced, verdict):
    game = own_twin_attacks()
    two = game.state.table.scholars["green-doctor-2"]
    keeps = SendNobody(None, 4)
    ledger = ledger_with(game, 0, Promise(0, 2, Win(two), keeps))
    made = step(game.state, 0, Judge(game.state.contenders[0]))
    [entry] = follow(ledger, game.state, made.events, forced=forced)
    assert (entry.verdict.value, entry.condition.value) == (verdict, "void")


@pytest.mark.parametrize("owes_another", [False, True])
def test_a_move_that_only_binding_promises_force_breaks_no_other_one(owes_another):
    attack = {"palaces": ONE_OPEN, "applicants": {"red": ["yellow-doctor-1"]}}
    game = at("mayfair-2005", THREE, {"promises": "binding"}, round=3, **attack)
    names = game.state.table.scholars
    mine, rival = names["green-doctor-1"], names["yellow-doctor-1"]
    ledger = offer((), game.state, 0, Promise(0, 2, Win(mine), IfBribed(mine, 1000)))
    ledger = accept(ledger, game.state, 2, 1)
    if owes_another:  # a mutual promise doesn't bind
        other = Promise(0, 1, Win(rival), SendNobody(None, 4))
        ledger = accept(offer(ledger, game.state, 0, other), game.state, 1, 2)
    for scholar, seat in ((mine, 2), (rival, 1)):
        made = step(game.state, seat, Bribe(((scholar, 1000),)))
        ledger, game.state = follow(ledger, game.state, made.events), made.state
    seen = view_within(ledger, game.state, 0)
    assert seen.choice == JudgeChoice((mine,), 1000)
    assert move_by_itself(ledger, game.state, seen) == (None if owes_another else Judge(mine))


def test_a_bribe_is_never_forced_not_even_for_the_broke():
    game = at(
        "mayfair-2005",
        THREE,
        round=3,
        cash={"red": 1000, "yellow": 0, "green": 0},
        applicants={"red": ["green-doctor-2"]},
    )
    assert game.waiting == ["green"]
    assert forced_now(game, "green") is None


def test_another_conflict_comes_before_the_sending():
    game = at(
        "mayfair-2005",
        THREE,
        round=3,
        palaces=ONE_OPEN,
        applicants={"red": ["green-scientist-2", "yellow-doctor-1"]},
    )
    game.bribe({"green-scientist-2": 1000})
    assert sending_after(view(game.state, 0)) is None
    step_to_judgement(game)
    assert sending_after(view(game.state, 0)) == legal(
        step(game.state, 0, Judge(game.state.contenders[0])).state, 0
    )


def step_to_judgement(game):
    game.place({"green-scientist-2": 3000})
    game.bribe({"green-doctor-1": 1000})
    game.bribe({"yellow-doctor-1": 1000})
    assert game.stage == "judgement"
