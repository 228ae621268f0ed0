"""The response of a worker to `manage.py doctor`: its clock, and the queues it serves."""

import time
from typing import Any

from celery.worker.control import inspect_command


@inspect_command()
def clock_and_queues(state: Any) -> dict[str, Any]:
    """The seconds since 1970 by the clock of this machine, and the names of the queues."""
    queues = state.consumer.task_consumer.queues
    return {"now": time.time(), "queues": sorted(queue.name for queue in queues)}
