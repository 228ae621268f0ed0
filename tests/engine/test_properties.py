"""What holds at every state: seeded playouts of every edition, table size and option."""

import json

import pytest

from games.engine import (
    Stage,
    Step,
    check,
    decode,
    decode_event,
    default_move,
    encode,
    encode_event,
    legal,
    replay,
    step,
    to_move,
    view,
    winners,
)
from games.engine.codec import encode_move
from games.engine.record import adjudicate, record_state, write_record
from tests.engine import invariants
from tests.engine.mirror import Mirror
from tests.engine.playouts import FEWER, PLAIN, SETTINGS, Setting, mixed_settings, play

MIXED = mixed_settings(60, seed=2005)
EVERYWHERE = pytest.mark.parametrize(("seed", "setting"), [*enumerate(SETTINGS + MIXED)], ids=str)


def first_of(seed: int, setting: Setting) -> str:
    return ("red", "yellow", "green", "blue", "violet")[seed % setting.players]


def through_json(value):
    return json.loads(json.dumps(value))


def seats_to_move_can_move(made: Step) -> None:
    """A seat to move has a legal move, its default for one, or the game is over."""
    state = made.state
    waiting = to_move(state)
    assert bool(waiting) != (state.stage is Stage.OVER)
    for seat in range(len(state.table.players)):
        choice = legal(state, seat)
        assert (choice is not None) == (seat in waiting)
        if choice is not None:
            check(state.table, choice, default_move(state, seat))
            assert view(state, seat).default == default_move(state, seat)


@pytest.mark.sample(40)
@EVERYWHERE
def test_every_state_is_sound(seed, setting):
    """Money, scholars, areas and the lemmas; the seat to move can move; nothing is lost."""
    beginning = setting.begin(first_of(seed, setting))
    invariants.hold(beginning.state)
    seats_to_move_can_move(beginning)
    for before, _, _, made, _ in play(beginning, seed):
        state, events = made
        invariants.hold(state)
        invariants.a_filled_area_stays_with_its_occupation(before, state)
        invariants.nobody_comes_back(before, state)
        invariants.lemma_7_the_owner_pays_nothing_in_his_own_turn(before, state, events)
        invariants.cash_changes_only_as_the_events_tell(before, state, events)
        seats_to_move_can_move(made)


@pytest.mark.sample(9)
@pytest.mark.parametrize("setting", PLAIN + MIXED, ids=str)
def test_states_and_events_survive_json(setting):
    beginning = setting.begin()
    for event in beginning.events:
        assert decode_event(through_json(encode_event(event))) == event
    for moment in play(beginning, seed=10):
        assert decode(through_json(encode(moment.made.state))) == moment.made.state
        for event in moment.made.events:
            assert decode_event(through_json(encode_event(event))) == event


@pytest.mark.sample(9)
@pytest.mark.parametrize("setting", PLAIN + MIXED, ids=str)
def test_events_alone_rebuild_every_state(setting):
    beginning = setting.begin()
    assert replay(beginning.events) == beginning.state
    for moment in play(beginning, seed=11):
        assert replay(moment.log) == moment.made.state


@pytest.mark.sample(9)
@pytest.mark.parametrize("setting", PLAIN + MIXED, ids=str)
def test_a_step_changes_nothing_that_was_there_and_is_repeatable(setting):
    for before, seat, move, made, _ in play(setting.begin(), seed=12):
        as_it_was = encode(before)
        assert step(before, seat, move) == made
        assert encode(before) == as_it_was


@pytest.mark.sample(19)
@pytest.mark.parametrize(("seed", "setting"), [*enumerate(FEWER + MIXED, 400)], ids=str)
def test_the_rules_written_twice_agree(seed, setting):
    """The game as a record, played by the naive second implementation, state by state."""
    beginning = setting.begin(first_of(seed, setting))
    table = beginning.state.table
    mirror = Mirror(write_record(table, []))
    assert record_state(beginning.state) == mirror.state()
    for before, seat, move, made, _ in play(beginning, seed):
        default = encode_move(table, seat, default_move(before, seat))
        kind = {"bribe": "bribes", "place": "placements", "judge": "winner", "send": "scholars"}
        assert default[kind[default["type"]]] == mirror.default(table.players[seat])
        mirror.play(encode_move(table, seat, move))
        assert record_state(made.state) == mirror.state()


@pytest.mark.sample(12)
@pytest.mark.parametrize("setting", FEWER, ids=str)
def test_games_of_defaults_end(setting):
    beginning = setting.begin()
    state = beginning.state
    moves = 0
    while state.stage is not Stage.OVER:
        seat = to_move(state)[0]
        state = step(state, seat, default_move(state, seat)).state
        moves += 1
        # Each scholar is sent once and bribed for once, each decision has an applicant.
        assert moves <= 4 * len(state.table.names)
    assert winners(state)
    assert state.round == state.table.edition.rounds
    assert sum(map(len, state.applicants)) == 0


@pytest.mark.sample(9)
@pytest.mark.parametrize("setting", PLAIN + MIXED, ids=str)
def test_a_played_game_is_a_record_that_adjudicates_to_its_last_state(setting):
    beginning = setting.begin()
    table = beginning.state.table
    moves, state = [], beginning.state
    for _, seat, move, made, _ in play(beginning, seed=13):
        moves.append(encode_move(table, seat, move))
        state = made.state
    result, played = adjudicate(through_json(write_record(table, moves, name="again")))
    assert result == {"name": "again", "final": record_state(state)}
    assert played == len(moves)
