"""Processes that are killed, frozen and stopped, and started again as systemd would."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.support.patience import wait_until

ROOT = Path(__file__).resolve().parents[2]
RESTART_SECONDS = 0.5
STOP_SECONDS = 10


@dataclass
class Service:
    """One process with its children; `wanted` says whether it is to run."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    log: Path
    user: int | None = None
    wanted: bool = True
    process: subprocess.Popen[bytes] | None = None
    died_at: float = field(default=0.0)

    @property
    def pid(self) -> int:
        """Its number, once it runs."""
        wait_until(self.is_up)
        assert self.process is not None
        return self.process.pid

    def is_up(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def children(self) -> list[int]:
        """The numbers of the processes that it has started."""
        with suppress(psutil.NoSuchProcess):
            return [child.pid for child in psutil.Process(self.pid).children(recursive=True)]
        return []

    def last_words(self) -> str:
        return self.log.read_text(errors="replace")[-3000:] if self.log.exists() else ""


class Keeper:
    """Starts services, and starts again what has died; a thread of its own looks after them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.services: dict[str, Service] = {}
        self.starts = 0
        self._groups: set[int] = set()
        self._lock = threading.RLock()
        self._end = threading.Event()
        self._leash = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.leash", str(folder)],
            stdin=subprocess.PIPE,
            cwd=ROOT,
            start_new_session=True,
        )
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def add(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        user: int | None = None,
    ) -> Service:
        """Start a service, which is kept alive from now on."""
        log = self.folder / f"{name}.log"
        service = Service(name, command, environment, log, user)
        with self._lock:
            self.services[name] = service
            self._start(service)
        return service

    def send(self, service: Service, number: int) -> None:
        """Send a signal to the main process."""
        with suppress(ProcessLookupError):
            os.kill(service.pid, number)

    def kill(self, service: Service) -> None:
        """`kill -9` of the main process; its children find out by themselves."""
        self.send(service, signal.SIGKILL)

    def kill_a_child(self, service: Service, which: int = 0) -> bool:
        """`kill -9` of a child; whether there was one."""
        children = service.children()
        if not children:
            return False
        with suppress(ProcessLookupError):
            os.kill(children[which % len(children)], signal.SIGKILL)
        return True

    def freeze(self, service: Service) -> None:
        os.killpg(service.pid, signal.SIGSTOP)

    def thaw(self, service: Service) -> None:
        os.killpg(service.pid, signal.SIGCONT)

    def stop(self, service: Service, with_signal: int = signal.SIGTERM) -> None:
        """Stop it until `start`; by force, with what is left of its children, if it takes long."""
        with self._lock:
            service.wanted = False
        process = service.process
        if process is None:
            return
        process.send_signal(with_signal)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
        self.end_group(process)

    def end_group(self, process: subprocess.Popen[bytes]) -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def start(self, service: Service) -> None:
        with self._lock:
            service.wanted = True
            if not service.is_up():
                self._start(service)

    def close(self) -> None:
        """Stop everything for good, and let the leash remove the folder."""
        self._end.set()
        self._thread.join()
        for service in reversed(self.services.values()):
            process = service.process
            if process is not None and process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGCONT)
                # PostgreSQL has shared memory to give back; all others have nothing to lose.
                gently = service.name == "postgres"
                self.stop(service, signal.SIGQUIT if gently else signal.SIGKILL)
        self._leash.communicate()

    def _start(self, service: Service) -> None:
        with service.log.open("ab") as log:
            service.process = subprocess.Popen(
                service.command,
                env=service.environment,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=service.user,
                group=service.user,
                extra_groups=None if service.user is None else [],
            )
        self.starts += 1
        service.died_at = 0.0
        self._tell_leash("+", service.process.pid)
        self._groups.add(service.process.pid)

    def _watch(self) -> None:
        while not self._end.wait(0.1):
            with self._lock:
                for service in self.services.values():
                    self._revive(service)
                self._forget_ended_groups()

    def _revive(self, service: Service) -> None:
        if not service.wanted or service.is_up():
            return
        now = time.monotonic()
        service.died_at = service.died_at or now
        if now - service.died_at >= RESTART_SECONDS:
            self._start(service)

    def _forget_ended_groups(self) -> None:
        """A number may be given to somebody else's processes once its group is empty."""
        for group in list(self._groups):
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                self._groups.discard(group)
                self._tell_leash("-", group)

    def _tell_leash(self, sign: str, group: int) -> None:
        assert self._leash.stdin is not None
        self._leash.stdin.write(f"{sign}{group}\n".encode())
        self._leash.stdin.flush()
