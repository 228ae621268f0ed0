"""Whole games in simulated days: who moves when, by rulings and habits."""

from collections import Counter
from itertools import pairwise

import pytest

from games.engine import BRIBING, COLOURS, EDITIONS, decode_move, new_game, step, view
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.forced import forced_move
from games.engine.rules import Step
from games.features.simulate.habits import DAY, Habits, LongGame, play_over_days
from games.features.simulate.playout import Waits, play_out

A_DAY_LATER = Habits(orders=0, missed=0, soon=0, soon_hours=DAY)
"""Everyone moves exactly 24 hours after their turn comes, which is just in time."""

TOO_LATE = A_DAY_LATER._replace(move_time=12)

SEALED = {"bribing": "simultaneous"}


def begin(players: int = 4, edition: str = "mayfair-2005", options: dict | None = None) -> Step:
    colours = COLOURS[:players]
    return new_game(edition, options or {}, colours, colours[1])


def played(beginning: Step, habits: Habits, seed: int = 1, kind: str = "random") -> LongGame:
    seats = [COMPUTER_PLAYERS[kind]] * len(beginning.state.table.players)
    return play_over_days(beginning, seats, habits, seed)


def counts(game: LongGame) -> Counter:
    return Counter(made.source for made in game.made)


def seats_of(beginning: Step, game: LongGame) -> list[int]:
    return [decode_move(beginning.state.table, move)[0] for move in game.moves]


def openings(beginning: Step, game: LongGame) -> list[float]:
    """When the phase of each move opened."""
    state, opened, found = beginning.state, 0.0, []
    phase = None
    for number, move in enumerate(game.moves):
        if phase != (phase := (state.round, state.active, state.stage, state.area)):
            opened = game.made[number - 1].at if number else 0.0
        found.append(opened)
        state = step(state, *decode_move(state.table, move)).state
    return found


def waits_in(beginning: Step, game: LongGame) -> Waits:
    """The waiting points of the same moves, as `simulate` counts them."""
    table = beginning.state.table
    moves: dict[int, list] = {seat: [] for seat in range(len(table.players))}
    for seat, move in (decode_move(table, move) for move in game.moves):
        moves[seat].append(move)
    again = play_out(beginning, [lambda seen, _: moves[seen.seat].pop(0)] * len(moves), seed=0)
    assert again.state == game.state
    return again.waits


def hours_counted_again(beginning: Step, game: LongGame, negotiation_time: float = 0) -> float:
    """With `A_DAY_LATER`: a day for each phase, and 6 hours for each later turn in it."""
    state = beginning.state
    now = opened = 0.0
    phase = turn = mover = None
    for number, seat in enumerate(seats_of(beginning, game)):
        if state.stage in BRIBING and turn != (state.round, state.active) and negotiation_time:
            turn, now, mover = (state.round, state.active), now + min(negotiation_time, DAY), None
        if phase != (phase := (state.round, state.active, state.stage, state.area)):
            opened = now
        late = now > opened
        if forced_move(view(state, seat)) is None and seat != mover:
            sealed = late and state.table.edition.bribing == "simultaneous"
            now = now if sealed else max(opened + DAY, now + 6 * late)
            mover = None if late else seat
        assert game.made[number].at == now
        state = step(state, seat, decode_move(state.table, game.moves[number])[1]).state
    return now


@pytest.mark.parametrize("seed", range(4))
def test_the_same_seed_plays_the_same_game_at_the_same_times(seed):
    game = played(begin(5), Habits(negotiation_time=12), seed)
    assert game == played(begin(5), Habits(negotiation_time=12), seed)
    assert game != played(begin(5), Habits(negotiation_time=12), seed + 1)


@pytest.mark.sample(3)
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("options", [{}, SEALED])
def test_every_move_is_made_by_somebody_and_in_order(edition, players, options):
    beginning = begin(players, edition, options)
    game = played(beginning, Habits(negotiation_time=12))
    waits_in(beginning, game)  # also that the moves lead to the same end
    times = [made.at for made in game.made]
    assert len(times) == len(game.moves)
    assert times == sorted(times)
    assert game.hours == times[-1]
    assert set(counts(game)) == {"people", "orders", "clock", "forced"}


def test_a_game_without_moves_takes_no_time():
    assert played(begin(3, options={"rounds": 1}), Habits()).hours == 0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("players", [3, 5])
def test_sealed_bribing_takes_one_wait_a_phase(players, seed):
    """Where everybody comes after a day, a game takes a day for each waiting point."""
    beginning = begin(players, options=SEALED)
    game = played(beginning, A_DAY_LATER, seed)
    assert game.hours == DAY * waits_in(beginning, game).tidied
    assert counts(game).keys() <= {"people", "forced"}


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("options", [{}, SEALED])
@pytest.mark.parametrize("negotiation_time", [0, 5, 48])
def test_later_turns_have_a_quarter_of_the_time(options, negotiation_time, seed):
    """Nobody comes so soon then, so the clock plays; and that is no miss, so nobody is absent.

    Negotiation time ends after a day, when everybody has come.
    """
    beginning = begin(4, options=options)
    game = played(beginning, A_DAY_LATER._replace(negotiation_time=negotiation_time), seed)
    assert game.hours == hours_counted_again(beginning, game, negotiation_time)
    assert ("clock" in counts(game)) == (options == {})


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("options", [{}, SEALED])
def test_with_all_orders_left_only_decisions_and_sendings_are_waited_for(options, seed):
    beginning = begin(5, options=options)
    game = played(beginning, A_DAY_LATER._replace(orders=1), seed)
    assert counts(game)["orders"] == sum(move["type"] == "bribe" for move in game.moves)
    assert game.hours == DAY * waits_in(beginning, game).with_orders


