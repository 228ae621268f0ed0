"""`manage.py adjudicate`: the real command, in a process of its own, with no database."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "tests" / "records"

SEND = {
    "player": "red",
    "type": "send",
    "scholars": [["red-clerk-1", "yellow"], ["red-clerk-2", "green"]],
}


def environment() -> dict[str, str]:
    """As on a machine where no database answers and nothing is configured."""
    without = {key: value for key, value in os.environ.items() if not key.startswith("DJANGO_")}
    return without | {"DATABASE_URL": "postgres://nobody@127.0.0.1:9/nowhere"}


def adjudicate(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "manage.py", "adjudicate", *arguments]
    return subprocess.run(
        command,
        cwd=ROOT,
        env=environment(),
        input=given,
        capture_output=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )


def answers(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def record(name: str, *moves: object, **more: object) -> dict[str, Any]:
    return {
        "name": name,
        "format": "intrigue-record/1",
        "edition": "mayfair-2005",
        "options": {},
        "players": ["red", "yellow", "green"],
        "first": "red",
        "moves": list(moves),
        **more,
    }


def as_lines(*records: object) -> bytes:
    return "".join(json.dumps(each) + "\n" for each in records).encode()


def names(done: subprocess.CompletedProcess[bytes]) -> list[str | None]:
    return [answer["name"] for answer in answers(done)]


@pytest.mark.parametrize("sample", ["examples", "games"])
def test_recorded_games_are_played_to_their_last_state(sample):
    path = RECORDS / f"{sample}.jsonl"
    text = [json.loads(line) for line in path.read_text().splitlines()]
    done = adjudicate(str(path))
    assert done.returncode == 0
    assert answers(done) == [
        {"name": each.get("name"), "final": each["states"][-1]} for each in text
    ]
    assert b"moves a second" in done.stderr


def test_with_steps_every_state_is_told():
    path = RECORDS / "examples.jsonl"
    text = [json.loads(line) for line in path.read_text().splitlines()]
    done = adjudicate("--steps", str(path))
    assert done.returncode == 0
    assert answers(done) == [
        {"name": each["name"], "final": each["states"][-1], "states": each["states"]}
        for each in text
    ]


def test_an_illegal_move_is_told_with_the_state_before_it():
    done = adjudicate("-", given=as_lines(record("again", SEND, SEND), record("good", SEND)))
    again, good = answers(done)
    assert done.returncode == 1
    assert again == {
        "name": "again",
        "error": {
            "move": 1,
            "code": "type",
            "message": "The stage uncontested-bribes asks for "
            "a bribe for each of one's contenders.",
        },
        "final": good["final"],
    }


def test_illegal_moves_are_refused_with_steps_as_well():
    done = adjudicate("-", "--steps", given=as_lines(record("again", SEND, SEND)))
    (again,) = answers(done)
    assert done.returncode == 1
    assert [state["stage"] for state in again["states"]] == ["sending", "uncontested-bribes"]
    assert again["final"] == again["states"][-1]


def test_bad_records_are_answered_one_by_one():
    path = RECORDS / "bad.jsonl"
    done = adjudicate("--steps", str(path))
    assert done.returncode == 1
    assert len(answers(done)) == len(path.read_text().splitlines())
    for answer in answers(done):
        assert set(answer) == {"name", "error", "final", "states"}
        assert answer["error"]["code"] == "record"
        assert (answer["error"]["move"], answer["final"], answer["states"]) == (None, None, [])


def test_a_record_without_a_name_has_null_for_one():
    nameless = record("x", SEND)
    del nameless["name"]
    done = adjudicate("-", given=as_lines(nameless, record("named")))
    assert done.returncode == 0
    assert names(done) == [None, "named"]


def test_one_object_over_many_lines_is_one_record():
    done = adjudicate("-", given=json.dumps(record("pretty", SEND), indent=2).encode())
    assert done.returncode == 0
    assert names(done) == ["pretty"]


def test_a_bad_first_line_leaves_the_others_alone():
    done = adjudicate("-", given=b'{"format": "intr\n' + as_lines(record("a"), record("b")))
    assert done.returncode == 1
    assert names(done) == [None, "a", "b"]


def test_line_ends_blank_lines_and_a_byte_order_mark_do_not_matter():
    lines = as_lines(record("a"), record("b")).replace(b"\n", b"\r\n\r\n")
    done = adjudicate("-", given=b"\xef\xbb\xbf\r\n" + lines + b"   \n")
    assert done.returncode == 0
    assert names(done) == ["a", "b"]


@pytest.mark.long(after=1)
@pytest.mark.parametrize("given", [b"", b"\n \r\n"])
def test_an_empty_file_holds_nothing_to_refuse(given):
    done = adjudicate("-", given=given)
    assert (done.returncode, done.stdout) == (0, b"")


def refused(done: subprocess.CompletedProcess[bytes], sentence: str) -> None:
    assert done.returncode == 2
    assert done.stderr.decode().strip().endswith(sentence)
    assert b"Traceback" not in done.stderr


def test_what_is_no_text_is_refused_after_the_good_lines_before_it(tmp_path):
    path = tmp_path / "latin.jsonl"
    path.write_bytes(as_lines(record("a")) + '{"name": "ä"}\n'.encode("latin-1"))
    done = adjudicate(str(path))
    refused(done, f"{path} is no UTF-8 text: invalid continuation byte.")
    assert names(done) == ["a"]


def test_a_file_that_is_not_there_is_refused(tmp_path):
    path = tmp_path / "missing.jsonl"
    refused(adjudicate(str(path)), f"{path} cannot be opened: No such file or directory.")


def test_a_directory_is_refused(tmp_path):
    refused(adjudicate(str(tmp_path)), f"{tmp_path} cannot be opened: Is a directory.")


def test_whoever_reads_the_answers_may_stop_without_a_complaint(tmp_path):
    """`adjudicate FILE | head -1`."""
    path = tmp_path / "many.jsonl"
    path.write_bytes(as_lines(*[record(f"game {number}", SEND) for number in range(2000)]))
    command = [sys.executable, "manage.py", "adjudicate", str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=pipe, stderr=pipe) as child:
        assert json.loads(child.stdout.readline())["name"] == "game 0"
        child.stdout.close()
        complaint = child.stderr.read()
    assert (child.returncode, complaint) == (1, b"")


def padded(number: int) -> bytes:
    return json.dumps(record(f"game {number}", SEND, **{"x-pad": "x" * 30_000})).encode() + b"\n"


MEASURED = """
import resource, subprocess, sys
with open(sys.argv[1], "wb") as out:
    done = subprocess.run(sys.argv[2:], stdout=out, stderr=subprocess.DEVNULL)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A small process starts the command: what one held before it became the command is counted, too,
