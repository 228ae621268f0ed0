"""Setting a table: editions and options, and the sentence with which a wrong one is refused."""

from dataclasses import FrozenInstanceError, replace

import pytest

from games.engine import COLOURS, EDITIONS, BadRecord, BadSetup, decode, encode, new_game
from games.engine.record import FORMAT, read_record
from tests.engine.presets import PRESETS

THREE = ("red", "yellow", "green")
MAYFAIR = EDITIONS["mayfair-2005"]


@pytest.mark.parametrize("edition", PRESETS)
def test_the_preset_is_the_table_of_ruling_1(edition):
    rules, preset = EDITIONS[edition], PRESETS[edition]
    assert rules.id == edition
    assert list(rules.areas) == preset["areas"]
    assert rules.occupations == preset["occupations"]
    assert rules.starting_cash == preset["start"]
    for key in (
        "rounds",
        "unit",
        "distinct_palaces",
        "internal_order",
        "defender_bribe",
        "attackers",
        "broke",
    ):
        assert getattr(rules, key) == preset[key], key
    assert rules.uncontested_min_bribe == preset["unit"]
    assert rules.bribing == "sequential"
    assert rules.refund_losers is False


def test_there_are_the_four_editions():
    assert set(EDITIONS) == set(PRESETS)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_new_game_begins_with_the_first_player_sending(players):
    """Set-up: starting cash, every scholar beside its palace, nobody anywhere else."""
    state = new_game("fx-schmid-1994", {}, COLOURS[:players], "green").state
    assert (state.round, state.active, state.stage) == (1, 2, "sending")
    assert state.cash == (320000,) * players
    assert state.bank == 0
    assert [len(row) for row in state.unsent] == [10] * players
    assert set(state.palaces) == {(None,) * 5}
    assert set(state.applicants) == {()}
    assert state.island == ()


def setup_refused(edition="mayfair-2005", options=None, players=THREE, first="red"):
    with pytest.raises(BadSetup) as reason:
        new_game(edition, options or {}, players, first)
    return str(reason.value)


ROUNDS = "The option rounds must be a whole number from 1 to 20."
MINIMUM = (
    "The option uncontested_min_bribe must be a positive multiple of 1000, "
    "at most 9007199254740991."
)
BOOLEAN = "The option refund_losers must be one of false, true."
DISTINCT = "The option distinct_palaces must be one of false, true."


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        ("rounds", 0, ROUNDS),
        ("rounds", 21, ROUNDS),
        ("rounds", -1, ROUNDS),
        ("rounds", True, ROUNDS),
        ("rounds", 5.0, ROUNDS),
        ("rounds", "5", ROUNDS),
        ("rounds", None, ROUNDS),
        ("rounds", 10**4000, ROUNDS),
        ("uncontested_min_bribe", 0, MINIMUM),
        ("uncontested_min_bribe", -1000, MINIMUM),
        ("uncontested_min_bribe", 1500, MINIMUM),
        ("uncontested_min_bribe", True, MINIMUM),
        ("uncontested_min_bribe", 1000.0, MINIMUM),
        ("uncontested_min_bribe", "1000", MINIMUM),
        ("uncontested_min_bribe", 10**4000, MINIMUM),
        ("uncontested_min_bribe", [1000], MINIMUM),
        ("refund_losers", 1, BOOLEAN),
        ("refund_losers", 0, BOOLEAN),
        ("refund_losers", "true", BOOLEAN),
        ("refund_losers", None, BOOLEAN),
        ("distinct_palaces", 1.0, DISTINCT),
        ("distinct_palaces", [], DISTINCT),
        ("bribing", "sealed", "The option bribing must be one of sequential, simultaneous."),
        ("bribing", True, "The option bribing must be one of sequential, simultaneous."),
        ("internal_order", "up", "The option internal_order must be one of ascending, descending."),
        ("defender_bribe", {}, "The option defender_bribe must be one of required, optional."),
        ("attackers", "lowest", "The option attackers must be one of any, highest."),
        ("broke", "loan", "The option broke must be one of bank, debt."),
        ("broke", None, "The option broke must be one of bank, debt."),
    ],
)
def test_a_wrong_value_of_an_option_is_refused(option, value, sentence):
    assert setup_refused(options={option: value}) == sentence


