"""The requests that this process has answered.

Each web process counts its own, and says which it is: `process` is the machine and the number. So
it doesn't matter which of several an answer comes from, whether they are behind one port or one
proxy: each series only grows, and Prometheus adds them up. prometheus-client could add up those of
one machine by files that they share; it would need a folder, emptied whenever they start, and would
still know nothing of other machines.
"""

import os
import socket
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics

from games.edge import Answered

# When each series began would be as many series again.
disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY: Final = CollectorRegistry()

SECONDS: Final = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REQUESTS: Final = Counter(
    "intrigue_requests",
    "Requests answered by this web process, by view.",
    ["view", "method", "status", "process"],
    registry=REGISTRY,
)
DURATION: Final = Histogram(
    "intrigue_request_seconds",
    "Seconds until the answer began, by view.",
    ["view", "process"],
    registry=REGISTRY,
    buckets=SECONDS,
)


def count(answered: Answered) -> None:
    """Count a request."""
    process = f"{socket.gethostname()}:{os.getpid()}"
    REQUESTS.labels(answered.view, answered.method, answered.status, process).inc()
    DURATION.labels(answered.view, process).observe(answered.seconds)
