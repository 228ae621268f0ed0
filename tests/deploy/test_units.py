"""The units of deploy/systemd, looked at by systemd itself."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNITS = Path(__file__).resolve().parents[2] / "deploy/systemd"
NAMES = sorted(path.name for path in UNITS.glob("*.service"))
EXPOSED_AT_MOST = 2.0
"""By systemd's own measure: 10 is a process that may do anything."""


@pytest.fixture
def analyze(tmp_path):
    """`systemd-analyze` where there are these units alone, with programs that exist here."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    units = tmp_path / "units"
    shutil.copytree(UNITS, units)
    for unit in units.glob("*.service"):
        text = re.sub(r"/srv/intrigue/\.venv/bin/\w+", sys.executable, unit.read_text())
        unit.write_text(text)
    known = subprocess.check_output([program, "--version"], text=True)
    version = int(known.split()[1])

    def ask(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [program, *arguments],
            env={**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:", "SYSTEMD_LOG_LEVEL": "warning"},
            cwd=units,
            capture_output=True,
            text=True,
            check=False,
        )

    ask.version = version
    return ask


def instance(name: str) -> str:
    return name.replace("@.", "@8000.")


def test_systemd_understands_every_line(analyze):
    told = analyze("verify", "--man=no", *(instance(name) for name in NAMES), "intrigue.target")
    lines = [line for line in told.stderr.splitlines() if "intrigue" in line]
    if analyze.version < 254:
        lines = [line for line in lines if "'RestartMode'" not in line]
    assert lines == []


@pytest.mark.parametrize("name", NAMES)
def test_a_process_may_do_little(analyze, name):
    if analyze.version < 250:
        pytest.skip("this systemd-analyze looks at running units only")
    told = analyze("security", "--offline=yes", "--no-pager", f"./{instance(name)}")
    level = re.search(r"Overall exposure level for \S+: ([\d.]+)", told.stdout)
    assert level is not None, told.stderr
    assert float(level[1]) <= EXPOSED_AT_MOST, told.stdout


def test_the_target_brings_all_that_a_small_site_needs():
    also = re.search(r"^Also=(.*)$", (UNITS / "intrigue.target").read_text(), re.MULTILINE)
    assert also is not None
    brought = also[1].split()
    needed = {instance(name) for name in NAMES} - {"intrigue-inbound.service"}
    assert set(brought) == needed
    for name in NAMES:
        assert "WantedBy=intrigue.target" in (UNITS / name).read_text().splitlines()
