"""Hostile records: each gets one clear result, and the records around it are still played."""

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.management.commands.adjudicate import Command
from games.record_files import records_in

SEND = {
    "player": "red",
    "type": "send",
    "scholars": [["red-clerk-1", "yellow"], ["red-clerk-2", "green"]],
}
BRIBE = {"player": "red", "type": "bribe", "bribes": [["red-clerk-1", 4000]]}
PLACE = {"player": "yellow", "type": "place", "placements": [["red-clerk-1", 6000]]}
DEFAULT = {"player": "yellow", "type": "default"}
MOVES = [SEND, BRIBE, PLACE, DEFAULT]


def record(name: str = "hostile", **more: object) -> dict[str, Any]:
    return {
        "name": name,
        "format": "intrigue-record/1",
        "edition": "mayfair-2005",
        "options": {"refund_losers": True},
        "players": ["red", "yellow", "green"],
        "first": "red",
        "moves": MOVES,
        **more,
    }


BEFORE, AFTER = (json.dumps(record(name)) for name in ("before", "after"))


def results(data: bytes) -> list[dict[str, Any]]:
    """The results of a file, as they are printed."""
    text = Command().answers(records_in(io.BytesIO(data)), steps=False)
    return [json.loads(json.dumps(result)) for result, _ in text]


def result(text: str) -> dict[str, Any]:
    """The result of one line among good ones, which must be played to their ends."""
    before, hostile, after = results(f"{BEFORE}\n{text}\n{AFTER}\n".encode())
    for good, name in ((before, "before"), (after, "after")):
        assert set(good) == {"name", "final"}
        assert good["name"] == name
        assert good["final"]["palaces"]["yellow"]["6000"] == "red-clerk-1"
    return hostile


def error(text: str) -> tuple[int | None, str, str]:
    message = result(text)["error"]
    return message["move"], message["code"], message["message"]


def test_the_good_record_is_good():
    """Else nothing below would mean anything."""
    assert "error" not in result(json.dumps(record()))


NO_OBJECT = (None, "record", "A record is a JSON object.")


@pytest.mark.parametrize("text", ["[]", "[[1]]", '"text"', "0", "-1.5", "true", "null", "1e999"])
def test_json_that_is_no_object_is_no_record(text):
    assert error(text) == NO_OBJECT


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "}",
        "{]",
        '{"format": "intrigue-record/1", "edition": ',
        "{'format': 'intrigue-record/1'}",
        '{"a": 1,}',
        "[1, 2",
        '"open',
        '"tab\tinside"',
        "nul",
        "undefined",
        "01",
        "+1",
        "0x10",
        "// comment",
        "<record/>",
        "\ufeff{}",
        "\x00",
        "\x1b[31m",
        json.dumps(record()) + json.dumps(record()),
        json.dumps(record())[:-1],
    ],
)
def test_broken_json_is_one_bad_record(text):
    move, code, message = error(text)
    assert (move, code) == (None, "record")
    assert message.startswith("The text is no JSON: ")


def without_quotes(text: str, value: str) -> str:
    """The record with the text "HERE" replaced by something that Python would not write."""
    assert text.count('"HERE"') == 1
    return text.replace('"HERE"', value)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_are_no_json_are_refused_wherever_they_are(number):
    for more in ({"x-note": "HERE"}, {"options": {"rounds": "HERE"}}, {"comment": ["HERE"]}):
        text = without_quotes(json.dumps(record(**more)), number)
        assert error(text) == (None, "record", f"The text holds {number}, which is no JSON.")
        assert result(text)["name"] == "hostile"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(record())[:-1] + ', "first": "red"}',
        without_quotes(json.dumps(record(options="HERE")), '{"rounds": 5, "rounds": 5}'),
        without_quotes(
            json.dumps(record(moves=["HERE"])),
            '{"player": "red", "player": "red", "type": "default"}',
        ),
        without_quotes(json.dumps(record(**{"x-note": "HERE"})), '{"a": 1, "a": 1}'),
    ],
)
def test_a_key_that_comes_twice_is_refused_wherever_it_is(text):
    sentence = "The text holds an object with the same key twice."
    assert error(text) == (None, "record", sentence)