and these tests hold more than the command."""


def memory_of(path: Path, lines: int) -> int:
    """The most memory, in KiB, that the command held while it played the file."""
    out = path.with_suffix(".out")
    command = [sys.executable, "manage.py", "adjudicate", str(path)]
    measured = subprocess.run(
        [sys.executable, "-c", MEASURED, str(out), *command],
        cwd=ROOT, env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    code, most = map(int, measured.stdout.split())
    assert code in (0, 1)
    assert len(out.read_bytes().splitlines()) == lines
    return most // (1024 if sys.platform == "darwin" else 1)


@pytest.mark.long(after=1)
@pytest.mark.parametrize("first_line", [b"", b'{"moves": [\n'], ids=["good", "broken"])
def test_many_records_take_no_more_memory_than_few(tmp_path, first_line):
    few, many = tmp_path / "few.jsonl", tmp_path / "many.jsonl"
    few.write_bytes(first_line + b"".join(map(padded, range(10))))
    with many.open("wb") as file:
        file.write(first_line)
        file.writelines(map(padded, range(1_000)))
    assert many.stat().st_size > 30_000_000
    bad_lines = bool(first_line)
    small = memory_of(few, 10 + bad_lines)
    assert memory_of(many, 1_000 + bad_lines) < small + 8 * 1024
