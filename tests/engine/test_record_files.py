"""Reading files of records: where one ends and the next begins, and what is no good JSON."""

import io
import json
from pathlib import Path

import pytest

from games.engine.errors import BadRecord
from games.record_files import name_in, parse_record, records_in

GOOD = {"name": "a", "x-list": [1, {"b": [True, None, -2.5e3]}], "x-text": 'ü \\ "quoted" \u2028'}


def read(data: bytes) -> list[str]:
    return [text.rstrip("\n") for text in records_in(io.BytesIO(data))]


def values(data: bytes) -> list[object]:
    return [json.loads(text) for text in read(data)]


def lines(*records: object) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def test_each_line_is_a_record():
    assert values(lines({"name": "a"}, {"name": "b"})) == [{"name": "a"}, {"name": "b"}]


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\r\n  \t\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_an_empty_file_holds_no_record(data):
    assert read(data) == []


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": 1}\n{"a": 2}',
        b'{"a": 1}\r\n{"a": 2}\r\n',
        b'\n\n{"a": 1}\n\n  \n{"a": 2}\n\n',
        b'\xef\xbb\xbf{"a": 1}\n{"a": 2}\n',
        b'\xef\xbb\xbf\r\n{"a": 1}\r\n\t{"a": 2}\r\n',
    ],
)
def test_line_ends_blank_lines_and_a_byte_order_mark_do_not_matter(data):
    assert values(data) == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
@pytest.mark.parametrize("before", [b"", b"\n\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n  \n"])
@pytest.mark.parametrize("after", [b"", b"\n", b"\r\n\r\n"])
def test_a_file_that_is_one_object_is_one_record(indent, before, after):
    text = json.dumps(GOOD, indent=indent).encode()
    assert values(before + text + after) == [GOOD]


def test_a_long_object_over_many_lines_is_one_record():
    """Longer than what is looked at first."""
    record = {"name": "long", "x-list": [["ä" * 7, number] for number in range(30_000)]}
    text = json.dumps(record, indent=3, ensure_ascii=False).encode()
    assert len(text) > 1_000_000
    assert values(text) == [record]


def test_an_array_over_many_lines_is_no_record_but_many_bad_lines():
    """Only an object can be the record."""
    assert read(b'[\n{"a": 1},\n{"a": 2}\n]\n') == ["[", '{"a": 1},', '{"a": 2}', "]"]


def test_two_objects_over_many_lines_are_bad_lines():
    """The file as one is no object."""
    two = b'{\n"a": 1\n}\n{\n"a": 2\n}\n'
    assert read(two) == ["{", '"a": 1', "}", "{", '"a": 2', "}"]


@pytest.mark.parametrize(
    "bad",
    [
        b"{",
        b'{"a": 1',
        b'{"a": ',
        b'{"a": "text',
        b'{"a": [1, 2',
        b'{"a": 1}}',
        b'{"a": 1} {"b": 2}',
        b"[",
        b"nonsense",
        b'"text',
        b"\x00",
        b'{"a": tru',
        b"{'a': 1}",
    ],
)
def test_after_a_bad_first_line_every_line_is_still_a_record(bad):
    assert read(bad + b'\n{"a": 1}\n{"a": 2}\n') == [bad.decode(), '{"a": 1}', '{"a": 2}']


def test_a_bad_first_line_before_many_records_loses_none():
    """More than is looked at to see whether the file is one object, cut anywhere."""
    good = [{"name": str(number), "x": "y" * (number % 50)} for number in range(5000)]
    assert read(b'{"a": [\n' + lines(*good))[1:] == [json.dumps(each) for each in good]


def test_a_file_is_not_read_further_than_needed_to_see_that_it_is_not_one_object():
    stream = io.BytesIO(b'{"a": [\n' + lines(*[{"name": "x" * 100}] * 20_000))
    records = records_in(stream)
    next(records)
    next(records)
    assert stream.tell() < 100_000


def test_lines_are_read_one_by_one():
    stream = io.BytesIO(lines(*[{"name": "x" * 100}] * 1000))
    records = records_in(stream)
    next(records)
    next(records)
    assert stream.tell() < 500


PRETTY = json.dumps({**GOOD, "x-words": [True, False, None, 1.5e10, -0.0, ""]}, indent=17)


def test_wherever_the_first_look_ends_an_object_is_seen_as_one(monkeypatch):
    """Cut inside a word, a number, an escape or a long indentation, it may still go on."""
    for length in range(1, len(PRETTY)):
        monkeypatch.setattr("games.record_files.FIRST_LOOK", length)
        assert values(PRETTY.encode()) == [json.loads(PRETTY)], length


@pytest.mark.parametrize("data", [b"\xff\xfe{\x00}\x00", b'{"a": "\xe4"}\n', b'{\n"a": "\xe4"\n}'])
def test_bytes_that_are_no_utf8_get_their_own_message(data):
    with pytest.raises(UnicodeDecodeError):
        read(data)


def test_bad_text_further_down_is_met_when_it_comes():
    records = records_in(io.BytesIO(b'{"a": 1}\n{"a": "\xe4"}\n'))
    assert next(records) == '{"a": 1}\n'
    with pytest.raises(UnicodeDecodeError):
        next(records)


TWICE = "The text holds an object with the same key twice."
DIGITS = "The text holds a number with too many digits."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"a": 1, "a": 1}', TWICE),
        ('{"x-a": [{"b": 1, "b": 2}]}', TWICE),
        ('{"a": NaN}', "The text holds NaN, which is no JSON."),
        ('{"a": Infinity}', "The text holds Infinity, which is no JSON."),
        ('{"a": [-Infinity]}', "The text holds -Infinity, which is no JSON."),
        ('{"a": %s}' % ("9" * 10_000), DIGITS),
        ("[" * 100_000, "The text is nested too deeply."),
        ('{"a": ' * 100_000 + "1" + "}" * 100_000, "The text is nested too deeply."),
        ('{"a": 1}\u00a0\n', "The text is no JSON: Extra data: line 1 column 9 (char 8)."),
        ('\f{"a": 1}', "The text is no JSON: Expecting value: line 1 column 1 (char 0)."),
        ('{"a": 1', "The text is no JSON: Expecting ',' delimiter: line 1 column 8 (char 7)."),
        ('{"a": \n', "The text is no JSON: Expecting value: line 1 column 7 (char 6)."),
        ("", "The text is no JSON: Expecting value: line 1 column 1 (char 0)."),
    ],
)
def test_bad_json_gets_one_sentence(text, sentence):
    with pytest.raises(BadRecord) as reason:
        parse_record(text)
    assert str(reason.value) == sentence


def test_numbers_too_great_for_a_float_are_read_and_left_to_the_rules():
    assert parse_record('{"a": 1e999}') == {"a": float("inf")}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"name": "a", "x": NaN}', "a"),
        ('{"name": "a", "x": 1, "x": 2}', "a"),
        ('{"name": "a", "x": %s}' % ("9" * 10_000), "a"),
        ('{"name": 5, "x": NaN}', None),
        ('{"name": "a", "x": ', None),
        ('["name"]', None),
        ("[" * 100_000, None),
    ],
)
def test_the_name_of_a_record_that_is_no_good_json_is_found_where_there_is_one(text, name):
    assert name_in(text) == name


def test_the_records_beside_the_tests_are_read_back_as_they_were_written():
    for path in (Path(__file__).parent.parent / "records").glob("*.jsonl"):
        assert read(path.read_bytes()) == path.read_text().splitlines()
