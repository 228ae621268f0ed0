"""The key `promises` of a record: what it may hold, what is judged, and what is refused."""

from typing import Any

import pytest

from games.engine.record import adjudicate

SEND = {
    "player": "red",
    "type": "send",
    "scholars": [["red-clerk-1", "yellow"], ["red-clerk-2", "green"]],
}
BRIBE = {"player": "red", "type": "bribe", "bribes": [["red-clerk-1", 4000]]}
PLACE = {"player": "yellow", "type": "place", "placements": [["red-clerk-1", 6000]]}
PEACE = {"form": "send-nobody", "until": 2}
PROMISES = [
    {"after": 0, "player": "red", "type": "offer", "id": 1, "to": "green", "form": "send"},
    {"after": 0, "player": "green", "type": "accept", "id": 1},
    {"after": 0, "player": "red", "type": "offer", "id": 2, "to": "yellow", "form": "send"},
    {
        "after": 1, "player": "red", "type": "offer", "id": 3, "to": "yellow", "promiser": "yellow",
        "form": "place", "scholar": "red-clerk-1", "least": 6000,
        "if": {"bribe": "red-clerk-1", "least": 4000},
    },
    {"after": 1, "player": "yellow", "type": "accept", "id": 3},
    {
        "after": 1, "player": "red", "type": "offer", "id": 4, "to": "yellow",
        "form": "pay", "scholar": "red-clerk-1", "least": 5000, "if": PEACE,
    },
    {"after": 1, "player": "yellow", "type": "accept", "id": 4},
    {"after": 3, "player": "green", "type": "offer", "id": 5, "to": "red", **PEACE},
    {"after": 3, "player": "red", "type": "decline", "id": 5},
    {"after": 3, "player": "green", "type": "offer", "id": 6, "to": "red", **PEACE},
    {"after": 3, "player": "green", "type": "withdraw", "id": 6},
    {"after": 3, "player": "green", "type": "offer", "id": 7, "to": "red", "form": "send"},
]  # fmt: skip


def record(**more: Any) -> dict[str, Any]:
    return {
        "format": "intrigue-record/1",
        "edition": "mayfair-2005",
        "players": ["red", "yellow", "green"],
        "first": "red",
        "moves": [SEND, BRIBE, PLACE],
        **more,
    }


def test_every_offer_has_its_verdict_and_the_move_that_settled_it():
    result, moves = adjudicate(record(promises=PROMISES))
    assert moves == 3
    assert result["promises"] == [
        {"id": 1, "verdict": "kept", "move": 0},
        {"id": 2, "verdict": "lapsed", "move": 0},
        {"id": 3, "verdict": "kept", "move": 2},
        {
            "id": 4,
            "verdict": "broken",
            "move": 1,
            "in_return": {"verdict": "void", "move": 1},
        },
        {"id": 5, "verdict": "declined", "move": None},
        {"id": 6, "verdict": "withdrawn", "move": None},
        {"id": 7, "verdict": "open", "move": None},
    ]


def test_a_record_without_the_key_has_none_in_its_result():
    assert "promises" not in adjudicate(record())[0]
    assert adjudicate(record(promises=[]))[0]["promises"] == []


def test_promises_up_to_a_move_that_is_illegal_are_judged():
    result, moves = adjudicate(record(moves=[SEND, PLACE, PLACE], promises=PROMISES))
    assert (moves, result["error"]["code"]) == (1, "type")
    assert [one["verdict"] for one in result["promises"]] == ["kept", "lapsed", *["pending"] * 2]


OFFER = PROMISES[0]


@pytest.mark.parametrize(
    ("promises", "message"),
    [
        ({}, "The promises must be a list of offers and replies."),
        ([7], "Entry 0 of the promises: An offer or reply is a JSON object."),
        ([{**OFFER, "after": 4}], "Entry 0 of the promises: after must be from 0 to 3: "),
        (
            [{**OFFER, "after": 1}, {**OFFER, "id": 2}],
            "Entry 1 of the promises: after must be from 1 to 3: ",
        ),
        ([{**OFFER, "after": -1}], 'Entry 0 of the promises: "after" must be a whole number'),
        ([{**OFFER, "id": 2}], "Entry 0 of the promises: The id of this offer must be 1."),
        ([{**OFFER, "id": True}], "Entry 0 of the promises: The id of this offer must be 1."),
        ([{**OFFER, "type": "bid"}], "Entry 0 of the promises: The type must be offer, accept,"),
        ([{**OFFER, "type": []}], "Entry 0 of the promises: The type must be offer, accept,"),
        ([{**OFFER, "player": "violet"}], 'Entry 0 of the promises: "player" must be one of red,'),
        ([{**OFFER, "player": []}], 'Entry 0 of the promises: "player" must be one of red,'),
        ([{**OFFER, "to": "red"}], "Entry 0 of the promises: A promise is made by one player"),
        (
            [{**OFFER, "promiser": "yellow"}],
            "Entry 0 of the promises: The promiser must be one of the two players.",
        ),
        ([{**OFFER, "private": 1}], "Entry 0 of the promises: private must be true or false."),
        ([{**OFFER, "form": "dance"}], "Entry 0 of the promises: The form of a promise must be"),
        ([{**OFFER, "form": []}], "Entry 0 of the promises: The form of a promise must be one of"),
        ([{**OFFER, "until": 2}], 'Entry 0 of the promises: There is no key "until" here: '),
        ([{**OFFER, "form": "send-nobody"}], 'Entry 0 of the promises: "until" is missing.'),
        ([{**OFFER, "occupation": "cook"}], 'Entry 0 of the promises: "occupation" must be one'),
        ([{**OFFER, "occupation": []}], 'Entry 0 of the promises: "occupation" must be one of'),
        (
            [{**OFFER, "form": "hire", "scholar": "green-cook-1"}],
            'Entry 0 of the promises: "scholar" must name a scholar of this table, such as',
        ),
        (
            [{**OFFER, "if": {"bribe": "green-clerk-1"}}],
            'Entry 0 of the promises: "least" must be a whole number from 0 on.',
        ),
        ([{**OFFER, "if": 4}], "Entry 0 of the promises: A condition is a JSON object: "),
        ([PROMISES[1]], "Entry 0 of the promises: There is no offer 1."),
        (
            [OFFER, {**PROMISES[1], "player": "yellow"}],
            "Entry 1 of the promises: Only the player it was made to can reply to offer 1.",
        ),
        (
            [OFFER, {**PROMISES[1], "after": 1}],
            "Entry 1 of the promises: Offer 1 is no longer open: it is lapsed.",
        ),
    ],
)
def test_what_makes_no_sense_is_an_error_of_the_record(promises, message):
    result, moves = adjudicate(record(name="odd", promises=promises))
    assert result["error"]["message"].startswith(message)
    assert result == {
        "name": "odd",
        "error": {"move": None, "code": "record", "message": result["error"]["message"]},
        "final": None,
    }
    assert moves <= 1
