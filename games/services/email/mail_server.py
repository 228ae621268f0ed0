"""The mail server, or the service that sends email: connections, and whether it is available."""

import socket
from contextlib import suppress
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import Final

from django.core.mail import EmailMessage, mailers
from django.db.models import F
from django.db.models.functions import Coalesce

from games.models import EmailOutage, MailServer
from games.services.email.answers import FAILURES, Fate, Outcome, error_text, outcome_of

RETRY_EVERY: Final = timedelta(minutes=1)
"""How often an unavailable mail server is tried."""


class Sender:
    """One connection to the mail server, opened when needed; for one thread at a time."""

    def __init__(self) -> None:
        self._mailer = mailers.default
        self._was_used = False

    def open(self) -> Outcome:
        """Connect if not yet connected; the fate is `SENT` or `NO_SERVER`."""
        try:
            self._mailer.open()
        except (SMTPException, OSError) as failure:
            self._drop()
            return Outcome(Fate.NO_SERVER, error_text(failure))
        return Outcome(Fate.SENT)

    def send(self, message: EmailMessage) -> Outcome:
        """Send one email; over a new connection if the server has ended the old one."""
        was_used = self._was_used
        outcome = self._send(message)
        if outcome.fate is Fate.NO_SERVER and was_used:
            outcome = self._send(message)
        return outcome

    def _send(self, message: EmailMessage) -> Outcome:
        opened = self.open()
        if opened.fate is not Fate.SENT:
            return opened
        self._was_used = True
        try:
            self._mailer.send_messages([message])
        except (*FAILURES, ValueError) as failure:
            self._drop()
            return outcome_of(failure)
        return Outcome(Fate.SENT)

    def close(self) -> None:
        """Close the connection politely."""
        with suppress(SMTPException, OSError):
            self._mailer.close()

    def abort(self) -> None:
        """Make whatever another thread is waiting for fail at once."""
        connection = getattr(self._mailer, "connection", None)
        if connection is not None and connection.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)

    def _drop(self) -> None:
        """Drop the connection without QUIT, which a server that hangs wouldn't answer either."""
        self._was_used = False
        for name in ("connection", "_partial_connection", "session"):
            connection = getattr(self._mailer, name, None)
            if connection is not None:
                connection.close()
                setattr(self._mailer, name, None)


def read() -> MailServer:
    """What is known about the mail server. One query."""
    return MailServer.objects.first() or MailServer()


def is_available() -> bool:
    """Whether the server is available as far as known."""
    return read().unavailable_since is None


def is_to_be_tried(now: datetime) -> bool:
    """Whether the server is available as far as known, or hasn't been tried for a minute.

    If so, this counts as the next attempt.
    """
    unavailable = MailServer.objects.filter(unavailable_since__isnull=False)
    if not unavailable.exists():
        return True
    # An attempt in the future was stored by a clock that was ahead, and doesn't count.
    not_lately = unavailable.exclude(tried_at__gt=now - RETRY_EVERY, tried_at__lte=now)
    return bool(not_lately.update(tried_at=now))


def record_unavailable(error: str, now: datetime, *, since: datetime) -> None:
    """It is unavailable, from now on or already before; what was ready has waited `since` then."""
    row, is_new = MailServer.objects.get_or_create(
        defaults={"unavailable_since": now, "tried_at": now, "error": error}
    )
    if not is_new:
        MailServer.objects.filter(pk=row.pk).update(
            unavailable_since=Coalesce(F("unavailable_since"), now), tried_at=now, error=error
        )

    begin_outage(since)


def record_available(now: datetime, *, sent: bool) -> None:
    """It is available: it has accepted email, or just answered."""
    values = {"unavailable_since": None, "tried_at": now, "error": ""}
    MailServer.objects.update_or_create(defaults=values | ({"last_sent_at": now} if sent else {}))
    if sent:
        end_outage(now)


def begin_outage(since: datetime) -> None:
    """Email is down since then, unless it is already; what was sent last was sent before."""
    last_sent = read().last_sent_at
    began = since if last_sent is None else max(since, last_sent)
    EmailOutage.objects.bulk_create([EmailOutage(since=began)], ignore_conflicts=True)


def end_outage(now: datetime) -> None:
    """Email leaves again, if it didn't."""
    EmailOutage.objects.filter(until=None).update(until=now)
