"""The PostgreSQL and Valkey of a test session, and a mail server."""

import fcntl
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from random import SystemRandom

import psycopg
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.support.patience import PATIENCE_SECONDS, wait_until

choice = SystemRandom().choice


class Servers:
    """Starts both servers without waiting for them; they stop with `stop`, or with this process.

    With a template, a database is migrated there as well, for `tests.support.template`.
    """

    def __init__(self, *, with_template: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="intrigue-tests-"))
        with output_of(self.folder).open("wb") as output, (self.folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "intrigue_site.embedded", self.folder],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=log,
                start_new_session=True,
            )
        making = [sys.executable, "-m", "tests.support.template", self.folder]
        self._making = subprocess.Popen(making) if with_template else None

    def stop(self) -> None:
        if self._making:
            self._making.terminate()
            self._making.wait()
        self._process.communicate()
        shutil.rmtree(self.folder)


def output_of(folder: Path) -> Path:
    return folder / "addresses.json"


def wait_for_addresses(folder: Path) -> dict[str, str]:
    """DATABASE_URL and CELERY_BROKER_URL of the servers whose folder it is."""
    try:
        wait_until(lambda: output_of(folder).read_text().endswith("\n"))
    except AssertionError as late:
        log = (folder / "log").read_text()
        raise AssertionError(f"The servers did not start: {log}") from late
    return json.loads(output_of(folder).read_text())


def set_up_for_tests(database_url: str) -> None:
    """Let this PostgreSQL wait for no disk: its data is gone with the tests in any case.

    Nor may autovacuum cut off the empty end of a table. It locks out readers meanwhile, and the
    tables of tests are emptied all the time: on a slow machine some test would wait for longer
    than `lock_timeout`.
    """
    with psycopg.connect(database_url, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes", "vacuum_truncate"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")


PORTS = range(20_000, 32_000)
"""No port among these is given to a client that asks for any, on Linux and elsewhere."""


claims = (Path(tempfile.gettempdir()) / f"intrigue-test-ports-{os.getuid()}").open("ab")
"""Its byte N is locked by the process that was given port N, until that process ends."""

given: set[int] = set()


def free_port() -> int:
    """A port that no other test is given while this process lives: its server may start late.

    If the system chose it, it could give it to somebody's connection before the server has it.
    """
    while True:
        port = choice(PORTS)
        with suppress(OSError):
            fcntl.lockf(claims, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
            if port not in given:
                given.add(port)
                socket.create_server(("127.0.0.1", port)).close()
                return port


class Inbox:
    """The messages a mail server got, as they came over the wire, in order."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        self.messages.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"


class MailServer(Controller):
    """A real SMTP server with an inbox. A context: it listens as long as it lasts."""

    def __init__(self) -> None:
        self.inbox = Inbox()
        super().__init__(
            self.inbox, hostname="127.0.0.1", port=free_port(), ready_timeout=PATIENCE_SECONDS
        )

    def __enter__(self) -> "MailServer":
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()
