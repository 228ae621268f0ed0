"""`courtier`: always legal, always the same for the same seed, and better than the other two."""

import pytest

from games.engine import COLOURS, check, new_game, to_move, view, winners
from games.engine.computer_players import COMPUTER_PLAYERS
from games.engine.courtier import play_courtier
from games.features.simulate.playout import play_out
from tests.engine.cases import at
from tests.engine.playouts import FEWER, mixed_settings, play


@pytest.mark.long(every=3)
@pytest.mark.full
@pytest.mark.parametrize(
    ("seed", "setting"), [*enumerate(FEWER + mixed_settings(40, seed=7), 30)], ids=str
)
def test_a_legal_move_everywhere_and_the_same_for_the_same_seed(seed, setting):
    for moment in play(setting.begin(), seed):
        for seat in to_move(moment.before):
            seen = view(moment.before, seat)
            move = play_courtier(seen, seed)
            check(seen.table, seen.choice, move)
            assert play_courtier(seen, seed) == move


@pytest.mark.sample(12)
@pytest.mark.parametrize("setting", FEWER, ids=str)
def test_courtiers_among_themselves_finish_their_games(setting):
    playout = play_out(setting.begin(), [play_courtier] * setting.players, seed=8)
    assert winners(playout.state)


def games_won(kind: str, games: int) -> float:
    """The part of four-player games that one courtier wins alone against three of the kind."""
    seats = [COMPUTER_PLAYERS[one] for one in ("courtier", kind, kind, kind)]
    colours = COLOURS[:4]
    won = 0
    for number in range(games):
        beginning = new_game("mayfair-2005", {}, colours, colours[number % 4])
        won += winners(play_out(beginning, seats, seed=number).state) == (0,)
    return won / games


@pytest.mark.full
@pytest.mark.parametrize(("kind", "at_least"), [("random", 0.8), ("default", 0.9)])
def test_a_courtier_wins_most_games(kind, at_least):
    assert games_won(kind, 120) >= at_least


def test_a_seat_that_is_not_to_move_plays_nothing():
    for moment in play(FEWER[0].begin(), seed=1):
        for seat in set(range(FEWER[0].players)) - set(to_move(moment.before)):
            with pytest.raises(ValueError, match="not to move"):
                play_courtier(view(moment.before, seat), 1)


FOUR = "red yellow green blue"


def bribe_of(game, player):
    return dict(play_courtier(view(game.state, game.seat(player)), 1).bribes)


@pytest.mark.parametrize(("area", "rounds_played", "pays"), [(10000, 2, 4000), (1000, 5, 1000)])
def test_a_bribe_costs_no_more_than_the_place_will_bring(area, rounds_played, pays):
    """The resident's owner paid 3,000: a long well paid place is worth more, a poor one is not."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=rounds_played,
        palaces={"red": {area: "yellow-clerk-1"}},
        applicants={"red": ["green-clerk-1"]},
    )
    game.bribe({"yellow-clerk-1": 3000})
    clerk = game.state.table.scholars["green-clerk-1"]
    assert bribe_of(game, "green") == {clerk: pays}


def test_favours_are_returned():
    """Yellow and green paid the same and earn the same, but only yellow employs red's scholar."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=3,
        palaces={
            "red": {6000: "blue-clerk-1"},
            "yellow": {10000: "red-priest-1"},
            "green": {10000: "blue-doctor-1"},
        },
        applicants={"red": ["green-priest-1", "yellow-priest-1"]},
    )
    game.bribe({"yellow-priest-1": 2000})
    game.bribe({"green-priest-1": 2000})
    (hired, area) = play_courtier(view(game.state, 0), 1).placements[0]
    assert game.state.table.names[hired] == "yellow-priest-1"
    assert area == 10000


def test_scholars_are_sent_where_places_are_open():
    """Yellow's palace is full of others; green's and blue's are empty."""
    full = {1000: "green-scientist-1", 6000: "green-doctor-1", 10000: "blue-priest-1"}
    game = at("mayfair-2005", FOUR, round=2, palaces={"yellow": {**full, 3000: "blue-clerk-1"}})
    sent = play_courtier(view(game.state, 0), 1).scholars
    assert {game.state.table.players[palace] for _, palace in sent} == {"green", "blue"}
