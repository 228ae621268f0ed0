"""A worker that needs no beat: with `--clock` it sends what is in CELERY_BEAT_SCHEDULE itself.

Celery's own `worker --beat` starts a process for that, which nobody starts again once it is killed.
"""

from time import monotonic
from typing import Any, Final

from celery import bootsteps
from celery.worker.consumer import Consumer
from click import Option

OPTION: Final = Option(("--clock",), is_flag=True, help="Do what a beat does, too.")


class Clock(bootsteps.StartStopStep):
    """Sends each message when it is due, as long as the worker has its broker.

    What is due is known by a clock that nobody sets, and stays known while the broker is away:
    else a broker that is away every hour would put off what is sent every hour for ever. The
    worker logs what fails, and goes on.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Consumer, *, clock: bool = False, **options: Any) -> None:
        self.enabled = clock
        self.due: dict[str, float] = {}
        self.waiting: dict[str, Any] = {}
        super().__init__(consumer, **options)

    def start(self, consumer: Consumer) -> None:
        """Begin, also after the broker was away; what fell due meanwhile is sent at once."""
        for name, entry in consumer.app.conf.beat_schedule.items():
            self.due.setdefault(name, monotonic() + entry["schedule"])
            self._wait(consumer, name)

    def stop(self, _consumer: Consumer) -> None:
        """Send no more: the broker is away, or the worker ends."""
        for entry in self.waiting.values():
            entry.cancel()

    def _wait(self, consumer: Consumer, name: str) -> None:
        self.waiting[name] = consumer.timer.call_at(self.due[name], self._send, (consumer, name))

    def _send(self, consumer: Consumer, name: str) -> None:
        entry = consumer.app.conf.beat_schedule[name]
        self.due[name] = monotonic() + entry["schedule"]
        self._wait(consumer, name)
        consumer.app.tasks[entry["task"]].apply_async(**entry.get("options", {}))
