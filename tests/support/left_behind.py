"""Runs a command, and then fails if processes that were started on the way still run.

    python -m tests.support.left_behind COMMAND ...

Linux gives a process that loses its parent to the nearest ancestor that asked for it; this one
does. Elsewhere nothing is noticed.
"""

import ctypes
import os
import subprocess
import sys
import time
from contextlib import suppress

import psutil

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_SECONDS = 60
"""How long what has to end may take. What takes longer is killed, and reported."""


def run(command: list[str], patience: float = PATIENCE_SECONDS) -> int:
    """Its exit code; 1 if it was 0 and something was left behind."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    code = end_of(subprocess.Popen(command))
    left = what_is_left(patience)
    for process in left:
        with suppress(psutil.Error):
            sys.stdout.write(f"LEFT BEHIND: {process.pid} {' '.join(process.cmdline())}\n")
            process.kill()
    return code or int(bool(left))


def end_of(command: subprocess.Popen[bytes]) -> int:
    """Bury whatever ends, as the first process of a machine does, until the command has ended."""
    while True:
        with suppress(KeyboardInterrupt):  # the command was interrupted as well, and will end
            pid, status = os.wait()
            if pid == command.pid:
                return os.waitstatus_to_exitcode(status)


def what_is_left(patience: float) -> list[psutil.Process]:
    end = time.monotonic() + patience
    while left := running():
        if time.monotonic() > end:
            break
        time.sleep(0.1)
    return left


def running() -> list[psutil.Process]:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return psutil.Process().children(recursive=True)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
