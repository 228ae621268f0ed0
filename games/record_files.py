"""Files of game records: one object, or JSON Lines, read a record at a time."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO, NoReturn

from games.engine.errors import BadRecord

FIRST_LOOK = 1 << 16
"""How many bytes are read at first to see whether a file is one object."""


def parse_record(text: str) -> Any:
    """The JSON value of a record's text; `BadRecord` with a sentence for what is no good JSON.

    Stricter than Python: NaN, infinities and an object with the same key twice are refused.
    """
    text = text.rstrip("\r\n")  # so that no message speaks of a second line
    try:
        return json.loads(text, parse_constant=_no_constant, object_pairs_hook=_object)
    except BadRecord:  # from the two hooks
        raise
    except RecursionError as reason:
        raise BadRecord("The text is nested too deeply.") from reason
    except json.JSONDecodeError as reason:
        raise BadRecord(f"The text is no JSON: {reason}.") from reason
    except ValueError as reason:  # Python's limit on the digits of a whole number
        raise BadRecord("The text holds a number with too many digits.") from reason


def name_in(text: str) -> str | None:
    """The name in a text that `parse_record` refuses, where so much of it can be read."""
    try:
        value = json.loads(text, parse_int=float)  # float takes any number of digits
    except (ValueError, RecursionError):
        return None
    name = value.get("name") if isinstance(value, dict) else None
    return name if isinstance(name, str) else None


def records_in(stream: BinaryIO) -> Iterator[str]:
    """The text of each record of a UTF-8 file, in order, in the memory of the longest of them.

    Each line that is not blank is a record; only where the first line is no whole JSON value and
    the file as one is an object, that object is the record. `UnicodeDecodeError` for other text.
    """
    first = _first_line(stream)
    if _is_whole(first):
        yield first.decode()
        beginning = b""
    else:
        beginning, whole = _rest_of_one_object(first, stream)
        if whole:
            yield beginning.decode()
            return
    for line in _lines(beginning, stream):
        if line.strip():
            yield line.decode()


def _first_line(stream: BinaryIO) -> bytes:
    """The first line that is not blank, without a byte order mark; empty at the end of the file."""
    line = stream.readline().removeprefix(b"\xef\xbb\xbf")
    while line and not line.strip():
        line = stream.readline()
    return line


def _lines(beginning: bytes, stream: BinaryIO) -> Iterator[bytes]:
    *whole, last = beginning.split(b"\n")
    yield from whole
    yield last + stream.readline()
    yield from stream


def _is_whole(line: bytes) -> bool:
    try:
        json.loads(line.decode(), parse_int=str)
    except json.JSONDecodeError:
        return False
    except (UnicodeDecodeError, RecursionError):  # bad, but not because it goes on below
        return True
    return True


def _rest_of_one_object(first: bytes, stream: BinaryIO) -> tuple[bytes, bool]:
    """What was read to learn whether the file is one object, and whether it is.

    Reads twice as much each time, and stops at the first mistake that more text cannot mend, so
    that a long file of records with a bad first line is not read as a whole.
    """
    text = first
    size = FIRST_LOOK
    while first.lstrip().startswith(b"{"):
        more = stream.read(size)
        text += more
        size = len(text)
        try:
            value = json.loads(text.decode(errors="ignore"), parse_int=str)
        except json.JSONDecodeError as mistake:
            if not more or not _may_be_cut_off(mistake):
                break
        except RecursionError:
            break
        else:
            if not more:
                return text, isinstance(value, dict)
    return text, False


LONGEST_WORD = len("-Infinity")


def _may_be_cut_off(mistake: json.JSONDecodeError) -> bool:
    """Whether the mistake may come only from the text ending too early."""
    at_the_end = mistake.pos >= len(mistake.doc) - LONGEST_WORD
    return at_the_end or mistake.msg.startswith("Unterminated string")


def _no_constant(name: str) -> NoReturn:
    raise BadRecord(f"The text holds {name}, which is no JSON.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise BadRecord("The text holds an object with the same key twice.")
    return value
