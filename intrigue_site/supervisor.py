"""Starts processes, watches them, and stops every one of them again."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

POLL_SECONDS: Final = 0.1
PATIENCE_SECONDS: Final = 15.0
"""How long a process may take to stop by itself."""

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

LIBC: Final = ctypes.CDLL(None)
SET_SIGNAL_AT_PARENTS_DEATH: Final = 1  # PR_SET_PDEATHSIG of linux/prctl.h


class ChildDied(Exception):
    """A process ended by itself; the message names it, and where it left its last words."""


class StopRequested(Exception):
    """Ctrl-C, or a signal that means the same."""


@dataclass(frozen=True)
class _Child:
    name: str
    process: subprocess.Popen[bytes]
    may_end: bool

    def has_failed(self) -> bool:
        code = self.process.poll()
        return code is not None and not (self.may_end and code == 0)


class Supervisor:
    """A context in which processes run; leaving it stops them, the last started first.

    A signal only sets a flag, which `check` and what waits with it turn into StopRequested: nothing
    is interrupted half-way. Each process leads a session of its own, so that Ctrl-C in a terminal
    reaches this process alone and the others are stopped in order. On Linux they are told to stop
    even where this process is killed.
    """

    def __init__(self, logs: Path) -> None:
        """`logs` is the folder in which each process has a file with its output."""
        self._logs = logs
        self._children: list[_Child] = []
        self._stop_requested = False

    def __enter__(self) -> Self:
        self._logs.mkdir(parents=True, exist_ok=True)
        for number in STOP_SIGNALS:
            signal.signal(number, self._request_stop)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for child in reversed(self._children):
            _stop(child.process)

    def start(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        output: Path | None = None,
    ) -> None:
        """Start a process that is to run on. What it prints goes to its log, or to `output`.

        Its standard input is a pipe that ends with this process, even if this one is killed.
        """
        self._start(name, command, environment, output or self._log(name), may_end=False)

    def finish(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> str:
        """Run a process to its end and return what it printed."""
        output = self._logs / f"{name}.out"
        output.unlink(missing_ok=True)
        process = self._start(name, command, environment, output, may_end=True)
        while process.poll() is None:
            self.wait()
        self.check()
        return output.read_text()

    def _start(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        output: Path,
        *,
        may_end: bool,
    ) -> subprocess.Popen[bytes]:
        self.check()
        self._log(name).write_bytes(b"")
        # Both to the end of the file, which may be one and the same: neither writes over the other.
        with self._log(name).open("ab") as log, output.open("ab") as printed:
            process = subprocess.Popen(  # noqa: S603, the commands are our own
                command,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=log,
                start_new_session=True,
                preexec_fn=_stop_with_parent(os.getpid()),  # noqa: PLW1509 (we have no threads)
            )
        self._children.append(_Child(name, process, may_end))
        return process

    def wait(self) -> None:
        """Let a moment pass, then `check`."""
        time.sleep(POLL_SECONDS)
        self.check()

    def check(self) -> None:
        """Raise StopRequested after a signal, ChildDied where a process has failed."""
        if self._stop_requested:
            raise StopRequested
        for child in self._children:
            if child.has_failed():
                raise ChildDied(self._last_words(child))

    def _request_stop(self, *_signal: object) -> None:
        self._stop_requested = True

    def _log(self, name: str) -> Path:
        return self._logs / f"{name}.log"

    def _last_words(self, child: _Child) -> str:
        log = self._log(child.name)
        lines = log.read_text(errors="replace").strip().splitlines()
        last = f": {lines[-1].strip()}" if lines else "."
        return f"{child.name} ended (code {child.process.returncode}, log in {log}){last}"


def _stop_with_parent(parent: int) -> Callable[[], None] | None:
    """What a new process runs first, so that the end of its parent is its own; only on Linux."""
    if sys.platform != "linux":
        return None

    def tie() -> None:
        LIBC.prctl(SET_SIGNAL_AT_PARENTS_DEATH, signal.SIGTERM)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)  # it was killed before we could ask

    return tie


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ask a process to stop, wait, and end by force what is left of its session."""
    if process.stdin:
        process.stdin.close()
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(PATIENCE_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
