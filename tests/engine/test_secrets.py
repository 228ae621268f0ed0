"""No view depends on what it must not show: others' cash, and sealed bribes before the last is in.

Rules 1.25 and 1.26: what happens at the table is public, the money in hand is not.
"""

from random import Random

import pytest

from games.engine import (
    Bribe,
    BribeChoice,
    Default,
    IllegalMove,
    Judge,
    Place,
    Send,
    Stage,
    State,
    legal,
    step,
    to_move,
    view,
    view_event,
)
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.events import BribesSealed, GameStarted
from games.engine.record import FORMAT, read_record
from games.engine.rules import start
from games.engine.state import Sealed
from tests.engine.cases import at
from tests.engine.playouts import (
    FEWER,
    PLAIN,
    Setting,
    mixed_settings,
    play,
    wild_bribes,
    wild_move,
)

pytestmark = pytest.mark.counts

SPECTATOR = None
MIXED = mixed_settings(60, seed=1994)
SEALED = [
    Setting(setting.edition, {**setting.options, "bribing": "simultaneous"}, setting.players)
    for setting in PLAIN + MIXED
]


def everybody(state: State) -> list[int | None]:
    return [SPECTATOR, *range(len(state.table.players))]


def with_other_secrets(state: State, seat: int | None, chance: Random) -> State:
    """The same table to this seat's eyes: others' money and sealed bribes are different."""
    unit = state.table.edition.unit
    cash = [
        money if owner == seat else money + unit * chance.randint(1, 50)
        for owner, money in enumerate(state.cash)
    ]
    sealed = tuple(
        handed_in if handed_in.seat == seat else other_bribes(state, handed_in, chance)
        for handed_in in state.sealed
    )
    return state._replace(cash=tuple(cash), bank=chance.randint(-(10**6), 0), sealed=sealed)


def other_bribes(state: State, handed_in: Sealed, chance: Random) -> Sealed:
    """What the same player might have handed in instead, with another, greater purse."""
    unit = state.table.edition.unit
    bribes = [(scholar, unit * chance.randint(10**6, 10**9)) for scholar, _ in handed_in.bribes]
    chance.shuffle(bribes)
    return Sealed(handed_in.seat, tuple(bribes))


@pytest.mark.long(every=2)
@pytest.mark.full
@pytest.mark.parametrize("setting", FEWER + MIXED, ids=str)
def test_a_view_does_not_change_with_what_it_must_not_show(setting):
    chance = Random(5)
    hidden = 0
    for moment in play(setting.begin(), seed=5):
        state = moment.made.state
        if state.stage is Stage.OVER:
            continue
        for seat in everybody(state):
            twin = with_other_secrets(state, seat, chance)
            assert twin != state
            assert view(twin, seat) == view(state, seat)
            hidden += 1
    assert hidden or setting.options.get("rounds") == 1, "there was something to hide"


@pytest.mark.sample(9)
@pytest.mark.parametrize("setting", SEALED, ids=str)
def test_sealed_bribes_stay_sealed(setting):
    """Only who handed in is seen; nobody but that player reads the amounts, until all are in."""
    chance = Random(6)
    hidden = 0
    for moment in play(setting.begin(), seed=6):
        state = moment.made.state
        for handed_in in state.sealed:
            twin = state._replace(
                sealed=tuple(
                    other_bribes(state, each, chance) if each == handed_in else each
                    for each in state.sealed
                )
            )
            assert twin != state
            for seat in everybody(state):
                same = view(twin, seat) == view(state, seat)
                assert same == (seat != handed_in.seat)
                hidden += same
            assert view(state, handed_in.seat).own_sealed == handed_in.bribes
    # Only where two players are asked at once is anything sealed between two moves.
    assert hidden or setting.options.get("rounds", 5) < 3


def logs(events, seat):
    return [view_event(event, seat) for event in events]


@pytest.mark.sample(9)
@pytest.mark.parametrize("setting", SEALED, ids=str)
def test_two_games_that_differ_in_a_sealed_bribe_have_the_same_log_for_all_others(setting):
    """Two histories from the same state: another amount is handed in, and nobody can see it."""
    chance = Random(7)
    hidden = 0
    for before, seat, move, made, _ in play(setting.begin(), seed=7):
        choice = legal(before, seat)
        if not isinstance(move, Bribe) or not made.state.sealed:
            continue
        other = step(before, seat, Bribe(wild_bribes(choice, chance)))
        for reader in everybody(before):
            if reader != seat:
                assert logs(other.events, reader) == logs(made.events, reader)
                assert view(other.state, reader) == view(made.state, reader)
        if other.events != made.events:
            hidden += 1
            assert logs(other.events, seat) != logs(made.events, seat)
    assert hidden or setting.options.get("rounds", 5) < 3


