"""The recorded games: the rule documents' own examples, whole games, illegal moves, bad records.

`tests/records/` holds them; what each says about itself is what must come out.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from games.engine.editions import CHOICES
from games.engine.errors import BadRecord
from games.engine.record import adjudicate, bad_record
from games.record_files import parse_record
from tests.engine.presets import PRESETS

RECORDS = Path(__file__).parent.parent / "records"

CODE_OF_FAMILY = {
    "turn": "turn",
    "stranger": "turn",
    "other-stage": "type",
    "unknown-key": "type",
    "not-a-move": "type",
    "no-type": "type",
    "float": "type",
    "whole-float": "type",
    "text": "type",
    "true": "type",
    "null": "type",
    "own-palace": "palace",
    "absent-palace": "palace",
    "same-palace": "palace",
    "twice": "scholars",
    "one": "scholars",
    "three": "scholars",
    "already-sent": "scholars",
    "not-mine": "scholars",
    "negative": "amount",
    "odd": "amount",
    "zero": "amount",
    "huge": "cash",
    "broke-but-generous": "cash",
    "over-what-is-left": "cash",
    "missing": "contenders",
    "doubled": "contenders",
    "foreign": "contenders",
    "not-in-it": "contenders",
    "two-winners": "contenders",
    "lower-attacker": "contenders",
    "unknown-area": "area",
    "taken-area": "area",
    "same-area": "area",
    "after-the-end": "over",
}


def lines(name: str) -> list[str]:
    return (RECORDS / f"{name}.jsonl").read_text().splitlines()


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(name)]


def title(record: dict[str, Any]) -> str:
    return record.get("name") or f"{record['edition']}-{len(record['players'])}-{record['options']}"


EXAMPLES = records("examples")
GAMES = records("games")
ILLEGAL = records("illegal")


def result_of(record: dict[str, Any]) -> dict[str, Any]:
    return adjudicate(record, with_steps=True)[0]


@pytest.mark.parametrize("record", EXAMPLES + GAMES, ids=title)
def test_the_record_leads_through_exactly_the_states_it_tells(record):
    played = result_of(record)
    assert "error" not in played
    assert played["states"] == record["states"]
    assert played["final"] == record["states"][-1]
    assert len(played["states"]) == len(record["moves"]) + 1


def without_number(scholar: str) -> str:
    return scholar.rpartition("-")[0]


@pytest.mark.parametrize("record", EXAMPLES, ids=title)
def test_the_example_ends_as_its_rule_document_says(record):
    before, after = record["states"][0], result_of(record)["final"]
    expect = dict(record["expect"])
    start = PRESETS[record["edition"]]["start"]
    held = record["position"].get("cash", {})
    delta = expect.pop("delta")
    for player in record["players"]:
        text = delta.get(player, 0)
        assert after["cash"][player] - held.get(player, start) == text, player
    owner = record["position"]["active"]
    if "palace" in expect:
        row = after["palaces"][owner]
        employed = {area: without_number(scholar) for area, scholar in row.items() if scholar}
        assert employed == expect.pop("palace")
    if "island" in expect:
        banished = set(after["island"]) - set(before["island"])
        assert sorted(map(without_number, banished)) == expect.pop("island")
    assert not expect, "every expectation of the example was looked at"


def test_the_games_cover_every_edition_and_table_size():
    played = {(game["edition"], len(game["players"])) for game in GAMES}
    assert played == {(edition, size) for edition in PRESETS for size in (3, 4, 5)}


def test_the_games_cover_every_option():
    played = {(key, value) for game in GAMES for key, value in game["options"].items()}
    # What no game spells out is the default of every edition.
    defaults = {("bribing", "sequential"), ("refund_losers", False)}
    # Games with promises are in test_record_promises.
    wanted = {(key, value) for key in CHOICES if key != "promises" for value in CHOICES[key]}
    assert played | defaults >= wanted
    assert {"rounds", "uncontested_min_bribe"} <= {key for key, _ in played}


@pytest.mark.sample(12)
@pytest.mark.parametrize("record", ILLEGAL, ids=title)
def test_the_illegal_move_is_refused_and_nothing_before_it(record):
    played = result_of(record)
    family = record["name"].removeprefix("illegal-").rpartition("-")[0]
    assert played["name"] == record["name"]
    assert played["error"]["move"] == record["illegal_move"]
    assert played["error"]["code"] == CODE_OF_FAMILY[family]
    assert played["error"]["message"].endswith(".")
    assert len(played["states"]) == record["illegal_move"] + 1
    assert played["final"] == played["states"][-1]


def test_every_family_of_illegal_moves_is_there():
    families = {record["name"].removeprefix("illegal-").rpartition("-")[0] for record in ILLEGAL}
    assert families == set(CODE_OF_FAMILY)


@pytest.mark.parametrize("line", lines("bad"))
def test_the_bad_record_is_refused_as_a_whole(line):
    try:
        played, moves = adjudicate(parse_record(line), with_steps=True)
    except BadRecord as reason:
        played, moves = bad_record(None, str(reason), with_steps=True), 0
    assert moves == 0
    assert played["error"]["move"] is None
    assert played["error"]["code"] == "record"
    assert played["error"]["message"].endswith(".")
    assert played["final"] is None
    assert played["states"] == []


BAD_SENTENCES = {
    "bad-other-format": 'The format must be "intrigue-record/1".',
    "bad-no-format": 'The format must be "intrigue-record/1".',
    "bad-no-edition": "The record lacks edition.",
    "bad-no-players": "The record lacks players.",
    "bad-no-first": "The record lacks first.",
    "bad-no-moves": "The record lacks moves.",
    "bad-moves-no-list": "The moves must be a list.",
    "bad-players-text": "The players must be a list of 3 to 5 colours.",
    "bad-position-two-places": "A scholar can be in one place only.",
    "bad-position-own-palace": "No scholar can be in or before its owner's palace.",
    "bad-position-own-door": "No scholar can be in or before its owner's palace.",
    "bad-position-same-occupation": "A palace cannot employ two scholars of one occupation.",
    "bad-position-unknown-area": "A palace has the areas 1000, 6000, 10000, 3000.",
    "bad-position-late": "The round must be from 1 to 5.",
    "bad-position-debt": "Cash below 0 is possible only with the option broke: debt.",
}


def test_a_bad_record_gets_a_message_with_what_would_be_right():
    named = {}
    for line in lines("bad"):
        try:
            played, _ = adjudicate(parse_record(line))
        except BadRecord:
            continue
        named[played["name"]] = played["error"]["message"]
    assert {name: named[name] for name in BAD_SENTENCES} == BAD_SENTENCES
