"""The findings of `manage.py doctor`: each part of the server in words, with what to do next."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from celery import current_app
from django.conf import settings
from django.core.mail import EmailMessage, mailers
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import F
from django.utils import timezone
from django.utils.timesince import timesince
from kombu.exceptions import OperationalError

from games import extensions
from games.extensions import Finding
from games.models import EmailOutage, Game, OutboxEmail, Tick, User, database_now
from games.presentation.text.tables import time_text
from games.services import legal, pooler, site_state, timeouts
from games.services.email import mail_server
from games.services.email.answers import FAILURES
from games.services.email.kinds import label_of
from games.services.email.message import QUIET
from games.services.game.failures import RETRIES
from games.services.operations import stored_zones
from games.services.operations.health import (
    MAIL_LATE_AFTER,
    Health,
    health,
    is_ahead,
    is_late,
    late_after,
)

PING_SECONDS: Final = 2.0
MOST_SKEW_SECONDS: Final = 60
"""How far the clocks of two machines may differ."""

MOST_NAMED: Final = 5
"""How many games or emails are named for each trouble; the rest is counted."""

FAILURES_ARE_NEWS: Final = timedelta(days=7)


def checkup(*, now: datetime, mail_to: str | None = None) -> Iterator[Finding]:
    """Look at every part of the server, one after the other; send a test email where wanted.

    What is away is a finding, no error. Without the database nothing is said of clock and games.
    """
    database = _database()
    yield database
    if database.is_well and settings.DATABASE_DIRECT:
        yield _direct_database()
    yield from _broker_and_worker()
    yield _mail_server(mail_to)
    yield from _reports_of_bounces()
    yield _legal_pages()
    yield from extensions.findings()
    if database.is_well:
        ahead = (database_now() - timezone.now()).total_seconds()
        yield from _skew("The clock of the database", ahead)
        if missing := stored_zones.trouble():
            yield Finding("Time zones", missing)
        yield from _site()
        yield _clock(now)
        yield from _games(now)
        yield from _emails(now)


def _well(part: str, text: str) -> Finding:
    return Finding(part, text, is_well=True)


def _legal_pages() -> Finding:
    """Look at the legal pages, which a site may do without: its operator decides."""
    if not (missing := legal.missing()):
        return _well("Legal pages", "imprint, privacy and terms are there.")
    files = ", ".join(f"{kind}.txt" for kind in missing)
    return _well("Legal pages", f"there is no {files} in LEGAL_DIR. Many countries require them.")


def _database() -> Finding:
    part = "Database"
    try:
        connection.ensure_connection()
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        version = connection.pg_version // 10000  # type: ignore[attr-defined]
    except Error as failure:
        return Finding(part, database_is_away(failure))
    if missing:
        return Finding(part, f"Missing migrations: {len(missing)}. Run manage.py migrate.")
    if timeouts.in_force(connection) != timeouts.TIMEOUTS:
        return Finding(
            part,
            "Its time limits are missing, so one lock could block everything. Run manage.py "
            "migrate as the role that the site uses, then start every process anew.",
        )
    return _well(part, f"PostgreSQL {version} is running and every migration is applied.")


def database_is_away(failure: Exception) -> str:
    """What is wrong where no connection to the database can be made, and what to do."""
    name = "DATABASE_DIRECT_URL" if pooler.is_past() else "DATABASE_URL"
    return (
        f"PostgreSQL can't be used ({_first_line(failure)}). Start PostgreSQL 15 or later and "
        f"set {name} to its address."
    )


def _direct_database() -> Finding:
    part, name = "Direct", "DATABASE_DIRECT_URL"
    use = "migrate, backup and restore use it"
    try:
        is_same = pooler.leads_to_the_same_database()
    except Error as failure:
        return Finding(part, f"{name} can't be used ({_first_line(failure)}); {use}.")
    if not is_same:
        return Finding(part, f"{name} leads to another database than DATABASE_URL; {use}.")
    return _well(part, f"{name} leads to the same database.")


def _broker_and_worker() -> Iterator[Finding]:
    with current_app.connection_for_write() as broker:
        # Where there is a password, kombu hides it; where there is none, it would show one.
        address = broker.as_uri(include_password=not broker.password)
        try:
            broker.ensure_connection(max_retries=1, interval_start=0)
        except OperationalError as failure:
            yield Finding(
                "Broker",
                f"{address} does not answer ({_first_line(failure)}). Redis or Valkey has "
                "to run, and CELERY_BROKER_URL has to be its address.",
            )
            return
        yield _well("Broker", f"{address} answers.")
        sent_at = time.time()
        replies = current_app.control.broadcast(
            "clock_and_queues", reply=True, timeout=PING_SECONDS, connection=broker
        )
    workers = {name: status for reply in replies or [] for name, status in reply.items()}
    yield from _workers(workers, sent_at)


def _workers(workers: dict[str, dict[str, Any]], sent_at: float) -> Iterator[Finding]:
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
        yield from _skew(f"The clock of {name}", reply.get("now", sent_at) - sent_at)
    if served >= set(settings.QUEUES):
        yield _well(part, f"{len(workers)} answered: {', '.join(workers)}.")


def _skew(clock: str, seconds: float) -> Iterator[Finding]:
    """A finding about a clock that is too many seconds ahead of this machine's."""
    if abs(seconds) > MOST_SKEW_SECONDS:
        side = "ahead of" if seconds > 0 else "behind"
        yield Finding(
            "Clocks",
            f"{clock} is {abs(seconds) / 60:.0f} minutes {side} this machine's. Deadlines are "
            "given by the clocks of the web servers and kept by the database's: let every machine "
            "set its clock by NTP (timedatectl set-ntp true).",
        )