def test_ten_thousand_digits_are_too_many():
    text = without_quotes(json.dumps(record(**{"x-note": "HERE"})), "7" * 10_000)
    message = error(text)
    assert message == (None, "record", "The text holds a number with too many digits.")


@pytest.mark.parametrize("opening", ["[", '{"a": ', '[{"a": ['])
@pytest.mark.parametrize("closed", [True, False])
def test_deep_nesting_is_one_bad_record(opening, closed):
    closing = {"[": "]", '{"a": ': "}", '[{"a": [': "]}]"}[opening]
    deep = opening * 100_000 + ("1" + closing * 100_000) * closed
    assert error(deep) == (None, "record", "The text is nested too deeply.")
    inside = without_quotes(json.dumps(record(**{"x-note": "HERE"})), deep)
    assert error(inside) == (None, "record", "The text is nested too deeply.")


LONG = "x" * 10_000_000


@pytest.mark.full
def test_a_text_of_ten_megabytes_is_no_trouble_where_it_is_ignored():
    assert "error" not in result(json.dumps(record(comment=LONG)))


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "more",
    [
        {"edition": LONG},
        {"format": LONG},
        {"first": LONG},
        {"players": ["red", LONG, "green"]},
        {"options": {LONG: 1}},
        {"options": {"broke": LONG}},
        {LONG: 1},
        {"position": {LONG: 1}},
        {"position": {"island": [LONG]}},
    ],
)
def test_a_text_of_ten_megabytes_is_refused_in_a_short_sentence(more):
    move, code, message = error(json.dumps(record(**more)))
    assert (move, code) == (None, "record")
    assert len(message) < 300


MALFORMED_VALUES = [None, True, False, 0, -1, 1.5, "", "text", [], {}, [[]], [None], {"a": 1}]


@pytest.mark.sample(13)
@pytest.mark.parametrize(
    "key", ["format", "edition", "players", "first", "moves", "options", "position", "name"]
)
@pytest.mark.parametrize("value", MALFORMED_VALUES, ids=repr)
def test_a_wrong_type_anywhere_is_one_bad_record(key, value):
    """Right are only: no moves, no options, nothing said about the position, any text as name."""
    fine = {"moves": [[]], "options": [{}], "position": [{}], "name": ["", "text"]}
    text = result(json.dumps(record(**{key: value})))
    if value in fine.get(key, []) and type(value) is type(fine[key][0]):
        assert "error" not in text
    elif key == "moves" and isinstance(value, list):
        assert (text["error"]["move"], text["error"]["code"]) == (0, "type")
    else:
        assert (text["error"]["move"], text["error"]["code"]) == (None, "record")
        assert text["error"]["message"].endswith(".")
        assert text["final"] is None


@pytest.mark.parametrize("value", MALFORMED_VALUES, ids=repr)
def test_what_is_no_move_is_refused_where_it_stands(value):
    moves = [SEND, value, BRIBE]
    assert error(json.dumps(record(moves=moves)))[:2] == (1, "type")


PAIRS = "The bribes must be a list of pairs: a scholar and an amount, a whole number."


@pytest.mark.parametrize("amount", ["true", "4000.0", "4e3", "1e999", '"4000"', "null", "[4000]"])
def test_money_is_a_json_integer(amount):
    bribe = {**BRIBE, "bribes": [["red-clerk-1", "HERE"]]}
    text = without_quotes(json.dumps(record(moves=[SEND, bribe])), amount)
    assert error(text) == (1, "type", PAIRS)


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        ("-4000", "amount"),
        ("0", "amount"),
        ("-0", "amount"),
        ("4001", "amount"),
        ("1" + "0" * 4000, "cash"),
        ("9223372036854775000", "cash"),
        ("-1" + "0" * 4000, "amount"),
    ],
)
def test_huge_and_negative_amounts_are_refused_in_a_short_sentence(amount, code):
    bribe = {**BRIBE, "bribes": [["red-clerk-1", "HERE"]]}
    text = without_quotes(json.dumps(record(moves=[SEND, bribe])), amount)
    message = error(text)
    assert message[:2] == (1, code)
    assert len(message[2]) < 120


