"""The site as it is hosted: real web servers with the settings of production, behind a proxy."""

import fcntl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from tests.support.patience import PATIENCE_SECONDS
from tests.support.servers import free_port

PYTHON = sys.executable
SITE = "intrigue.example"


class Page(NamedTuple):
    status: int
    text: str


class Browser:
    """A browser behind the proxy that speaks https for the site."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: SimpleCookie = SimpleCookie()

    def get(self, path: str) -> Page:
        return self._ask("GET", path, None)

    def post(self, path: str, filled: dict[str, str]) -> Page:
        return self._ask("POST", path, urlencode(filled))

    def _ask(self, method: str, path: str, body: str | None) -> Page:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        headers = {
            "Host": SITE,
            "Origin": f"https://{SITE}",
            "X-Forwarded-Proto": "https",
            "X-Forwarded-For": "203.0.113.7",
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": "; ".join(f"{kept.key}={kept.value}" for kept in self.cookies.values()),
        }
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            for cookie in response.headers.get_all("Set-Cookie", []):
                self.cookies.load(cookie)
            return Page(response.status, response.read().decode())
        finally:
            connection.close()


def web_server(port: int) -> list[str]:
    """gunicorn as it is hosted, without the control socket, which all on a machine would share."""
    serving = f"--no-control-socket --bind 127.0.0.1:{port} --worker-class gthread --threads 4"
    return [PYTHON, "-m", "gunicorn", "intrigue_site.wsgi", *serving.split()]


def production(folder: Path, static: Path) -> dict[str, str]:
    """Production behind one proxy; the settings differ in where the browsers' files are kept."""
    lines = f"from intrigue_site.settings import *\nSTATIC_ROOT = {str(static)!r}\n"
    (folder / "settings_of_this_test.py").write_text(lines)
    return {
        "DJANGO_SETTINGS_MODULE": "settings_of_this_test",
        "PYTHONPATH": str(folder),
        "SITE_URL": f"https://{SITE}",
        "TRUSTED_PROXIES": "1",
        "SWEEP_SECONDS": "0.5",
    }


def is_up(port: int) -> bool:
    try:
        return Browser(port).get("/health/").status == 200
    except (OSError, HTTPException):
        return False


def collected_in(folder: Path, environment: Mapping[str, str]) -> Path:
    """The browsers' files as they are hosted: collected by whichever process needs them first."""
    static = folder / "static"
    with (folder / "collecting").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not static.exists():
            collect = [PYTHON, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
            new = folder / "static.new"
            settings = production(folder, new)
            subprocess.run(collect, env={**environment, **settings}, check=True)
            new.rename(static)
    return static


@contextmanager
def web_servers(environment: Mapping[str, str], folder: Path, count: int) -> Iterator[list[int]]:
    """The ports of so many web servers that have just been started; they may not listen yet."""
    ports = [free_port() for _ in range(count)]
    with ExitStack() as processes:
        for port in ports:
            log = folder / f"web {port}.log"
            processes.enter_context(running(web_server(port), environment, log))
        yield ports


@contextmanager
def running(
    command: list[str], environment: Mapping[str, str], log: Path, tree: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is stopped at the end, and read if it died; in another tree of the code."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=output, cwd=tree)
    try:
        yield process
        assert process.poll() is None, log.read_text()
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE_SECONDS)