def _reports_of_bounces() -> Iterator[Finding]:
    """A finding if nothing proves that reports of the service are its own."""
    secret = settings.EMAIL_EVENTS_SECRET
    if settings.EMAIL_SERVICE.kind == "postmark" and secret and ":" not in secret:
        yield Finding(
            "Bounces",
            "EMAIL_EVENTS_SECRET isn't one of Postmark's, so its reports are refused: set it to "
            "USER:PASSWORD and use the same in the address of the webhook.",
        )


def _mail_server(mail_to: str | None) -> Finding:
    part = "Mail"
    server = mailers.default
    where = getattr(server, "api_url", "") or (
        f"{getattr(server, 'host', 'the file folder')}:{getattr(server, 'port', '')}".strip(":")
    )
    try:
        server.open()
        server.close()
        if mail_to is not None:
            subject, text = "Test email", "Email from your Intrigue server works."
            EmailMessage(subject, text, to=[mail_to], headers=QUIET).send()
    except FAILURES as failure:
        return Finding(
            part,
            f"{where} doesn't accept email ({_first_line(failure)}). Look at the "
            "variables EMAIL_URL or SMTP_…, and whether the mail server runs.",
        )
    if mail_to is not None:
        return _well(part, f"{where} accepted a test email to {mail_to}. Check that it arrives.")
    does = "is asked once there is email" if hasattr(server, "api_url") else "answers"
    return _well(part, f"{where} {does}. --mail ADDRESS sends a test email.")


def _site() -> Iterator[Finding]:
    site = site_state.read()
    if site.maintenance_since is not None:
        since = f"{site.maintenance_since:%F %T} UTC"
        text = (
            f"The site has been under maintenance since {since}. "
            "The clock is paused until it is ended in the admin."
        )
        yield _well("Site", text)
    elif site.time_is_given:
        yield _well(
            "Site",
            "Extra time is being added to all games. The clock is paused until that is done.",
        )


def _clock(now: datetime) -> Finding:
    part = "Beat"
    last_tick = Tick.objects.last_sweep()
    start = "Start a worker, and a beat: celery --app intrigue_site beat"
    if last_tick is None:
        return Finding(part, f"The clock has never run. {start}")
    if is_ahead(last_tick, now):
        return Finding(
            part,
            f"The clock last ran at {last_tick:%F %T} UTC, which is {timesince(now, last_tick)} "
            "ahead: a clock was or is wrong. Set the clocks of all machines right, then restart "
            "beat: it sleeps until the time that it believed in.",
        )
    ago = f"The clock last ran {timesince(last_tick, now)} ago, at {last_tick:%F %T} UTC."
    if is_late(last_tick, now):
        return Finding(part, f"{ago} {start}")
    return _well(part, ago)


