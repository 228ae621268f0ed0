"""A task that is under way until a file says that it may end."""

import time
from pathlib import Path

from intrigue_site.celery import app


@app.task(acks_late=True)
def last_until(begun: str, may_end: str) -> None:
    """Say in the file `begun` that it runs, and end when there is a file `may_end`."""
    Path(begun).write_text("", "utf-8")
    while not Path(may_end).exists():
        time.sleep(0.05)