@pytest.mark.full
def test_half_of_five_players_are_two_or_three():
    """A game is long enough for everyone who leaves orders to have one executed."""
    found = Counter()
    for seed in range(20):
        game = played(begin(5), Habits(orders=0.5), seed)
        seats = seats_of(begin(5), game)
        by_order = {
            seat for seat, made in zip(seats, game.made, strict=True) if made.source == "orders"
        }
        found[len(by_order)] += 1
    assert set(found) == {2, 3}
    assert min(found.values()) >= 5


def test_orders_for_everything_shorten_the_game():
    game = played(begin(5), Habits(orders=1, order_all=True))
    ordered = {
        move["type"]
        for move, made in zip(game.moves, game.made, strict=True)
        if made.source == "orders"
    }
    assert ordered == {"bribe", "place", "judge", "send"}
    assert game.hours < played(begin(5), Habits(orders=1)).hours


def test_orders_are_otherwise_for_bribes_only():
    game = played(begin(5), Habits(orders=1))
    by_order = {
        move["type"]
        for move, made in zip(game.moves, game.made, strict=True)
        if made.source == "orders"
    }
    assert by_order == {"bribe"}


def test_the_clock_plays_the_default():
    """Those who always bribe more than the least don't where the clock plays."""
    beginning = begin(3)
    game = played(beginning, Habits(orders=0, missed=0.9))
    state = beginning.state
    for move, made in zip(game.moves, game.made, strict=True):
        seat, engine_move = decode_move(state.table, move)
        if made.source == "clock":
            assert engine_move == view(state, seat).default
        state = step(state, seat, engine_move).state
    assert counts(game)["clock"] > counts(game)["people"]


@pytest.mark.full
def test_a_third_of_the_turns_is_missed_and_half_of_the_rest_played_within_three_hours():
    """Of the first moves of 900 games."""
    firsts = [
        played(begin(3, options={"rounds": 2}), Habits(), seed).made[0] for seed in range(900)
    ]
    by_people = [made.at for made in firsts if made.source == "people"]
    soon = sum(at <= 3 for at in by_people)
    assert (len(firsts) - len(by_people), soon) == (318, 273)
    assert {made.at for made in firsts if made.source == "clock"} == {DAY}
    assert max(by_people) < DAY


@pytest.mark.parametrize("seed", range(10))
def test_an_absent_player_has_missed_two_in_a_row_or_three_of_eight(seed):
    """Sealed bribing asks all at once, so that every deadline is a full one."""
    beginning = begin(4, options=SEALED)
    game = played(beginning, Habits(orders=0), seed)
    missed: dict[int, list[bool]] = {seat: [] for seat in range(4)}
    not_waited_for = 0
    for seat, made, opened in zip(
        seats_of(beginning, game), game.made, openings(beginning, game), strict=True
    ):
        if made.source == "clock" and made.at == opened:
            assert missed[seat][-2:] == [True] * 2 or sum(missed[seat][-8:]) >= 3
            not_waited_for += 1
        elif made.source != "forced":
            missed[seat].append(made.source == "clock")
    assert not_waited_for


def test_absent_players_are_not_waited_for_until_they_come():
    """Everybody comes 24 hours after their turn, and has 12 hours to move: all turns are missed.

    Yellow misses two turns until hour 24, comes at 36, and is asked again at 48; green misses two
    until 48, comes at 60, red until 84, comes at 96, and yellow misses two more until 108.
    """
    game = played(begin(3, options={"rounds": 2} | SEALED), TOO_LATE, kind="default")
    assert [
        (made.at, move["player"], move["type"])
        for made, move in zip(game.made, game.moves, strict=True)
    ] == [
        (12, "yellow", "send"),
        (24, "yellow", "bribe"),
        (36, "green", "place"),
        (48, "green", "send"),
        (48, "green", "bribe"),
        (60, "yellow", "bribe"),
        (72, "red", "place"),
        (84, "red", "send"),
        (84, "red", "bribe"),
        (96, "green", "bribe"),
        (108, "yellow", "place"),
        (108, "yellow", "bribe"),
        (120, "red", "bribe"),
        (132, "green", "judge"),
    ]
    assert counts(game) == {"clock": 14}


def test_while_all_are_absent_nothing_is_played():
    """Players who hardly ever come: nobody waits for 3 of them, but all wait for the first."""
    game = played(begin(3), Habits(orders=0, missed=0.98), seed=2)
    longest = max(later.at - made.at for made, later in pairwise(game.made))
    assert longest > 5 * DAY


@pytest.mark.full
@pytest.mark.parametrize(
    ("orders", "days", "sources"),
    [
        # All plan anew when a game wakes: else it would take 985.9 days.
        (0, 993.9, {"clock": 1929, "people": 396, "forced": 54}),
        # An order is used up by its bribe: else there would be four more.
        (1, 793.0, {"clock": 1835, "orders": 320, "people": 160, "forced": 47}),
    ],
)
def test_forty_games_of_players_who_come_every_tenth_day(orders, days, sources):
    habits = Habits(orders=orders, missed=0.9)
    games = [played(begin(3), habits, seed, "courtier") for seed in range(40)]
    assert sum((counts(game) for game in games), Counter()) == sources
    assert round(sum(game.hours for game in games) / DAY, 1) == days