def _games(now: datetime) -> Iterator[Finding]:
    running = Game.objects.filter(status=Game.Status.RUNNING).without_guests()
    overdue = running.filter(deadline_at__lt=now - late_after()).order_by("deadline_at")
    if site_state.clock_is_stopped():
        overdue = overdue.none()
    parked = running.parked()
    for game in overdue[:MOST_NAMED]:
        error = f" Its last error: {_last_line(game.error)}." if game.error else ""
        yield Finding(
            "Overdue",
            f"{game} was due {timesince(game.deadline_at or now, now)} ago.{error} "
            "The clock will play it on its next run; a failed game is retried within "
            f"{time_text(RETRIES[-1])}.",
        )
    yield from _the_rest("Overdue", "games", overdue.count())
    for game in parked[:MOST_NAMED]:
        yield Finding(
            "Parked",
            f"{game} couldn't continue: {_last_line(game.error)}. The full error is in the "
            "admin under Games; the other games go on.",
        )
    yield from _the_rest("Parked", "games", parked.count())
    if not overdue and not parked:
        yield _well("Games", f"Running: {running.count()}; none overdue or parked.")


def _emails(now: datetime) -> Iterator[Finding]:
    found = health(now)
    troubles = [*_outbox(found), *_given_up(now)]
    yield from troubles
    if not troubles:
        retried = OutboxEmail.objects.waiting().exclude(error="").count()
        text = f"Email waiting: {found.emails_waiting}, of which to be retried: {retried}."
        yield _well("Outbox", f"{text} {_last_sent(found)}")
    refused = User.objects.filter(refused_email=F("email")).exclude(refused_email="").count()
    if refused:
        text = f"People who get no email because their address was rejected: {refused}."
        yield _well("Addresses", f"{text} The moderator dashboard lists them.")


def _outbox(found: Health) -> Iterator[Finding]:
    """A finding about what keeps email from leaving."""
    part, server = "Outbox", mail_server.read()
    if found.email_task_is_late:
        yield Finding(
            part,
            "No worker is sending email. Run a beat, and a worker for the queue "
            "mail, as one without --queues does.",
        )
    if server.unavailable_since is not None:
        yield Finding(
            part,
            "The mail server has been unavailable since "
            f"{server.unavailable_since:%F %T} UTC: {_last_line(server.error)}. Workers retry "
            "every minute and then send what is waiting. Check the variables EMAIL_URL or SMTP_….",
        )
    for outage in EmailOutage.objects.filter(until=None):
        yield Finding(
            part,
            f"Email has been down since {outage.since:%F %T} UTC: deadlines that come "
            "meanwhile are put off, by one answering time at most.",
        )
    if found.emails_late:
        late = time_text(MAIL_LATE_AFTER)
        text = f"Email waiting for more than {late}: {found.emails_late}."
        yield Finding(part, f"{text} {_last_sent(found)}")


def _last_sent(found: Health) -> str:
    if found.last_mail_sent is None:
        return "None has ever been sent."
    return f"The last one was sent at {found.last_mail_sent:%F %T} UTC."


def _given_up(now: datetime) -> Iterator[Finding]:
    emails = OutboxEmail.objects.filter(
        status=OutboxEmail.Status.FAILED, created_at__gt=now - FAILURES_ARE_NEWS
    )
    for email in emails.order_by("-created_at", "pk").select_related("person")[:MOST_NAMED]:
        yield Finding(
            "Outbox",
            f"{label_of(email)} to {email.person or email.address} failed permanently: "
            f"{_last_line(email.error)}. Is the address right?",
        )
    yield from _the_rest("Outbox", "emails that failed in the last week", emails.count())


def _the_rest(part: str, what: str, found: int) -> Iterator[Finding]:
    if found > MOST_NAMED:
        yield Finding(part, f"And {found - MOST_NAMED} more {what}: the admin lists them.")


def _first_line(failure: Exception) -> str:
    lines = str(failure).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(failure).__name__


def _last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].strip().rstrip(".") if lines else "no reason was kept"
