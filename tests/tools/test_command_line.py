"""`manage.py`, as a tool among others on a command line."""

import os
import subprocess
import sys

import pytest

from tests.tools.test_adjudicate import ROOT, environment

pytestmark = pytest.mark.full

COMMANDS = (
    ("adjudicate", "tests/records/games.jsonl"),
    ("adjudicate", "tests/records/bad.jsonl"),
    ("simulate", "--games", "2"),
    ("help",),
)


@pytest.mark.long(every=3)
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_whoever_reads_what_it_prints_may_stop_without_a_complaint(command, unbuffered):
    """As `manage.py … | head` does, also where little is printed, or each line at once."""
    reads, writes = os.pipe()
    os.close(reads)
    ended = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**environment(), "PYTHONUNBUFFERED": unbuffered},
        stdout=writes,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writes)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert "BrokenPipe" not in ended.stderr
