"""The page of metrics: the requests that this process counted, and how the site is now.

Counts, seconds and names of ours: nothing in it is about a person or a game. What can't be read is
missing, and `intrigue_up` says which part is away.
"""

import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, cast

from django.conf import settings
from django.core.cache import caches
from django.db import Error
from django.db.models import Count, Min, Q
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from games.features.metrics.counted import REGISTRY
from games.models import Game, OutboxEmail, Tick
from games.services import live, site_state
from games.services.operations.health import health

BROKER_SECONDS: Final = 1.0
"""How long one question to the broker may take: whoever watches the site asks often."""

ENDED_KNOWN: Final = 60.0
"""For so many seconds the numbers of games are remembered: there may be many that ended."""

LATELY: Final = timedelta(days=1)


def text(now: datetime) -> bytes:
    """The page, in the format that Prometheus reads."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Found([*_site(now), *_disk()]))
    return generate_latest(REGISTRY) + generate_latest(registry)


class _Found(Collector):
    def __init__(self, metrics: list[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> list[Metric]:
        return self._metrics


def _site(now: datetime) -> Iterator[Metric]:
    version = InfoMetricFamily("intrigue", "The version of this process.")
    version.add_metric([], {"version": settings.VERSION, "commit": settings.COMMIT})
    yield version
    is_up = {"database": True, "broker": True}
    try:
        yield from list(_in_database(now))
    except Error:
        is_up["database"] = False
    try:
        yield from list(_in_broker())
    except (RedisError, OSError):
        is_up["broker"] = False
    yield _by("intrigue_up", "1 if this part can be used.", "part", is_up)


def _in_database(now: datetime) -> Iterator[Metric]:
    found = health(now)
    yield _by("intrigue_games", "Games, without those of guests.", "state", _games())
    counts = (
        ("well", "1 if /health/ finds all well.", found.is_well),
        ("clock_stopped", "1 while maintenance or a grant of time stops the clock.",
         found.maintenance or found.time_is_given),
        ("games_overdue", "Games that should have been played minutes ago.", found.overdue),
        ("games_parked", "Games that wait for a moderator.", found.parked),
        ("games_resting", "Games with nobody left at the table.", found.resting),
        ("mail_stands_still", "1 if no worker looks for email, or none of it leaves.",
         found.email_is_in_trouble),
    )  # fmt: skip
    yield from (_one(name, help_text, value) for name, help_text, value in counts)
    mail_task = Tick.objects.filter(name=Tick.MAIL).values_list("at", flat=True).first()
    ages = (
        ("sweep_age", "Since the clock last looked for what is due.", found.last_tick),
        ("task_age", "Since a worker last did what a clock asked for.", found.last_task),
        ("mail_task_age", "Since a worker last looked for email.", mail_task),
        ("backup_age", "Since manage.py backup last succeeded.", found.last_backup),
        ("mail_sent_age", "Since the mail server last accepted an email.", found.last_mail_sent),
        ("mail_server_away", "Since the mail server can't be used.", found.mail_server_away_since),
    )  # fmt: skip
    yield from (_age(name, what, since, now) for name, what, since in ages if since is not None)
    yield from _due(now)
    yield from _outbox(now)


def _games() -> dict[str, int]:
    def count() -> dict[str, int]:
        rows = Game.objects.without_guests().values_list("status").annotate(Count("pk"))
        return dict.fromkeys(Game.Status.values, 0) | dict(rows.order_by())

    memory = caches[site_state.MEMORY]
    return cast("dict[str, int]", memory.get_or_set("games-by-state", count, ENDED_KNOWN))


def _due(now: datetime) -> Iterator[Metric]:
    due = Game.objects.without_guests().filter(
        status=Game.Status.RUNNING, parked_at=None, deadline_at__lte=now
    )
    found = due.aggregate(count=Count("pk"), oldest=Min("deadline_at"))
    yield _one("games_due", "Games whose deadline is over, also just now.", found["count"])
    yield _age("games_oldest_due", "Since the oldest of them was due; 0 without any.",
               found["oldest"] or now, now)  # fmt: skip


def _outbox(now: datetime) -> Iterator[Metric]:
    is_due = Q(not_before__lte=now)
    found = OutboxEmail.objects.waiting().aggregate(
        due=Count("pk", filter=is_due & Q(error="")),
        refused=Count("pk", filter=~Q(error="")),
        held=Count("pk", filter=~is_due & Q(error="")),
        oldest=Min("not_before", filter=is_due),
    )
    oldest = found.pop("oldest") or now
    sending = OutboxEmail.objects.filter(status=OutboxEmail.Status.SENDING).count()
    failed = OutboxEmail.objects.filter(
        status=OutboxEmail.Status.FAILED,
        created_at__gt=now - 2 * LATELY,
        claimed_at__gt=now - LATELY,
    ).count()
    states = {**found, "sending": sending, "failed": failed}
    yield _by("intrigue_outbox", "Email to be sent now, to be sent again, held until later, being "
              "sent, and failed within a day.", "state", states)  # fmt: skip
    yield _age("outbox_oldest", "Since the oldest email was to be sent; 0 without any.",
               oldest, now)  # fmt: skip


def _in_broker() -> Iterator[Metric]:
    with Redis.from_url(
        settings.CELERY_BROKER_URL,
        socket_timeout=BROKER_SECONDS,
        socket_connect_timeout=BROKER_SECONDS,
        retry=Retry(NoBackoff(), 0),
        protocol=2,
    ) as broker:
        questions = broker.pipeline(transaction=False)
        for queue in settings.QUEUES:
            questions.llen(queue)
        lengths = dict(zip(settings.QUEUES, questions.execute(), strict=True))
        keys = list(broker.scan_iter(live.streams_key("*"), count=1000))
        streams = [int(count) for count in (broker.mget(keys) if keys else []) if count]
    yield _by("intrigue_queue_messages", "Messages that no worker has taken.", "queue", lengths)
    yield _one("live_processes", "Live processes that run.", len(streams))
    yield _one("live_streams", "Open pages that follow the games.", sum(streams))


def _disk() -> Iterator[Metric]:
    disk = shutil.disk_usage(settings.BASE_DIR)
    yield _one("disk_free_bytes", "Free on the disk with the site's own files.", disk.free)
    yield _one("disk_size_bytes", "The size of that disk.", disk.total)


def _one(name: str, help_text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"intrigue_{name}", help_text, value=value)


def _age(name: str, help_text: str, since: datetime, now: datetime) -> Metric:
    return _one(f"{name}_seconds", help_text, (now - since).total_seconds())


def _by(name: str, help_text: str, label: str, values: dict[str, int] | dict[str, bool]) -> Metric:
    family = GaugeMetricFamily(name, help_text, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family
