"""The fate of an email, by the replies of mail servers and of services that send email."""

import re
import smtplib
import traceback
from enum import Enum, auto
from smtplib import (
    SMTPDataError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)
from typing import Final, NamedTuple

from anymail.exceptions import AnymailError, AnymailRecipientsRefused
from requests import ConnectTimeout, RequestException
from requests.exceptions import ProxyError, SSLError
from urllib3.exceptions import MaxRetryError

FAILURES: Final = (SMTPException, AnymailError, OSError)
"""The errors of a mailer that can't send email; besides ValueError for what no mailer can."""

PERMANENT: Final = 500
"""From this code on, a reply of a mail server is final (RFC 5321)."""

CLOSES: Final = 421
TOO_LARGE: Final = 552
NO_SUCH_ADDRESS: Final = frozenset({550, 551, 553, 556})
ENHANCED: Final = re.compile(rb"5\.\d{1,3}\.\d{1,3}\b")
OF_THE_SENDER: Final = frozenset({b"5.1.7", b"5.1.8"})
MAILBOX_CLOSED: Final = b"5.2.1"

OF_THIS_EMAIL: Final = frozenset({200, 400, 422})
"""The statuses by which a service says that it doesn't understand an email, or we don't it."""

MUCH_TOO_LARGE: Final = 413


class Fate(Enum):
    """The fate of an email that was given to the mail server."""

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
    """The fate of an email, and the reply of the server."""

    fate: Fate
    error: str = ""


def outcome_of(failure: Exception) -> Outcome:
    """The fate of an email that could not be sent, and the reply of the server."""
    return Outcome(fate_of(failure), error_text(failure))


def fate_of(failure: Exception) -> Fate:
    """What it means that sending an email over an open connection failed."""
    match failure:
        case SMTPRecipientsRefused():
            [(code, reply)] = failure.recipients.values()
            return _by(code, Fate.BOUNCED if is_of_the_address(code, reply) else Fate.SELDOM)
        case SMTPSenderRefused(smtp_code=code):
            return Fate.REFUSED if code == TOO_LARGE else Fate.NO_SERVER
        case SMTPDataError(smtp_code=code):
            return _by(code, Fate.REFUSED)
        case ValueError():
            return Fate.REFUSED
        case AnymailError():
            return _by_service(failure)
    return {"rcpt": Fate.LATER, "data": Fate.SELDOM}.get(_command(failure), Fate.NO_SERVER)


def _by(code: int, final: Fate) -> Fate:
    if code == CLOSES:
        return Fate.NO_SERVER
    return final if code >= PERMANENT else Fate.LATER


def is_of_the_address(code: int, reply: bytes) -> bool:
    """Whether a recipient is refused because the address doesn't exist (any more).

    Content, sender and this site are not the fault of the address.
    """
    if enhanced := ENHANCED.match(reply.strip()):
        what = enhanced[0]
        return (what.startswith(b"5.1.") and what not in OF_THE_SENDER) or what == MAILBOX_CLOSED
    return code in NO_SUCH_ADDRESS and b"relay" not in reply.lower()


def _command(failure: Exception) -> str:
    """The method of smtplib that got no reply: "mail", "rcpt", "data", or "" for another."""
    calls = traceback.extract_tb(failure.__traceback__)
    names = [call.name for call in calls if call.filename == smtplib.__file__]
    return next((name for name in names if name in {"mail", "rcpt", "data"}), "")


def _by_service(failure: AnymailError) -> Fate:
    """The key, the account and limits on how much is sent concern all email; so does a 5xx."""
    if isinstance(failure, AnymailRecipientsRefused):
        return Fate.BOUNCED
    if failure.status_code == MUCH_TOO_LARGE:
        return Fate.REFUSED
    if failure.status_code is not None:
        return Fate.SELDOM if failure.status_code in OF_THIS_EMAIL else Fate.NO_SERVER
    return Fate.NO_SERVER if _never_reached(failure.__cause__) else Fate.SELDOM


def _never_reached(cause: BaseException | None) -> bool:
    """Whether nothing of an email came to the service, so that it can't have been sent."""
    if isinstance(cause, ConnectTimeout | SSLError | ProxyError):
        return True
    if not isinstance(cause, RequestException) or not cause.args:
        return cause is None
    return isinstance(cause.args[0], MaxRetryError)


def error_text(failure: Exception) -> str:
    """The reply of the server, or else the error."""
    reply: bytes | str
    if isinstance(failure, SMTPRecipientsRefused):
        [(code, reply)] = failure.recipients.values()
    elif isinstance(failure, SMTPResponseException):
        code, reply = failure.smtp_code, failure.smtp_error
    else:
        return (str(failure) or type(failure).__name__)[:1000]
    text = reply.decode(errors="replace") if isinstance(reply, bytes) else reply
    return f"{code} {text}"[:1000]
