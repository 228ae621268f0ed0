"""How a worker reads its queues (the setting CELERY_WORKER_CONSUMER)."""

from celery.worker.consumer import Consumer
from celery.worker.state import reserved_requests


class LastingConsumer(Consumer):
    """A consumer that outlives the end of its broker, also while a task is under way.

    Celery 5.7 and kombu 5.7 put a lost connection away, and then give back or acknowledge messages
    over it: an AttributeError, with which the worker would end. A broker that still has the message
    hands it out again by itself, after its visibility timeout.
    """

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        for request in tuple(reserved_requests):
            request.acknowledged = True
        consumer = getattr(self, "task_consumer", None)
        if consumer is not None:
            consumer.channel.do_restore = False
        super().on_connection_error_after_connected(exc)
