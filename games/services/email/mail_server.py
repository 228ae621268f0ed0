"""The mail server: connections to it, what its replies mean, and whether it is available."""

import re
import smtplib
import socket
import traceback
from contextlib import suppress
from datetime import datetime, timedelta
from enum import Enum, auto
from smtplib import (
    SMTPDataError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)
from typing import Final, NamedTuple

from django.core.mail import EmailMessage, mailers
from django.db.models import F
from django.db.models.functions import Coalesce

from games.models import MailServer

RETRY_EVERY: Final = timedelta(minutes=1)
"""How often an unavailable mail server is tried."""

PERMANENT: Final = 500
"""From this code on, a reply is final (RFC 5321)."""

CLOSES: Final = 421
TOO_LARGE: Final = 552
NO_SUCH_ADDRESS: Final = frozenset({550, 551, 553, 556})
ENHANCED: Final = re.compile(rb"5\.\d{1,3}\.\d{1,3}\b")
OF_THE_SENDER: Final = frozenset({b"5.1.7", b"5.1.8"})
MAILBOX_CLOSED: Final = b"5.2.1"


class Fate(Enum):
    """What became of an email that was given to the mail server."""

    SENT = auto()
    NO_SERVER = auto()
    """The server is unavailable, whoever the email is for."""
    LATER = auto()
    """The recipient can't take it now."""
    SELDOM = auto()
    """It may have arrived, or was refused through no fault of its recipient: a few attempts."""
    REFUSED = auto()
    """This email will never be accepted."""
    BOUNCED = auto()
    """Nothing will ever be accepted for this address."""


class Outcome(NamedTuple):
    """What became of an email, and what the server said."""

    fate: Fate
    error: str = ""


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
            return Outcome(Fate.NO_SERVER, _error_text(failure))
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
        except (SMTPException, OSError, ValueError) as failure:
            self._drop()
            return Outcome(fate_of(failure), _error_text(failure))
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
        for name in ("connection", "_partial_connection"):
            connection = getattr(self._mailer, name, None)
            if connection is not None:
                connection.close()
                setattr(self._mailer, name, None)


def fate_of(failure: Exception) -> Fate:
    """What it means that sending an email over an open connection failed."""
    match failure:
        case SMTPRecipientsRefused():
            [(code, said)] = failure.recipients.values()
            return _by(code, Fate.BOUNCED if is_of_the_address(code, said) else Fate.SELDOM)
        case SMTPSenderRefused(smtp_code=code):
            return Fate.REFUSED if code == TOO_LARGE else Fate.NO_SERVER
        case SMTPDataError(smtp_code=code):
            return _by(code, Fate.REFUSED)
        case ValueError():
            return Fate.REFUSED
    return {"rcpt": Fate.LATER, "data": Fate.SELDOM}.get(_command(failure), Fate.NO_SERVER)


def _by(code: int, final: Fate) -> Fate:
    if code == CLOSES:
        return Fate.NO_SERVER
    return final if code >= PERMANENT else Fate.LATER


def is_of_the_address(code: int, said: bytes) -> bool:
    """Whether a recipient is refused because the address doesn't exist (any more).

    Content, sender and this site are not the fault of the address.
    """
    if enhanced := ENHANCED.match(said.strip()):
        what = enhanced[0]
        return (what.startswith(b"5.1.") and what not in OF_THE_SENDER) or what == MAILBOX_CLOSED
    return code in NO_SUCH_ADDRESS and b"relay" not in said.lower()


def _command(failure: Exception) -> str:
    """The method of smtplib that got no answer: "mail", "rcpt", "data", or "" for another."""
    calls = traceback.extract_tb(failure.__traceback__)
    names = [call.name for call in calls if call.filename == smtplib.__file__]
    return next((name for name in names if name in {"mail", "rcpt", "data"}), "")


def _error_text(failure: Exception) -> str:
    """What the server said, or else what went wrong."""
    said: bytes | str
    if isinstance(failure, SMTPRecipientsRefused):
        [(code, said)] = failure.recipients.values()
    elif isinstance(failure, SMTPResponseException):
        code, said = failure.smtp_code, failure.smtp_error
    else:
        return (str(failure) or type(failure).__name__)[:1000]
    text = said.decode(errors="replace") if isinstance(said, bytes) else said
    return f"{code} {text}"[:1000]


def read() -> MailServer:
    """What is known about the mail server. One query."""
    return MailServer.objects.first() or MailServer()


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


def note_unavailable(error: str, now: datetime) -> None:
    """It is unavailable, from now on or already before."""
    row, is_new = MailServer.objects.get_or_create(
        defaults={"unavailable_since": now, "tried_at": now, "error": error}
    )
    if not is_new:
        MailServer.objects.filter(pk=row.pk).update(
            unavailable_since=Coalesce(F("unavailable_since"), now), tried_at=now, error=error
        )


def note_available(now: datetime, *, sent: bool) -> None:
    """It is available: it has accepted email, or just answered."""
    values = {"unavailable_since": None, "tried_at": now, "error": ""}
    MailServer.objects.update_or_create(defaults=values | ({"last_sent_at": now} if sent else {}))
