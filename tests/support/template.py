"""One migrated database, of which each worker of a session gets a copy.

`python -m tests.support.template FOLDER` makes it, while the workers collect their tests.
"""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.support.patience import wait_until
from tests.support.servers import set_up_for_tests, wait_for_addresses

NAME = "template_of_tests"
MADE = "It is made."


def template_of(folder: Path) -> str:
    """The name of the database, once it is made; AssertionError with what went wrong."""
    wait_until((folder / "template").exists)
    assert (folder / "template").read_text() == MADE, (folder / "template").read_text()
    return NAME


def make(folder: Path) -> str:
    """What went wrong, or that it is made."""
    addresses = wait_for_addresses(folder)
    if "DATABASE_URL" not in os.environ:
        set_up_for_tests(addresses["DATABASE_URL"])
    with psycopg.connect(addresses["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME}")
        connection.execute(f"CREATE DATABASE {NAME}")
    address = urlsplit(addresses["DATABASE_URL"])._replace(path=NAME).geturl()
    settings = {"DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "intrigue_site.test_settings"}
    ended = subprocess.run(
        [sys.executable, "manage.py", "migrate", "--run-syncdb", "--verbosity", "0"],
        env=os.environ | settings, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return f"{ended.stdout}\n{ended.stderr}" if ended.returncode else MADE


def main(folder: Path) -> None:
    written = folder / "template.new"
    written.write_text(make(folder))
    written.rename(folder / "template")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