def test_an_area_is_a_number_too():
    for area in ("6000", 6000.0, True, None):
        place = {**PLACE, "placements": [["red-clerk-1", area]]}
        assert error(json.dumps(record(moves=[SEND, BRIBE, place])))[:2] == (2, "type")


def test_half_a_surrogate_is_only_a_strange_character():
    """JSON can write it, UTF-8 cannot: the result writes it as JSON does."""
    text = result(json.dumps(record(name="\ud800")))
    assert text["name"] == "\ud800"
    assert "error" not in text
    for more in ({"\udfff": 1}, {"options": {"\udfff": 1}}, {"edition": "\udfff"}):
        assert error(json.dumps(record(**more)))[:2] == (None, "record")


def test_a_name_that_is_no_text_becomes_null():
    assert result(json.dumps(record(name=["a"])))["name"] is None


@pytest.mark.parametrize("other", ["intrigue-record/2", "PGN", "intrigue-record/1 ", "", "\x00"])
def test_other_formats_are_refused(other):
    text = error(json.dumps(record(format=other)))
    assert text == (None, "record", 'The format must be "intrigue-record/1".')


BITS = st.sampled_from(
    [
        *("", *'{}[]",:\\- \x00é\u2028\r0'),
        *("1e999", "NaN", "null", "true", "\\ud800", "red", "9" * 20, '"x-a": ', "{}", "[[]]"),
    ]
)


@pytest.mark.full
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_record_with_random_damage_gets_one_result(data):
    """Text cut out and put in anywhere."""
    text = json.dumps(record())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = start + data.draw(st.sampled_from([0, 0, 1, 2, 9, 60]))
        text = text[:start] + data.draw(BITS) + text[end:]
    if text.strip():
        message = result(text)
        assert set(message) in ({"name", "final"}, {"name", "error", "final"})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from(["red", "yellow", "red-clerk-1", "yellow-priest-2", 1000, 6000, "6000"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
PATHS = [
    *([key] for key in record()),
    *(["position", key] for key in ("round", "active", "cash", "palaces", "applicants", "island")),
    *(["position", key, "red"] for key in ("cash", "palaces", "applicants")),
    ["position", "palaces", "green", "6000"],
    *(["options", key] for key in ("rounds", "broke", "uncontested_min_bribe", "bribing")),
    *(["moves", number] for number in range(4)),
    ["moves", 0, "player"],
    ["moves", 0, "scholars"],
    ["moves", 0, "scholars", 0],
    ["moves", 0, "scholars", 1, 1],
    ["moves", 1, "type"],
    ["moves", 1, "bribes"],
    ["moves", 1, "bribes", 0],
    ["moves", 1, "bribes", 0, 0],
    ["moves", 1, "bribes", 0, 1],
    ["moves", 2, "placements", 0, 1],
]
FULL = json.dumps(
    record(
        position={
            "round": 2,
            "active": "red",
            "cash": {"red": 9000},
            "palaces": {"red": {}, "green": {"6000": "yellow-priest-1"}},
            "applicants": {"red": []},
            "island": [],
        }
    )
)


@pytest.mark.full
@settings(max_examples=400, deadline=None)
@given(path=st.sampled_from(PATHS), value=JSON)
def test_a_record_with_any_value_anywhere_gets_one_result(path, value):
    changed = json.loads(FULL)
    at = changed
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    text = result(json.dumps(changed))
    assert set(text) in ({"name", "final"}, {"name", "error", "final"})
    if "error" in text:
        assert (text["error"]["move"] is None) == (text["error"]["code"] == "record")
        assert (text["final"] is None) == (text["error"]["move"] is None)
