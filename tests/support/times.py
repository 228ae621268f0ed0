"""How long each test and each folder took, for the build server (`--times`)."""

from collections import Counter

SHOWN = 60


def pytest_addoption(parser):
    parser.addoption("--times", action="store_true", help="tell the slowest tests and the folders")


def pytest_configure(config):
    if config.getoption("times") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Times())


class Times:
    """Adds up the seconds of each test, with what was set up and taken down for it."""

    def __init__(self):
        self.seconds = Counter()

    def pytest_runtest_logreport(self, report):
        self.seconds[report.nodeid] += getattr(report, "duration", 0)

    def pytest_terminal_summary(self, terminalreporter):
        folders, tests = Counter(), Counter()
        for test, seconds in self.seconds.items():
            folder = test.partition("::")[0].rpartition("/")[0]
            folders[folder] += seconds
            tests[folder] += 1
        terminalreporter.section(f"slowest {SHOWN} tests")
        for test, seconds in self.seconds.most_common(SHOWN):
            terminalreporter.write_line(f"{seconds:7.1f} s  {test}")
        terminalreporter.section("time of each folder, all workers together")
        for folder, seconds in folders.most_common():
            terminalreporter.write_line(f"{seconds:7.1f} s  {tests[folder]:6,} tests  {folder}")
