"""Hard cases of turns: salaries, sending, rounds without decisions, and the end of the game."""

import pytest

from games.engine.events import (
    GameEnded,
    LastIncome,
    SalaryPaid,
    ScholarsSent,
    StageOpened,
    TurnBegan,
)
from tests.engine.cases import at

THREE = "red yellow green"
FOUR = "red yellow green blue"
ALL_RUSSIANS = [
    f"{colour}-{occupation}-{number}"
    for colour in THREE.split()
    for occupation in ("scientist", "doctor", "priest", "clerk")
    for number in (1, 2)
]


def play_defaults(game):
    while game.waiting:
        game.let_pass(game.waiting[0])
    return game


def kinds(game):
    return [type(event) for event in game.events]


def test_salaries_come_at_the_start_of_ones_own_turn_from_all_palaces():
    """Step 1: for every area of the others' palaces that holds a scholar of the active player."""
    game = at(
        "mayfair-2005",
        FOUR,
        active="yellow",
        round=3,
        palaces={
            "red": {6000: "yellow-clerk-1", 1000: "blue-priest-1"},
            "green": {10000: "yellow-doctor-1"},
            "blue": {3000: "yellow-clerk-2"},
        },
        applicants={"red": ["yellow-priest-1"]},
        island=["yellow-priest-2"],
    )
    assert game.cash == {"red": 32000, "yellow": 51000, "green": 32000, "blue": 32000}
    assert game.state.bank == -19000
    assert game.stage == "sending"


def test_the_first_turn_is_only_sending():
    """Edge 3: no salary and nobody at the door."""
    game = at("mayfair-2005", FOUR, first="green")
    assert (game.stage, game.waiting) == ("sending", ["green"])
    assert not any(isinstance(event, SalaryPaid) for event in game.events)


def test_the_round_ends_before_the_first_player_not_before_the_first_seat():
    """Edge 2: the start does not rotate."""
    game = at("mayfair-2005", THREE, first="green", active="yellow", round=2)
    game.send({"yellow-clerk-1": "red", "yellow-clerk-2": "red"})
    assert (game.text["round"], game.text["active"]) == (3, "green")
    game.send({"green-clerk-1": "yellow", "green-clerk-2": "yellow"})
    assert (game.text["round"], game.text["active"]) == (3, "red")


def test_two_of_one_occupation_may_go_to_one_palace():
    """Edges 7 and 8, Mayfair."""
    game = at("mayfair-2005", THREE)
    game.send({"red-clerk-1": "yellow", "red-clerk-2": "yellow"})
    assert game.text["applicants"]["yellow"] == ["red-clerk-1", "red-clerk-2"]


@pytest.mark.parametrize("edition", ["fx-schmid-1994", "russian", "reference-manual"])
def test_elsewhere_the_two_go_to_two_different_palaces(edition):
    """Ruling 1 (S-2, K-2)."""
    game = at(edition, THREE)
    first, second = game.text["unsent"]["red"][:2]
    with game.refuses("palace", "Each must go to a different palace, of yellow, green."):
        game.send({first: "yellow", second: "yellow"})
    game.send({first: "green", second: "yellow"})
    assert game.text["applicants"] == {"red": [], "yellow": [second], "green": [first]}


def test_nobody_sends_to_his_own_palace_or_to_one_that_is_not_there():
    """Edge 10."""
    game = at("mayfair-2005", THREE)
    for palace in ("red", "blue", "anywhere"):
        with game.refuses("palace", "Scholars go to the palaces of others: yellow, green."):
            game.send({"red-clerk-1": "yellow", "red-clerk-2": palace})


def test_exactly_two_are_sent():
    """Edge 9: nobody may pass or send fewer."""
    game = at("mayfair-2005", THREE, island=["red-scientist-1", "red-scientist-2", "red-doctor-1"])
    needed = (
        "Exactly 2 different scholars must be sent, of "
        "red-doctor-2, red-priest-1, red-priest-2, red-clerk-1, red-clerk-2."
    )
    for sent in (
        {},
        {"red-clerk-1": "yellow"},
        {"red-clerk-1": "yellow", "red-clerk-2": "green", "red-priest-1": "green"},
        {"red-clerk-1": "yellow", "red-scientist-1": "green"},
        {"red-clerk-1": "yellow", "yellow-clerk-1": "green"},
    ):
        with game.refuses("scholars", needed):
            game.send(sent)


def test_the_last_one_is_sent_alone():
    """Edge 12: min(2, left)."""
    left = "green-clerk-2"
    island = [s for s in ALL_RUSSIANS if s.startswith("green") and s != left]
    game = at("russian", THREE, first="green", round=2, island=island)
    with game.refuses("scholars", "Exactly 1 scholar must be sent, of green-clerk-2."):
        game.send({})
    game.send({left: "yellow"})
    assert game.text["active"] == "red"
    assert game.text["unsent"]["green"] == []


