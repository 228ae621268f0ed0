"""The build tells the truth: what failed is tried again, and what is left behind is noticed."""

import os
import subprocess
import sys

import pytest

from tests.faults.processes import ROOT

pytestmark = pytest.mark.full

SETTINGS = """
[pytest]
markers = counts
addopts = -p tests.support.again -p tests.support.times -rf
"""
UNLUCKY = """
import os
from pathlib import Path
import pytest

def is_first(name):
    first = not Path(name).exists()
    Path(name).touch()
    return first

def test_lucky():
    pass
"""
ONCE = """
def test_{name}():
    assert not is_first("{name}"), "a bad day"
"""
DIES = """
def test_dies():
    if is_first("dies"):
        os._exit(3)
"""
NEVER = """
@pytest.mark.parametrize("number", range({count}))
def test_never(number):
    assert number < 0
"""
BREAKS_AFTERWARDS = """
@pytest.fixture
def closed():
    yield
    assert not is_first("closed"), "still open"

def test_closes(closed):
    pass
"""
ROW = """
| test | date | cause | state |
|---|---|---|---|
| `test_it.py::test_{}` | today | load | {} |
"""
WORKERS = ("-p", "xdist", "-n", "2")


@pytest.fixture
def session(tmp_path):
    """Runs a session with such tests, and gives its exit code and what it printed."""

    def run(*tests, table="", options=()):
        (tmp_path / "pytest.ini").write_text(SETTINGS)
        (tmp_path / "test_it.py").write_text(UNLUCKY + "".join(tests))
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / "unstable.md").write_text(table)
        environment = {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "--again", "--times", *options],
            cwd=tmp_path, env=os.environ | environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return ended.returncode, ended.stdout

    return run


def last_lines(output, count):
    return output.rstrip().splitlines()[-count:]


def test_what_passes_alone_is_unstable_and_named_with_its_first_failure(session):
    code, output = session(ONCE.format(name="unlucky"))
    assert code == 0, output
    told, end = last_lines(output, 2)
    assert told.startswith("test_it.py::test_unlucky: AssertionError: a bad day (test_it.py:")
    assert "1 passed, 1 unstable in" in end
    assert "failed" not in end


def test_what_fails_twice_is_red(session):
    code, output = session(ONCE.format(name="unlucky"), NEVER.format(count=1))
    assert code == 1
    assert "1 failed, 1 passed, 1 unstable in" in last_lines(output, 1)[0]


def test_more_than_ten_are_not_tried_again(session):
    code, output = session(NEVER.format(count=11))
    assert code == 1
    assert "once more" not in output
    assert "RED: More than 10 failed: none was tried again." in last_lines(output, 2)


def test_ten_are(session):
    _code, output = session(NEVER.format(count=10))
    assert output.count("once more, alone") == 10


@pytest.mark.long(after=1)
@pytest.mark.parametrize(("count", "code"), [(3, 0), (4, 1)])
def test_more_than_three_unstable_are_red(session, count, code):
    tests = [ONCE.format(name=f"unlucky_{number}") for number in range(count)]
    ended, output = session(*tests)
    assert ended == code
    assert ("RED: More than 3 tests are unstable." in last_lines(output, 2)) == bool(code)


@pytest.mark.long(after=1)
@pytest.mark.parametrize(
    ("test", "state", "code"),
    [("unlucky", "open", 1), ("unlucky", "fixed 2026-11-26", 0), ("other", "open", 0)],
)
def test_what_was_unstable_before_is_red_until_it_is_fixed(session, test, state, code):
    ended, output = session(ONCE.format(name="unlucky"), table=ROW.format(test, state))
    assert ended == code, output
    assert ("RED: test_it.py::test_unlucky was unstable before" in output) == bool(code)


def test_a_worker_that_died_is_a_failure_of_its_test(session):
    code, output = session(DIES, ONCE.format(name="unlucky"), options=WORKERS)
    assert code == 0, output
    *told, end = last_lines(output, 3)
    assert any(line.startswith("test_it.py::test_dies: worker 'gw") for line in told)
    assert "1 passed, 2 unstable in" in end


@pytest.mark.long(after=1)
@pytest.mark.parametrize(("test", "options"), [(ONCE.format(name="dies"), ()), (DIES, WORKERS)])
def test_what_counts_is_red_at_once(session, test, options):
    counts = test.replace("def test", "@pytest.mark.counts\ndef test")
    code, output = session(counts, options=options)
    assert code == 1
    assert "RED: test_it.py::test_dies counts: it was not tried again." in last_lines(output, 2)
    assert "1 failed" in last_lines(output, 1)[0]


def test_a_file_that_cannot_be_read_is_red_at_once(session):
    code, output = session("\nimport nothing_of_this_name\n")
    assert code != 0
    assert "once more" not in output


def test_what_breaks_after_a_test_is_tried_again_as_well(session):
    code, output = session(BREAKS_AFTERWARDS)
    assert code == 0, output
    assert "1 unstable in" in last_lines(output, 1)[0]


def test_without_failures_nothing_is_said_but_the_times(session):
    code, output = session()
    assert code == 0
    assert "unstable" not in output
    assert "test_it.py::test_lucky" in output.partition("slowest 60 tests")[2]


def left_behind(script):
    """How a command ends that runs this, and what is said then."""
    command = (
        "import sys; from tests.support.left_behind import run; sys.exit(run(sys.argv[1:], 1))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", command, sys.executable, "-c", script],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return ended.returncode, ended.stdout


SERVER = "import subprocess; subprocess.Popen(['sleep', '987'], start_new_session=True, env={})"


def test_a_server_left_behind_is_red_and_ended():
    code, output = left_behind(SERVER)
    assert code == 1
    assert output.startswith("LEFT BEHIND: ")
    assert output.endswith(" sleep 987\n")


def test_a_server_that_ends_with_its_session_is_not_left_behind():
    assert left_behind(SERVER.replace("987", "0.1")) == (0, "")


def test_a_command_that_fails_fails():
    assert left_behind("raise SystemExit(7)") == (7, "")
