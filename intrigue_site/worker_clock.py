"""A worker that needs no beat: with `--clock` it sends what is in CELERY_BEAT_SCHEDULE itself.

Celery's own `worker --beat` starts a process for that, which nobody starts again once it is killed.
"""

from collections.abc import Mapping
from typing import Any, Final

from celery import bootsteps
from celery.worker.consumer import Consumer
from click import Option

OPTION: Final = Option(("--clock",), is_flag=True, help="Do what a beat does, too.")


class Clock(bootsteps.StartStopStep):
    """Sends each message when it is due, as long as the worker has its broker.

    The timer of the worker logs what fails, and goes on.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Consumer, *, clock: bool = False, **options: Any) -> None:
        self.enabled = clock
        self.entries: list[Any] = []
        super().__init__(consumer, **options)

    def start(self, consumer: Consumer) -> None:
        """Begin, also after the broker was away."""

        def send(entry: Mapping[str, Any]) -> None:
            consumer.app.tasks[entry["task"]].apply_async(**entry.get("options", {}))

        self.entries = [
            consumer.timer.call_repeatedly(entry["schedule"], send, (entry,))
            for entry in consumer.app.conf.beat_schedule.values()
        ]

    def stop(self, _consumer: Consumer) -> None:
        """Send no more: the broker is away, or the worker ends."""
        for entry in self.entries:
            entry.cancel()
