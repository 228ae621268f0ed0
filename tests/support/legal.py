"""The pages that a host fills in, as a test writes them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from games.services import legal


def forget() -> None:
    """Let the texts be read anew, as by a process that has just been started."""
    for remembered in (legal._texts, legal.version):
        remembered.cache_clear()


def write(folder: Path, **texts: str) -> None:
    """Write `terms="…"` into terms.txt, and start anew."""
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    forget()


@contextmanager
def texts_in(settings: Any, folder: Path) -> Iterator[Path]:
    """The folder of a host who has not written anything yet."""
    before, settings.LEGAL_DIR = settings.LEGAL_DIR, str(folder)
    forget()
    yield folder
    settings.LEGAL_DIR = before  # first: a site that is still up would remember these texts
    forget()
