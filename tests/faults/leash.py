"""Ends what the harness has started, once the harness is gone, however it went.

`python -m tests.faults.leash FOLDER` reads numbers of process groups: `+7` for one that began, `-7`
for one that has ended. When its standard input ends, it kills those that are left and removes the
folder with whatever is mounted there.
"""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


def main(folder: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups: set[int] = set()
    for line in sys.stdin:
        change = groups.add if line[0] == "+" else groups.discard
        change(int(line[1:]))
    for group in groups:
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
    for mounted in [path for path in folder.glob("*/") if path.is_mount()]:
        subprocess.run(["umount", "--lazy", str(mounted)], check=False)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
