"""How long tests wait: for conditions, and on a slow machine for long."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 300
"""How long something may take on a busy machine before it is given up. No test lasts that long."""


def wait_until(happened: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Look again and again until it has happened; fail after so many seconds."""
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, f"It did not happen within {seconds} seconds."
        time.sleep(0.1)
