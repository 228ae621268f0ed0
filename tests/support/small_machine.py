"""One processor and little memory for processes, as a small machine has them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.patience import wait_until

CGROUPS: Final = Path("/sys/fs/cgroup")
LIMITS: Final = (
    (CGROUPS, "memory.max", "memory.events"),
    (CGROUPS / "memory", "memory.limit_in_bytes", "memory.oom_control"),
)
"""Where cgroups of version 2 and 1 have the limit of memory, and how often it was exceeded."""


class SmallMachine(NamedTuple):
    """A part of this machine; without rights to part it, only the processor is one."""

    folder: Path | None
    events: str

    def command(self, command: list[str]) -> list[str]:
        """The command, run there with all its children."""
        command = ["taskset", "--cpu-list", str(min(os.sched_getaffinity(0))), *command]
        if self.folder is None:
            return command
        entering = f'echo $$ >{self.folder / "cgroup.procs"} && exec "$@"'
        return ["sh", "-c", entering, "sh", *command]

    def killed(self) -> int:
        """How many processes were killed because they needed more."""
        if self.folder is None:
            return 0
        lines = (self.folder / self.events).read_text().splitlines()
        return int(dict(line.split() for line in lines)["oom_kill"])


@contextmanager
def small_machine(memory: int) -> Iterator[SmallMachine]:
    """A machine with so many bytes of memory, kernel and files included."""
    for parent, limit, events in LIMITS:
        folder = parent / f"intrigue-{os.getpid()}"
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            if (folder / limit).exists():
                (folder / limit).write_text(str(memory))
                yield SmallMachine(folder, events)
                return
        finally:
            wait_until(lambda folder=folder: is_removed(folder))
    yield SmallMachine(None, "")


def is_removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return False  # processes are still ending
    return True
