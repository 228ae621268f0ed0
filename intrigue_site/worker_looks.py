"""The response of a worker to `manage.py doctor`: who it is, and the queues it serves."""

from typing import Any

from celery.worker.control import inspect_command

from games.services.operations.identity import identity


@inspect_command()
def clock_and_queues(state: Any) -> dict[str, Any]:
    """The identity of this process with the clock of its machine, and the names of the queues."""
    queues = state.consumer.task_consumer.queues
    return {**identity()._asdict(), "queues": sorted(queue.name for queue in queues)}