def rich(setting: Setting, richer: str, by: int):
    """A game at the set-up in which one player has more money."""
    colours = list(setting.begin().state.table.players)
    plenty = setting.begin().state.table.edition.starting_cash * 100
    cash = dict.fromkeys(colours, plenty) | {richer: plenty + by}
    record = {
        "format": FORMAT,
        "edition": setting.edition,
        "options": setting.options,
        "players": colours,
        "first": "red",
        "position": {"cash": cash},
        "moves": [],
    }
    table, position, *_ = read_record(record)
    return start(table, position)


@pytest.mark.long(every=2)
@pytest.mark.full
@pytest.mark.parametrize("setting", PLAIN + SEALED, ids=str)
def test_two_games_that_differ_only_in_a_purse_look_the_same_to_all_others(setting):
    """The same moves in two games; yellow has more money in one of them, from the beginning."""
    extra, yellow = 7 * setting.begin().state.table.edition.unit, 1
    twin, game = rich(setting, "yellow", extra), rich(setting, "yellow", 0)
    others = [seat for seat in everybody(game.state) if seat != yellow]
    chance = Random(8)
    while game.state.stage is not Stage.OVER:
        for seat in others:
            assert logs(twin.events, seat) == logs(game.events, seat)
            assert view(twin.state, seat) == view(game.state, seat)
        assert twin.state.cash[yellow] == game.state.cash[yellow] + extra
        assert view(twin.state, yellow) != view(game.state, yellow)
        seat = to_move(game.state)[0]
        move = thrifty_move(legal(game.state, seat), chance)
        twin, game = step(twin.state, seat, move), step(game.state, seat, move)


def thrifty_move(choice, chance):
    """Never all one has: a broke player shows it, for then the bank pays (edge 56)."""
    if not isinstance(choice, BribeChoice):
        return wild_move(choice, chance)
    return Bribe(
        tuple(
            (scholar, choice.minimum + choice.unit * chance.randint(0, 3))
            for scholar in choice.scholars
        )
    )


def test_the_log_of_a_given_position_does_not_tell_the_money_of_others():
    game = at("mayfair-2005", "red yellow green", cash={"yellow": 5000})
    started = game.events[0]
    assert isinstance(started, GameStarted)
    for seat in everybody(game.state):
        shown = view_event(started, seat)
        assert shown.position.cash == ()
        assert shown.position._replace(cash=started.position.cash) == started.position


def test_a_sealed_bribe_reads_as_such_to_its_owner_alone():
    event = BribesSealed(1, (((1, 0, 1), 5000),))
    assert view_event(event, 1) == event
    for seat in (0, 2, SPECTATOR):
        assert view_event(event, seat) == BribesSealed(1, ())


def odd_moves(state: State, seat: int, chance: Random):
    """Moves of this seat that are mostly illegal in the same way whatever others hold."""
    unit = state.table.edition.unit
    scholars = list(state.table.names)
    some = chance.sample(scholars, 2)
    own = [scholar for scholar in state.contenders if scholar.owner == seat]
    yield Bribe(tuple((scholar, unit * chance.choice((0, 1, 10**6))) for scholar in own))
    yield Bribe(tuple((scholar, unit // 2) for scholar in own))
    yield Bribe(((some[0], unit),))
    yield Place(((some[0], 1000), (some[1], 1000)))
    yield Judge(some[0])
    yield Send(((some[0], 0), (some[1], 1)))
    yield Default()


def refusal(state, seat, move):
    try:
        step(state, seat, move)
    except IllegalMove as reason:
        return reason.code, reason.message
    return None


@pytest.mark.full
@pytest.mark.parametrize("setting", SEALED[::3] + PLAIN, ids=str)
def test_no_refusal_tells_what_others_hold(setting):
    """Trying an illegal move shows nothing about others' money or sealed bribes."""
    chance = Random(9)
    refused = 0
    for moment in play(setting.begin(), seed=9):
        state = moment.made.state
        for seat in range(len(state.table.players)):
            twin = with_other_secrets(state, seat, chance)
            for move in odd_moves(state, seat, chance):
                refused_with = refusal(state, seat, move)
                assert refusal(twin, seat, move) == refused_with
                refused += refused_with is not None
    assert refused or setting.options.get("rounds") == 1


@pytest.mark.full
@pytest.mark.parametrize("kind", COMPUTER_PLAYERS)
def test_computer_players_play_the_same_whatever_others_hold(kind):
    """They see only their view."""
    chance = Random(10)
    compared = 0
    for setting in SEALED[:12] + PLAIN:
        for moment in play(setting.begin(), seed=10):
            state = moment.made.state
            for seat in to_move(state):
                twin = with_other_secrets(state, seat, chance)
                moves = [COMPUTER_PLAYERS[kind](view(each, seat), 3) for each in (state, twin)]
                assert moves[0] == moves[1]
                compared += 1
    assert compared > 1000


@pytest.mark.parametrize("setting", PLAIN, ids=str)
def test_all_money_is_shown_when_the_game_is_over(setting):
    *_, last = play(setting.begin(), seed=1)
    state = last.made.state
    for seat in everybody(state):
        assert view(state, seat).cash == state.cash
        assert view(last.before, seat).cash.count(None) == setting.players - (seat is not None)
