"""Which version of Intrigue this is, and its commit. Needs neither settings nor a database."""

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


def _version() -> str:
    text = (ROOT / "pyproject.toml").read_text()
    version: str = tomllib.loads(text)["project"]["version"]
    return version


def _commit() -> str:
    """The beginning of the commit's hash; "" where nothing tells it.

    An image has it in its environment, a source archive in a file that `git archive` fills in, and
    a checkout in its own history, whoever owns the folder.
    """
    archived = (ROOT / "intrigue_site" / "commit.txt").read_text()
    for text in (os.environ.get("COMMIT", ""), archived, _checked_out()):
        if found := re.fullmatch(r"[0-9a-f]{12,64}", text.strip()):
            return found[0][:12]
    return ""


def _checked_out() -> str:
    if not (ROOT / ".git").exists():
        return ""
    git = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "rev-parse", "HEAD"]
    try:
        answer = subprocess.run(git, capture_output=True, text=True, check=True)  # noqa: S603 (ours)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return answer.stdout


WORKS_WITH: Final = "1.0.0"
"""The oldest version whose processes may work on a database that this one has migrated, while both
run. A migration with which the release before can't work raises it; a new major release does."""

VERSION: Final = _version()
"""Such as "1.0.0", or "1.1.0.dev" on the way there."""

COMMIT: Final = _commit()
"""12 hexadecimal digits, or ""."""
