"""No two tests are given the same port, also where a server starts long after it was chosen."""

import subprocess
import sys

GIVES_FIVE = """
from tests.support import servers
servers.PORTS = range(19_990, 20_000)
print(*(servers.free_port() for _ in range(5)), flush=True)
input()
"""


def test_two_processes_share_ten_ports():
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", GIVES_FIVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    given = [process.stdout.readline().split() for process in processes]
    for process in processes:
        process.communicate("\n")
    assert sorted(given[0] + given[1]) == [str(port) for port in range(19_990, 20_000)]
