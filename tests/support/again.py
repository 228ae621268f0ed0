"""What failed is run once more, each test alone, and what passes then is named as unstable.

For the build server (`--again`), so that one unlucky test of eleven thousand throws nothing away
and yet is told. What an unstable test leads to stands in docs/testing.md.
"""

import subprocess
import sys
from pathlib import Path

import pytest

MOST_TRIED_AGAIN = 10
MOST_UNSTABLE = 3
TABLE = "docs/unstable.md"


def pytest_addoption(parser):
    parser.addoption("--again", action="store_true", help="run what failed once more, alone")


def pytest_configure(config):
    if config.getoption("again") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(SecondTries(config))


def open_rows(table: Path) -> set[str]:
    """The tests that a table of unstable ones calls open, without their parameters."""
    lines = table.read_text().splitlines() if table.exists() else []
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
    return {without_parameters(row[0].strip("`")) for row in rows if row[-1] == "open"}


def without_parameters(test: str) -> str:
    return test.partition("[")[0]


class SecondTries:
    """Hears of all failures of a session, tries them again, and decides whether it is green."""

    def __init__(self, config):
        self.config = config
        self.failed: dict[str, list[pytest.TestReport]] = {}
        self.no_test_failed = False
        self.unstable: list[str] = []
        self.verdict: list[str] = []

    def pytest_collectreport(self, report):
        self.no_test_failed |= report.failed

    def pytest_runtest_logreport(self, report):
        """A worker that died is reported like this, too: as a failure of the test it was at."""
        if report.failed:
            self.failed.setdefault(report.nodeid, []).append(report)

    @pytest.hookimpl(trylast=True)  # when all workers have ended
    def pytest_sessionfinish(self, session):
        if session.exitstatus != pytest.ExitCode.TESTS_FAILED or self.no_test_failed:
            return
        if len(self.failed) > MOST_TRIED_AGAIN:
            self.verdict.append(f"More than {MOST_TRIED_AGAIN} failed: none was tried again.")
            return
        for test in self.failed:
            code = self.try_alone(test)
            if code == pytest.ExitCode.OK:
                self.unstable.append(test)
            elif code == pytest.ExitCode.NO_TESTS_COLLECTED:
                self.verdict.append(f"{test} counts: it was not tried again.")
        self.verdict += self.wrong_with_unstable()
        if len(self.unstable) == len(self.failed) and not self.verdict:
            session.exitstatus = pytest.ExitCode.OK

    def try_alone(self, test: str) -> int:
        """How a session of its own ended; it leaves out what `counts`."""
        given = [f"--{name}" for name in ("full", "long") if self.config.getoption(name, None)]
        sys.stdout.write(f"\n== once more, alone: {test}\n")
        sys.stdout.flush()
        command = [sys.executable, "-m", "pytest", "-q", "-m", "not counts", *given, test]
        return subprocess.run(command, cwd=self.config.rootpath, check=False).returncode

    def wrong_with_unstable(self) -> list[str]:
        known = open_rows(self.config.rootpath / TABLE)
        wrong = [
            f"{test} was unstable before: {TABLE} calls it open."
            for test in self.unstable
            if without_parameters(test) in known
        ]
        if len(self.unstable) > MOST_UNSTABLE:
            wrong.append(f"More than {MOST_UNSTABLE} tests are unstable.")
        return wrong

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter):
        """Tell the first failures in full, with all that failed, and their names at the end."""
        yield
        if self.unstable:
            count_as_unstable(terminalreporter.stats, set(self.unstable))
            terminalreporter._add_stats("unstable", self.unstable)
            terminalreporter.section("unstable: failed first, passed alone", yellow=True)
        for test in self.unstable:
            terminalreporter.write_line(f"{test}: {first_words(self.failed[test][0])}")
        for sentence in self.verdict:
            terminalreporter.write_line(f"RED: {sentence}", red=True)


def count_as_unstable(stats: dict[str, list], unstable: set[str]) -> None:
    """Let the last line count nothing that passed in the end as failed."""
    for kind in ("failed", "error"):
        kept = [one for one in stats.pop(kind, []) if one.nodeid not in unstable]
        stats.update({kind: kept} if kept else {})


def first_words(report: pytest.TestReport) -> str:
    """In a line, how it failed and where."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is None:
        return report.longreprtext.strip().splitlines()[-1]
    return f"{crash.message.splitlines()[0]} ({Path(crash.path).name}:{crash.lineno})"
