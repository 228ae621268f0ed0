"""Clocks of single processes that are moved, by Debian's libfaketime."""

import os
from pathlib import Path

import pytest

from tests.faults.site import Site

PACKAGE = "libfaketime"
LIBRARY = "faketime/libfaketimeMT.so.1"

SLEEPS = """
import select, time
time.sleep = lambda seconds: select.select([], [], [], seconds) and None
"""
"""Python sleeps until an instant, for which libfaketime has the wrong clock: EINVAL."""


def library() -> Path | None:
    """Where the package has put it: the folder is named after the architecture."""
    return next(iter(Path("/usr/lib").glob(f"*/{LIBRARY}")), None)


def faked_clocks(folder: Path) -> dict[str, str]:
    """The environment of processes whose clocks `move` can move; skips where that cannot be."""
    found = library()
    if found is None:
        if "CI" in os.environ:
            pytest.fail(f"{PACKAGE} is missing")
        pytest.skip(f"needs {PACKAGE}: apt-get install {PACKAGE}")
    (folder / "sitecustomize.py").write_text(SLEEPS)
    return {
        "PYTHONPATH": str(folder),
        "LD_PRELOAD": str(found),
        "FAKETIME_TIMESTAMP_FILE": str(folder / "NAME.clock"),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }


def move(site: Site, folder: Path, seconds: int, *names: str) -> None:
    """From now on the clocks of these processes are so many seconds ahead; or behind."""
    for name in names:
        unfinished = folder / f"{name}.unfinished"
        unfinished.write_text(f"{seconds:+d}s\n" if seconds else "+0\n")
        unfinished.rename(folder / f"{name}.clock")
