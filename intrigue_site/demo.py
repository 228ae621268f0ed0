"""The demo: everything on this machine, started and stopped together."""

import fcntl
import hashlib
import json
import os
import secrets
import shutil
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from intrigue_site.supervisor import Supervisor

MANAGE: Final = (sys.executable, "manage.py")
CELERY: Final = (sys.executable, "-m", "celery", "--app", "intrigue_site")
UVICORN: Final = (sys.executable, "-m", "uvicorn", "--http", "httptools", "--no-access-log")
RELOADING_WORKER: Final = (sys.executable, "-m", "intrigue_site.reloading_worker")

Say = Callable[[str], object]


class CannotStart(Exception):
    """Why the demo does not start, in one sentence."""


def run(*, port: int, reset: bool, reload: bool, folder: Path, say: Say) -> None:
    """Run the demo until a signal stops it.

    With `reload`, web and worker start anew when code changes, and errors have pages for
    developers. `folder` is where it keeps its data (as root the database is elsewhere, see
    `data_folder`); `say` is given each line for the visitor. Raises StopRequested or ChildDied from
    the supervisor when it is over, and by then every process has ended; CannotStart where it did
    not begin.
    """
    _refuse_busy_port(port)
    with alone(folder), Supervisor(folder / "log") as supervisor:
        if reset:
            say("Throwing away the data of earlier runs ...")
            _reset(folder)
        say("Starting PostgreSQL and Valkey ...")
        addresses = _start_servers(supervisor, folder)
        environment = _environment(port, folder, addresses) | {"DEBUG": "1" if reload else "0"}
        say("Preparing the database ...")
        links = supervisor.finish("prepare", [*MANAGE, "prepare_demo"], environment)
        say("Starting web server, worker and beat ...")
        start = _start_reloading_site if reload else _start_site
        start(supervisor, port, environment)
        while not _responds(port):
            supervisor.wait()
        say(f"\nIntrigue is at {environment['SITE_URL']}/\n\nSign in as:\n{links}")
        say(f"All email is kept at {environment['SITE_URL']}/mailbox/\n\nCtrl-C stops everything.")
        while True:
            supervisor.wait()


def data_folder(folder: Path) -> Path:
    """Where PostgreSQL and Valkey keep their data.

    For root, PostgreSQL runs as a user of its own, who must reach its data: opening all folders
    above it would open the clone. So root's data is elsewhere, one folder for each clone.
    """
    if os.geteuid() != 0:
        return folder
    name = hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    return Path("/var/lib/intrigue-demo") / name


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Have the folder to oneself; refuse where another demo has it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise CannotStart(f"Another demo is running with the data in {folder}.") from error
        yield


def _refuse_busy_port(port: int) -> None:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        raise CannotStart(f"Port {port} is not free: try another one with --port.") from error


def _reset(folder: Path) -> None:
    for kept in (folder / "mail", folder / "secret-key", data_folder(folder) / "postgres"):
        if kept.is_dir():
            shutil.rmtree(kept)
        else:
            kept.unlink(missing_ok=True)


def _start_servers(supervisor: Supervisor, folder: Path) -> dict[str, str]:
    """Start what has no address in the environment; the addresses of both."""
    output = folder / "log" / "addresses.json"
    output.unlink(missing_ok=True)
    command = [sys.executable, "-m", "intrigue_site.embedded", str(data_folder(folder))]
    supervisor.start("servers", command, os.environ, output)
    while not output.read_text().endswith("\n"):
        supervisor.wait()
    addresses: dict[str, str] = json.loads(output.read_text())
    return addresses


def _environment(port: int, folder: Path, addresses: Mapping[str, str]) -> dict[str, str]:
    """The environment of the site's processes; what the visitor has set stays if harmless."""
    return {
        **os.environ,
        **addresses,
        "DEMO": "1",
        "SECRET_KEY": _secret_key(folder / "secret-key"),
        "SITE_URL": f"http://localhost:{port}",
        "ALLOWED_HOSTS": "localhost,127.0.0.1",
        "VAR_DIR": str(folder),
        "PYTHONUNBUFFERED": "1",
    }


def _secret_key(file: Path) -> str:
    """The key of this demo, made once, so that sessions and links outlast a restart."""
    if not file.exists():
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(60))
    return file.read_text()


def _start_site(supervisor: Supervisor, port: int, environment: Mapping[str, str]) -> None:
    web = ["intrigue_site.one_port:application", "--host", "127.0.0.1", "--port", f"{port}"]
    patience = ["--timeout-graceful-shutdown", "3"]
    worker = ["--loglevel", "info", "--concurrency", "1", "--without-gossip", "--without-mingle"]
    supervisor.start("web", [*UVICORN, *web, *patience], environment)
    supervisor.start("worker", [*CELERY, "worker", *worker], environment)
    _start_beat(supervisor, environment)


def _start_reloading_site(
    supervisor: Supervisor, port: int, environment: Mapping[str, str]
) -> None:
    supervisor.start("web", [*MANAGE, "runserver", f"127.0.0.1:{port}"], environment)
    supervisor.start("worker", RELOADING_WORKER, environment)
    _start_beat(supervisor, environment)


def _start_beat(supervisor: Supervisor, environment: Mapping[str, str]) -> None:
    supervisor.start("beat", [*CELERY, "beat", "--pidfile", "", "--loglevel", "info"], environment)


def _responds(port: int) -> bool:
    """Whether the web server responds, be it with an error page."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/accounts/login/", timeout=5).close()
    except urllib.error.HTTPError as error:
        error.close()
        return True
    except OSError:
        return False
    return True
