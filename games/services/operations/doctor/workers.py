"""Whether the broker carries messages, and workers do what they say."""

import time
from collections.abc import Iterator
from typing import Any, Final

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

from games.extensions import Finding
from games.services.operations.doctor.words import first_line, skew, well
from games.services.operations.identity import disagreement

PING_SECONDS: Final = 2.0


def broker_and_workers() -> Iterator[Finding]:
    with current_app.connection_for_write() as broker:
        # Where there is a password, kombu hides it; where there is none, it would show one.
        address = broker.as_uri(include_password=not broker.password)
        try:
            broker.ensure_connection(max_retries=1, interval_start=0)
        except OperationalError as failure:
            yield Finding(
                "Broker",
                f"{address} does not answer ({first_line(failure)}). Redis or Valkey has "
                "to run, and CELERY_BROKER_URL has to be its address.",
            )
            return
        yield well("Broker", f"{address} answers.")
        sent_at = time.time()
        replies = current_app.control.broadcast(
            "clock_and_queues", reply=True, timeout=PING_SECONDS, connection=broker
        )
    answered = {name: status for reply in replies or [] for name, status in reply.items()}
    yield from workers_found(answered, sent_at)


def workers_found(workers: dict[str, dict[str, Any]], sent_at: float) -> Iterator[Finding]:
    part = "Worker"
    if not workers:
        yield Finding(
            part,
            f"No worker answered within {PING_SECONDS:g} seconds. "
            "Start one: celery --app intrigue_site worker",
        )
        return
    served = {queue for reply in workers.values() for queue in reply.get("queues", [])}
    for queue, task in settings.QUEUES.items():
        if queue not in served:
            text = (
                f"No worker serves the queue {queue}, which {task}: start one with --queues "
                f"{queue}, or one without --queues."
            )
            yield Finding(part, text)
    for name, reply in workers.items():
        if trouble := disagreement(f"The worker {name}", reply):
            yield Finding(part, trouble)
        yield from skew(f"The clock of {name}", reply.get("now", sent_at) - sent_at)
    if served >= set(settings.QUEUES):
        yield well(part, f"{len(workers)} answered: {', '.join(workers)}.")
