"""Backup and restore of the whole database, by PostgreSQL's own programs."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error, connection
from psycopg.conninfo import make_conninfo

from intrigue_site import embedded


class CannotBackUp(Exception):
    """Why nothing was written or restored, in one sentence, with what would be possible."""


def back_up(file: Path) -> None:
    """Write the database into a new file, which nobody else may read; all of it or nothing."""
    if file.exists():
        raise CannotBackUp(f"{file} exists already. Please choose another name.")
    server = _server_version()
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        unfinished.touch(mode=0o600)
        _run("pg_dump", server, "--format=custom", f"--file={unfinished}")
        unfinished.rename(file)
    except OSError as reason:
        raise CannotBackUp(f"{file} cannot be written: {reason.strerror}.") from reason
    finally:
        unfinished.unlink(missing_ok=True)


def restore(file: Path) -> None:
    """Read a backup into the database, which has to be empty; all of it or nothing."""
    if not file.is_file():
        raise CannotBackUp(f"There is no file {file}.")
    server = _server_version()
    tables = connection.introspection.table_names()
    if tables:
        raise CannotBackUp(
            f"The database has {len(tables)} tables already, and a backup is restored only into "
            "an empty one: make one with createdb, and set DATABASE_URL to it (and "
            "DATABASE_DIRECT_URL, if you use that)."
        )
    connection.close()
    _run("pg_restore", server, "--single-transaction", "--exit-on-error", str(file))


def _server_version() -> int:
    """The major version of the PostgreSQL that is backed up or restored."""
    try:
        connection.ensure_connection()
    except Error as reason:
        raise CannotBackUp(f"PostgreSQL does not answer: {str(reason).strip()}") from reason
    version: int = connection.pg_version  # type: ignore[attr-defined]
    return version // 10000


def _run(name: str, server: int, *arguments: str) -> None:
    """Run one of PostgreSQL's programs on the database; the password is not on its command line."""
    connection.ensure_connection()
    password = connection.connection.info.password
    environment = {**os.environ, **({"PGPASSWORD": password} if password else {})}
    address = _address(connection.settings_dict)
    command = [_program(name, server), "--no-owner", "--no-privileges", f"--dbname={address}"]
    ended = subprocess.run(  # noqa: S603 (the commands are our own)
        [*command, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        raise CannotBackUp(f"{name} failed: {ended.stderr.strip()}")


def _address(given: Mapping[str, Any]) -> str:
    """The place of the database from its settings, without the password.

    Not as our own connection tells it: that names options of a newer libpq, which programs of
    PostgreSQL 15 refuse.
    """
    text = {name.lower(): given[name] for name in ("HOST", "PORT", "USER") if given[name]}
    text |= {"dbname": given["NAME"]} | given["OPTIONS"]
    for name in ("password", *settings.BINDING):
        text.pop(name, None)
    return make_conninfo(**text)


def _program(name: str, server: int) -> str:
    """A program that is as new as the server: the one on the path, or the one of the demo's wheel.

    An older one refuses to read a newer server.
    """
    found = shutil.which(name)
    version = _version(found) if found else 0
    if found and version >= server:
        return found
    own = embedded.programs()
    if own and _version(own / name) >= server:
        return str(own / name)
    has = f"the {name} on the path is of version {version}" if found else f"there is no {name}"
    raise CannotBackUp(
        f"The server is PostgreSQL {server}, but {has}: please install PostgreSQL's client "
        f"programs of version {server} or later."
    )


def _version(program: Path | str) -> int:
    """The major version of one of PostgreSQL's programs: 18 for "pg_dump (PostgreSQL) 18.1"."""
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    number = re.search(r"\) (\d+)", text.stdout)
    return int(number[1]) if number else 0