@pytest.mark.parametrize("option", ["refund", "Rounds", "starting_cash", "areas", "id", ""])
def test_an_unknown_option_is_refused(option):
    assert setup_refused(options={option: 1}) == (
        f'There is no option "{option}": the options are rounds, bribing, refund_losers, '
        "distinct_palaces, internal_order, defender_bribe, attackers, broke, "
        "uncontested_min_bribe, promises."
    )


def test_the_name_of_an_unknown_option_is_not_repeated_at_any_length():
    sentence = setup_refused(options={"x" * 10**6: 1})
    assert sentence.startswith(f'There is no option "{"x" * 40}…": the options are rounds')


@pytest.mark.parametrize("edition", ["mayfair", "", None, 1, True, [], {}, ["mayfair-2005"]])
def test_an_unknown_edition_is_refused(edition):
    assert setup_refused(edition) == (
        "The edition must be one of mayfair-2005, fx-schmid-1994, russian, reference-manual."
    )


SIX = (*COLOURS, "red")


@pytest.mark.parametrize("players", [(), ("red",), ("red", "blue"), SIX, (*THREE, "pink"), "red"])
def test_fewer_than_three_more_than_five_or_other_colours_are_refused(players):
    """Edge 5: 3 to 5 players."""
    sentence = "The players must be 3 to 5 of red, yellow, green, blue, violet."
    assert setup_refused(players=players) == sentence


def test_two_players_of_one_colour_are_refused():
    sentence = setup_refused(players=("red", "green", "red"))
    assert sentence == "Each player must have a colour of their own."


@pytest.mark.parametrize("first", ["blue", "", None, 0, ["red"], {}])
def test_a_first_player_who_does_not_sit_there_is_refused(first):
    assert setup_refused(first=first) == "The first player must be one of red, yellow, green."


def test_an_edition_needs_as_many_areas_as_occupations():
    """Ruling 1: else lemma 1 would not hold."""
    with pytest.raises(BadSetup) as reason:
        replace(MAYFAIR, areas=(1000, 6000, 10000))
    assert str(reason.value) == (
        "An edition needs as many areas as occupations: mayfair-2005 has 3 areas and 4 occupations."
    )


@pytest.mark.parametrize("areas", [(1000, 1000, 6000, 3000), (0, 1, 2, 3), (-1, 1, 2, 3)])
def test_salaries_are_positive_and_all_different(areas):
    """An area is named by its salary."""
    with pytest.raises(BadSetup, match="must be positive and all different"):
        replace(MAYFAIR, areas=areas)


def test_occupations_are_all_different():
    with pytest.raises(BadSetup, match="The occupations of mayfair-2005 must all be different"):
        replace(MAYFAIR, occupations=("clerk", "clerk", "priest", "doctor"))


def test_editions_and_tables_cannot_be_changed():
    """A game never changes what another one is played by."""
    table = new_game("mayfair-2005", {}, THREE, "red").state.table
    with pytest.raises(FrozenInstanceError):
        table.edition.rounds = 6
    with pytest.raises(FrozenInstanceError):
        table.first = 1
    with pytest.raises(FrozenInstanceError):
        table.edition.words.palace = "castle"


def test_the_order_in_which_options_are_written_does_not_matter():
    """A database may keep the keys of an object in an order of its own."""
    one = new_game("russian", {"rounds": 3, "broke": "debt"}, THREE, "red")
    other = new_game("russian", {"broke": "debt", "rounds": 3}, THREE, "red")
    assert one == other
    stored = encode(one.state)
    stored["table"]["options"] = dict(reversed(stored["table"]["options"].items()))
    assert decode(stored) == one.state


