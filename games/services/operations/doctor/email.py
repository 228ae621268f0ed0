"""Whether email leaves: the mail server or service, and what waits or was given up."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage, mailers
from django.db.models import F

from games.extensions import Finding
from games.models import EmailOutage, OutboxEmail, User
from games.presentation.text.tables import time_text
from games.services.email import mail_server as known_server
from games.services.email.answers import FAILURES
from games.services.email.kinds import label_of
from games.services.email.message import QUIET
from games.services.operations.doctor.words import (
    MOST_NAMED,
    first_line,
    last_line,
    the_rest,
    well,
)
from games.services.operations.health import MAIL_LATE_AFTER, Health, health

FAILURES_ARE_NEWS: Final = timedelta(days=7)


def mail_server(mail_to: str | None) -> Finding:
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
            f"{where} doesn't accept email ({first_line(failure)}). Look at the "
            "variables EMAIL_URL or SMTP_…, and whether the mail server runs.",
        )
    if mail_to is not None:
        return well(part, f"{where} accepted a test email to {mail_to}. Check that it arrives.")
    does = "is asked once there is email" if hasattr(server, "api_url") else "answers"
    return well(part, f"{where} {does}. --mail ADDRESS sends a test email.")


def reports_of_bounces() -> Iterator[Finding]:
    """A finding if nothing proves that reports of the service are its own."""
    secret = settings.EMAIL_EVENTS_SECRET
    if settings.EMAIL_SERVICE.kind == "postmark" and secret and ":" not in secret:
        yield Finding(
            "Bounces",
            "EMAIL_EVENTS_SECRET isn't one of Postmark's, so its reports are refused: set it to "
            "USER:PASSWORD and use the same in the address of the webhook.",
        )


def emails(now: datetime) -> Iterator[Finding]:
    found = health(now)
    troubles = [*_outbox(found), *_given_up(now)]
    yield from troubles
    if not troubles:
        retried = OutboxEmail.objects.waiting().exclude(error="").count()
        text = f"Email waiting: {found.emails_waiting}, of which to be retried: {retried}."
        yield well("Outbox", f"{text} {_last_sent(found)}")
    refused = User.objects.filter(refused_email=F("email")).exclude(refused_email="").count()
    if refused:
        text = f"People who get no email because their address was rejected: {refused}."
        yield well("Addresses", f"{text} The moderator dashboard lists them.")


def _outbox(found: Health) -> Iterator[Finding]:
    """A finding about what keeps email from leaving."""
    part, server = "Outbox", known_server.read()
    if found.email_task_is_late:
        yield Finding(
            part,
            "No worker is sending email. Run a worker with --clock or a beat, and a "
            "worker for the queue mail, as one without --queues is.",
        )
    if server.unavailable_since is not None:
        yield Finding(
            part,
            "The mail server has been unavailable since "
            f"{server.unavailable_since:%F %T} UTC: {last_line(server.error)}. Workers retry "
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
            f"{last_line(email.error)}. Is the address right?",
        )
    yield from the_rest("Outbox", "emails that failed in the last week", emails.count())
