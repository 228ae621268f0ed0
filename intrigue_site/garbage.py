"""Python's garbage collector, in processes that run for long."""

import gc
from typing import Final

THRESHOLDS: Final = (20_000, 20, 50)
"""After how many new objects Python looks for garbage; Python's own first one is 2,000."""


def collect_seldom() -> None:
    """Look for garbage seldom, and no more in what has been loaded by now.

    Only objects that refer to each other in a circle wait for it; a request leaves few of those.
    Looking took a twentieth of the CPU time of pages and moves.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