POSITION_REFUSALS = [
    ({"round": 0}, "The round must be from 1 to 5."),
    ({"round": 6}, "The round must be from 1 to 5."),
    ({"round": True}, "The round must be from 1 to 5."),
    ({"round": 2.0}, "The round must be from 1 to 5."),
    ({"round": None}, "The round must be from 1 to 5."),
    ({"active": "blue"}, "The active player must be one of red, yellow, green."),
    ({"active": None}, "The active player must be one of red, yellow, green."),
    ({"active": ["red"]}, "The active player must be one of red, yellow, green."),
    ({"cash": []}, "The cash must be an object with keys of red, yellow, green."),
    ({"cash": {"blue": 1000}}, "The cash must be an object with keys of red, yellow, green."),
    (
        {"cash": {"red": True}},
        "Cash must be a whole number from -9007199254740991 to 9007199254740991.",
    ),
    (
        {"cash": {"red": 1.0}},
        "Cash must be a whole number from -9007199254740991 to 9007199254740991.",
    ),
    (
        {"cash": {"red": 10**4000}},
        "Cash must be a whole number from -9007199254740991 to 9007199254740991.",
    ),
    ({"cash": {"red": -1}}, "Cash below 0 is possible only with the option broke: debt."),
    ({"palaces": None}, "The palaces must be an object with keys of red, yellow, green."),
    ({"palaces": {"red": []}}, "A palace has the areas 1000, 6000, 10000, 3000."),
    ({"palaces": {"red": {"2000": None}}}, "A palace has the areas 1000, 6000, 10000, 3000."),
    (
        {"palaces": {"red": {"1000": 7}}},
        "An area must name scholars of this table, such as red-scientist-1.",
    ),
    (
        {"palaces": {"red": {"1000": "yellow-clerk-3"}}},
        "An area must name scholars of this table, such as red-scientist-1.",
    ),
    ({"palaces": {"red": {"1000": "red-clerk-1"}}}, "No scholar can be in or before its owner's"),
    (
        {"palaces": {"red": {"1000": "yellow-clerk-1", "3000": "green-clerk-1"}}},
        "A palace cannot employ two scholars of one occupation.",
    ),
    ({"applicants": {"red": "yellow-clerk-1"}}, "Each player's applicants must be a list of"),
    ({"applicants": {"red": ["red-clerk-1"]}}, "No scholar can be in or before its owner's palace"),
    ({"island": {}}, "The island must be a list of scholars."),
    ({"island": [None]}, "The island must name scholars of this table, such as red-scientist-1."),
    ({"island": ["red-clerk-1", "red-clerk-1"]}, "A scholar can be in one place only."),
    (
        {"island": ["red-clerk-1"], "applicants": {"yellow": ["red-clerk-1"]}},
        "A scholar can be in one place only.",
    ),
    ({"unsent": {}}, "A position may have the keys round, active, cash, palaces, applicants,"),
    (None, "A position may have the keys round, active, cash, palaces, applicants, island."),
    ([], "A position may have the keys round, active, cash, palaces, applicants, island."),
]


def record(**more):
    return {
        "format": FORMAT,
        "edition": "mayfair-2005",
        "players": list(THREE),
        "first": "red",
        "moves": [],
        **more,
    }


@pytest.mark.parametrize(("position", "sentence"), POSITION_REFUSALS)
def test_an_impossible_position_is_refused(position, sentence):
    with pytest.raises(BadRecord) as reason:
        read_record(record(position=position))
    assert str(reason.value).startswith(sentence)


def test_every_key_of_a_position_is_optional_and_an_area_may_be_null():
    _, position, *_ = read_record(
        record(first="green", position={"palaces": {"red": {"1000": None}}})
    )
    assert (position.round, position.active) == (1, 2)
    assert position.cash == (32000, 32000, 32000)


def test_debts_are_possible_where_the_table_knows_them():
    options, position = {"broke": "debt"}, {"cash": {"red": -5000}}
    assert read_record(record(options=options, position=position)).position.cash[0] == -5000


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"format": "intrigue-record/2"}, 'The format must be "intrigue-record/1".'),
        ({"format": None}, 'The format must be "intrigue-record/1".'),
        ({"options": None}, "The options must be an object, {} for none."),
        ({"options": []}, "The options must be an object, {} for none."),
        ({"players": ["red", 2, "green"]}, "The players must be a list of 3 to 5 colours."),
        ({"players": None}, "The players must be a list of 3 to 5 colours."),
        ({"moves": None}, "The moves must be a list."),
        ({"name": 7}, "The name must be text."),
        ({"name": None}, "The name must be text."),
        ({"postion": {}}, 'A record has no key "postion"; it may have format, edition, players,'),
        ({"X-note": 1}, 'A record has no key "X-note"; it may have format, edition, players,'),
    ],
)
def test_a_wrong_record_is_refused(more, sentence):
    with pytest.raises(BadRecord) as reason:
        read_record(record(**more))
    assert str(reason.value).startswith(sentence)


def test_what_is_for_people_is_ignored_whatever_it_is():
    """The record format: source, comment, expect, states, illegal_move and x- keys."""
    read_record(
        record(source=1, comment=[], expect=None, states="none", illegal_move={}, **{"x-": 2})
    )
