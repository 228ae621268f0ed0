"""The site as in production: its own PostgreSQL (fsync on), Valkey, mail sink and processes."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psutil
import psycopg

from tests.support.patience import wait_until
from tests.support.servers import Servers, free_port, wait_for_addresses

ROOT = Path(__file__).resolve().parents[3]
HOST = "intrigue.example"
HEADERS = {
    "Host": HOST,
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "203.0.113.7",
    "Origin": f"https://{HOST}",
}
"""What comes from the browser, and from the proxy that speaks https for the site."""

WEB = "gunicorn intrigue_site.wsgi --no-control-socket --worker-class gthread --threads 4"
WEB += " --workers 2 --bind 127.0.0.1:{port}"
WORKER = "celery --app intrigue_site worker --loglevel info --hostname {name}@%h"
LIVE = "uvicorn intrigue_site.live:application --http httptools --no-access-log --port {port}"
LIVE += " --timeout-graceful-shutdown 3"
BEAT = "celery --app intrigue_site beat --pidfile= --loglevel info"


class Process:
    """A running process with its children."""

    def __init__(self, module: str, environment: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *module.split()],
                env=environment,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def megabytes(self) -> float:
        """The memory of the process and its children; what they share counts once."""
        mother = psutil.Process(self.process.pid)
        family = [mother, *mother.children(recursive=True)]
        return sum(one.memory_full_info().pss for one in family) / 1e6

    def says(self, words: str) -> bool:
        if self.process.poll() is not None:
            raise SystemExit(f"A process ended:\n{self.log.read_text()[-3000:]}")
        return words in self.log.read_text(errors="replace")

    def kill(self) -> None:
        """End it and its children at once, as when a machine dies."""
        os.killpg(self.process.pid, signal.SIGKILL)

    def stop(self) -> None:
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(40)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Stage:
    """A context: the servers run as long as it lasts, the processes when they are asked for."""

    def __init__(self, sweep_seconds: float) -> None:
        self.sweep_seconds = sweep_seconds

    def __enter__(self) -> "Stage":
        self.servers = Servers()
        self.folder = self.servers.folder
        self.sink = Sink()
        self.web_port, self.live_port = free_port(), free_port()
        self.environment = os.environ | self._variables() | wait_for_addresses(self.folder)
        self.url = self.environment["DATABASE_URL"]
        return self

    def __exit__(self, *_error: object) -> None:
        self.servers.stop()

    def _variables(self) -> dict[str, str]:
        return {
            "DJANGO_SETTINGS_MODULE": "tests.benchmarks.speed.settings",
            "BENCH_STATIC": str(self.folder / "static"),
            "PYTHONUNBUFFERED": "1",
            "SECRET_KEY": "a key for the benchmark only, which nobody has to keep secret, 1234",
            "SITE_URL": f"https://{HOST}",
            "TRUSTED_PROXIES": "1",
            "SWEEP_SECONDS": str(self.sweep_seconds),
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(self.sink.port),
        }

    def connect(self) -> psycopg.Connection:
        """A connection for what is not measured: without the limits of the site's role."""
        connection = psycopg.connect(self.url, autocommit=True)
        connection.execute("SET statement_timeout = 0")
        connection.execute("SET lock_timeout = 0")
        return connection

    def prepare(self) -> None:
        """The tables, and the collected files."""
        self.manage("migrate", "--no-input", "--verbosity", "0")
        self.manage("collectstatic", "--no-input", "--verbosity", "0")

    def manage(self, *command: str) -> str:
        """What a command of `manage.py` printed."""
        return self.run(["manage.py", *command]).stdout

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, *command],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{command} failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return done

    @contextmanager
    def running(self, *names: str) -> Iterator[dict[str, Process]]:
        """These processes ("web", "live", "beat", else a worker), once they are up."""
        processes: dict[str, Process] = {}
        try:
            for name in names:
                processes[name] = self._start(name)
            for name, process in processes.items():
                wait_until(lambda name=name, process=process: self._is_up(name, process))
            yield processes
        finally:
            for process in reversed(processes.values()):
                process.stop()

    def _start(self, name: str) -> Process:
        module = {"web": WEB, "live": LIVE, "beat": BEAT}.get(name, WORKER)
        port = self.live_port if name == "live" else self.web_port
        module = module.format(port=port, name=name)
        return Process(module, self.environment, self.folder / f"{name}.log")

    def _is_up(self, name: str, process: Process) -> bool:
        if name == "web":
            return not process.says("Traceback") and self.get("/rules/")[0] == 200
        words = {"live": "Uvicorn running", "beat": "beat: Starting..."}
        return process.says(words.get(name, " ready."))

    def get(self, path: str, cookie: str = "") -> tuple[int, float]:
        """The status of a page, 0 for none, and after how many seconds it came."""
        began = time.perf_counter()
        connection = HTTPConnection("127.0.0.1", self.web_port, timeout=60)
        try:
            connection.request("GET", path, headers=HEADERS | {"Cookie": cookie})
            answer = connection.getresponse()
            answer.read()
        except (OSError, HTTPException):
            return 0, time.perf_counter() - began
        finally:
            connection.close()
        return answer.status, time.perf_counter() - began


class Sink:
    """A mail server that takes everything and only counts; cheap, since it shares the cores."""

    def __init__(self) -> None:
        self.seconds_for_a_mail = 0.0
        self.times: list[float] = []
        self.ids: set[bytes] = set()
        self.port = free_port()
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._talk, "127.0.0.1", self.port)
        async with server:
            await server.serve_forever()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 sink\r\n")
        with suppress(OSError, asyncio.IncompleteReadError):
            while line := await reader.readline():
                verb = line[:4].upper()
                if verb == b"DATA":
                    writer.write(b"354 go on\r\n")
                    self._take(await reader.readuntil(b"\r\n.\r\n"))
                    await asyncio.sleep(self.seconds_for_a_mail)
                writer.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 OK\r\n")
        writer.close()

    def _take(self, mail: bytes) -> None:
        self.times.append(time.perf_counter())
        _, _, rest = mail.lower().partition(b"\nmessage-id:")
        self.ids.add(rest.split(b"\n", 1)[0].strip())

    def forget(self) -> None:
        self.times.clear()
        self.ids.clear()
