"""The engine and the naive second rules agree on every move: which are legal, and what they do.

Hypothesis chooses positions and moves; `tests.engine.mirror` is the independent definition.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from games.engine import (
    BribeChoice,
    IllegalMove,
    JudgeChoice,
    PlaceChoice,
    SendChoice,
    Stage,
    State,
    check,
    decode_move,
    legal,
    to_move,
)
from games.engine.record import play_move, read_record, record_state
from games.engine.rules import start
from tests.engine import invariants
from tests.engine.mirror import Mirror, Refused
from tests.engine.positions import RANDOM, legal_move, near_move, random_record

pytestmark = pytest.mark.full

SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)
ANYWHERE = (
    invariants.every_scholar_is_in_exactly_one_place,
    invariants.no_scholar_is_in_or_before_his_own_palace,
    invariants.nobodys_unsent_are_anothers,
    invariants.no_occupation_is_employed_twice_in_a_palace,
    invariants.nobody_owes_money_unless_the_table_knows_debts,
    invariants.lemma_1_there_is_an_area_for_whoever_must_be_hired,
)


def begun(record: dict[str, Any]) -> tuple[State, Mirror]:
    table, position, *_ = read_record(record)
    return start(table, position).state, Mirror(record)


def next_move(state: State, chance: Random) -> Any:
    if state.stage is Stage.OVER or chance.random() < 0.1:
        return {"player": chance.choice(state.table.players), "type": "default"}
    seat = chance.choice(to_move(state))
    return (legal_move if chance.random() < 0.5 else near_move)(state, seat, chance)


def agree(state: State, mirror: Mirror) -> None:
    """The same position, and the same bribes so far with the bank's part of them."""
    assert record_state(state) == mirror.state()
    names = state.table.names
    if state.stage not in (Stage.SENDING, Stage.OVER):
        paid = {names[scholar]: (amount, bank) for scholar, amount, bank in state.paid}
        assert paid == mirror.bribes
        assert [names[scholar] for scholar in state.contenders] == mirror.conflict
        assert state.area == mirror.area


def play_both(state: State, mirror: Mirror, move: Any) -> tuple[State, str]:
    """The state after the move, and the code with which both refuse it or ``legal``."""
    try:
        mirror.play(move)
        code = "legal"
    except Refused as reason:
        code = reason.code
    if code == "legal":
        return play_move(state, move).state, code
    with pytest.raises(IllegalMove) as refusal:
        play_move(state, move)
    assert refusal.value.code == code, move
    return state, code


def compare(record: dict[str, Any], chance: Random, moves: int) -> Counter[str]:
    """Play some moves in both; count the codes."""
    state, mirror = begun(record)
    total = sum(state.cash) + state.bank
    agree(state, mirror)
    codes: Counter[str] = Counter()
    for _ in range(moves):
        state, code = play_both(state, mirror, next_move(state, chance))
        codes[code] += 1
        agree(state, mirror)
        assert sum(state.cash) + state.bank == total, "money was made or lost"
        for holds in ANYWHERE:
            holds(state)
    return codes


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW_IS_FINE)
@given(chance=RANDOM)
def test_any_move_at_any_position_means_the_same_in_both(chance):
    compare(random_record(chance), chance, moves=6)


def test_many_more_moves_mean_the_same_in_both_and_every_refusal_is_met():
    """The same with seeds, which is faster; every code of the record format comes up."""
    codes: Counter[str] = Counter()
    for seed in range(700):
        chance = Random(seed)
        codes += compare(random_record(chance), chance, moves=25)
    assert set(codes) == {
        "legal",
        "over",
        "type",
        "turn",
        "contenders",
        "scholars",
        "amount",
        "cash",
        "area",
        "palace",
    }
    assert min(codes.values()) > 20, codes


def pairs_of(first: Iterable[str], second: Iterable[Any]) -> list[list[Any]]:
    return [[*pair] for pair in zip(first, second, strict=True)]


def bribes(state: State, choice: BribeChoice) -> Iterator[Any]:
    """Every order of paying, every amount from below nothing to more than there is."""
    unit = choice.unit
    own = [state.table.names[scholar] for scholar in choice.scholars]
    amounts = range(-unit, max(choice.cash, choice.minimum) + 2 * unit, unit // 2)
    for order in permutations(own):
        for paid in product(amounts, repeat=len(own)):
            yield pairs_of(order, paid)


def placements(state: State, choice: PlaceChoice) -> Iterator[Any]:
    """Every group of contenders, each with every area, known or not."""
    contenders = [state.table.names[scholar] for scholar in state.contenders]
    for number in range(min(len(choice.conflicts) + 1, len(contenders)) + 1):
        for hired in permutations(contenders, number):
            for areas in product((*state.table.edition.areas, 2000), repeat=number):
                yield pairs_of(hired, areas)


def winners(state: State, choice: JudgeChoice) -> Iterator[Any]:
    """Every scholar of the table."""
    yield from state.table.scholars


def sends(state: State, choice: SendChoice) -> Iterator[Any]:
    """One scholar or two, also the same one twice or one that is not there, to every palace."""
    some = [*(state.table.names[scholar] for scholar in choice.scholars), "red-clerk-9"]
    for number in (2, 1):
        for sent in product(some, repeat=number):
            for to in product(state.table.players, repeat=number):
                yield pairs_of(sent, to)


CANDIDATES: dict[type, tuple[str, str, Callable[[State, Any], Iterator[Any]]]] = {
    BribeChoice: ("bribe", "bribes", bribes),
    PlaceChoice: ("place", "placements", placements),
    JudgeChoice: ("judge", "winner", winners),
    SendChoice: ("send", "scholars", sends),
}


def candidates(state: State, seat: int) -> Iterator[dict[str, Any]]:
    """Every move of the expected type that is at all thinkable, legal or not."""
    choice = legal(state, seat)
    kind, key, thinkable = CANDIDATES[type(choice)]
    for given_part in thinkable(state, choice):
        yield {"player": state.table.players[seat], "type": kind, key: given_part}


MOST_CANDIDATES = 3000


def accepted(state: State, seat: int, move: dict[str, Any]) -> bool:
    choice = legal(state, seat)
    assert choice is not None
    try:
        check(state.table, choice, decode_move(state.table, move)[1])
    except IllegalMove:
        return False
    return True


@pytest.mark.long(every=3)
@pytest.mark.parametrize("seed", range(60))
def test_the_choice_offers_exactly_what_is_legal(seed):
    """Every thinkable move is tried: `check` accepts it if and only if the second rules do."""
    chance = Random(seed)
    state, mirror = begun(random_record(chance))
    tried = 0
    for _ in range(8):
        for seat in to_move(state):
            moves = list(islice(candidates(state, seat), MOST_CANDIDATES))
            taken = [move for move in moves if accepted(state, seat, move)]
            assert taken == [move for move in moves if mirror.refusal(move) is None]
            assert len(taken) < len(moves)
            tried += len(moves)
        if state.stage is not Stage.OVER:
            move = legal_move(state, to_move(state)[0], chance)
            state, _ = play_both(state, mirror, move)
    assert tried > 0 or state.stage is Stage.OVER


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW_IS_FINE)
@given(chance=RANDOM)
def test_a_seat_that_is_not_to_move_has_no_choice_and_no_legal_move(chance):
    state, mirror = begun(random_record(chance))
    for seat, player in enumerate(state.table.players):
        if seat not in to_move(state):
            assert legal(state, seat) is None
            move = {"player": player, "type": "default"}
            assert mirror.refusal(move) in ("turn", "over")
            with pytest.raises(IllegalMove):
                play_move(state, move)
