"""Whether the broker carries messages, and workers do what they say."""

import time
from collections.abc import Iterator
from typing import Any, Final

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError
from redis import RedisError

from games.extensions import Finding
from games.services.operations.doctor.words import first_line, skew, well
from games.services.operations.identity import disagreement

PING_SECONDS: Final = 2.0
PATIENCE_SECONDS: Final = 10.0
"""How long one on a busy machine, or one that has just started, may take where none answers."""

NEVER_DROPS: Final = "noeviction"


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
        yield _policy(broker) or well("Broker", f"{address} answers.")
        sent_at = time.time()
        answered = _ask_workers(broker, PING_SECONDS)
        if not answered:
            sent_at = time.time()
            answered = _ask_workers(broker, PATIENCE_SECONDS)
    yield from workers_found(answered, sent_at)


def _policy(broker: Any) -> Finding | None:
    """A finding if the broker drops messages where its memory is full; None where it tells none."""
    if broker.transport.driver_type != "redis":
        return None
    try:
        memory = broker.default_channel.client.info("memory")
    except RedisError:
        return None  # A service may forbid it.
    policy = memory.get("maxmemory_policy", NEVER_DROPS)
    if not memory.get("maxmemory") or policy == NEVER_DROPS:
        return None
    return Finding(
        "Broker",
        f"It drops messages when its memory is full (maxmemory-policy {policy}). Set "
        f"maxmemory-policy {NEVER_DROPS} in the configuration of Redis or Valkey.",
    )


def _ask_workers(broker: Any, seconds: float) -> dict[str, dict[str, Any]]:
    """What each worker that answers within so many seconds is and serves, by its name."""
    replies = current_app.control.broadcast(
        "clock_and_queues", reply=True, timeout=seconds, connection=broker
    )
    return {name: status for reply in replies or [] for name, status in reply.items()}


def workers_found(workers: dict[str, dict[str, Any]], sent_at: float) -> Iterator[Finding]:
    part = "Worker"
    if not workers:
        yield Finding(
            part,
            f"No worker answered within {PATIENCE_SECONDS:g} seconds. "
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