def test_a_player_with_nobody_beside_his_palace_sends_nothing():
    """Ruling 6 and edge 11."""
    game = at(
        "mayfair-2005",
        THREE,
        round=2,
        island=[s for s in ALL_RUSSIANS if s.startswith("yellow")],
    )
    game.send({"red-clerk-1": "green", "red-clerk-2": "green"})
    assert (game.text["active"], game.stage) == ("green", "external-bribes")
    assert [event.seat for event in game.events if isinstance(event, TurnBegan)] == [0, 1, 2]


def test_the_last_round_sends_nothing():
    """Ruling 6, whatever is still beside the palace."""
    game = at("mayfair-2005", THREE, round=5, applicants={"red": ["yellow-clerk-1"]})
    game.let_pass("yellow")
    game.place({"yellow-clerk-1": 1000})
    assert game.stage == "over"
    assert len(game.text["unsent"]["red"]) == 8
    assert ScholarsSent not in kinds(game)
    # Yellow is paid in his own turn of this round, and once more at the end.
    assert game.change == {"red": 1000, "yellow": -1000 + 1000 + 1000}


@pytest.mark.parametrize(("rounds", "sends"), [(1, 0), (2, 3), (3, 6), (4, 9), (6, 12), (20, 12)])
def test_the_option_rounds_moves_the_last_round(rounds, sends):
    """Ruling 6: 8 scholars are gone after four turns that send."""
    game = play_defaults(at("mayfair-2005", THREE, {"rounds": rounds}))
    assert kinds(game).count(TurnBegan) == 3 * rounds
    assert kinds(game).count(ScholarsSent) == sends
    assert game.text["round"] == rounds


def test_a_game_of_one_round_is_over_before_anybody_is_to_move():
    """Ruling 6 with `rounds: 1`, and ruling 7: all have the same and share the victory."""
    game = at("mayfair-2005", THREE, {"rounds": 1})
    assert (game.stage, game.waiting, game.text["active"]) == ("over", [], None)
    assert game.text["winners"] == ["green", "red", "yellow"]
    assert game.change == {}
    assert game.text["round"] == 1


def test_twenty_rounds_pay_salaries_to_the_end():
    """Rounds without scholars are played by themselves."""
    game = at(
        "mayfair-2005",
        THREE,
        {"rounds": 20},
        round=5,
        palaces={"yellow": {3000: "red-clerk-1"}},
        island=[s for s in ALL_RUSSIANS if s != "red-clerk-1"],
    )
    assert game.stage == "over"
    # The salary of rounds 5 to 20, and once more after the last one.
    assert game.cash["red"] == 32000 + 17 * 3000


def test_the_sixth_round_with_eight_scholars_holds_no_decision():
    """Edge 83: four turns send all; after the fifth round's applicants only salaries are left."""
    game = play_defaults(at("russian", THREE))
    began = [(event.round, at) for at, event in enumerate(game.events) if type(event) is TurnBegan]
    sixth = min(at for number, at in began if number == 6)
    assert StageOpened not in kinds(game)[sixth:]
    assert SalaryPaid in kinds(game)[sixth:]
    assert [number for number, _ in began].count(6) == 3


def test_after_the_last_round_everybody_is_paid_once_more():
    """Step after the last turn: so the last round with nothing to decide is not neutral."""
    game = at(
        "russian",
        THREE,
        round=6,
        palaces={"yellow": {10000: "red-clerk-1"}, "red": {6000: "green-clerk-1"}},
    )
    assert game.stage == "over"
    assert game.cash == {"red": 52000, "yellow": 32000, "green": 44000}
    assert game.text["winners"] == ["red"]
    assert kinds(game)[-4:] == [LastIncome, SalaryPaid, SalaryPaid, GameEnded]
    assert game.events[-1] == GameEnded(winners=(0,), cash=(52000, 32000, 44000))


def test_equal_money_is_a_shared_victory():
    """Ruling 7."""
    game = at(
        "mayfair-2005",
        FOUR,
        round=5,
        active="blue",
        cash={"red": 30000, "yellow": 40000, "green": 39000, "blue": 32000},
        palaces={"red": {1000: "green-clerk-1"}},
    )
    assert game.stage == "over"
    assert game.cash == {"red": 30000, "yellow": 40000, "green": 40000, "blue": 32000}
    assert game.text["winners"] == ["green", "yellow"]


def test_debts_count_below_nothing_at_the_end():
    """Edge 59: negative cash, and even then the most money wins."""
    game = at(
        "reference-manual",
        THREE,
        round=6,
        cash={"red": -2000, "yellow": -1000, "green": -3000},
    )
    assert game.cash == {"red": -2000, "yellow": -1000, "green": -3000}
    assert game.text["winners"] == ["yellow"]


def test_no_move_is_legal_after_the_end():
    """The record format: `over` comes before everything else, even before a malformed move."""
    game = at("russian", THREE, round=6)
    for move in ({"player": "red", "type": "default"}, {"type": "nonsense"}, None, 7):
        with game.refuses("over", "The game is over: no move can be made any more."):
            game.play(move)
