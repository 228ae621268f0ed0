"""Email that comes back, and reports of a service: addresses that are to get no more email."""

import re
from collections.abc import Iterator
from datetime import datetime
from email.message import EmailMessage, Message
from typing import Any, Final

from django.conf import settings
from django.db.models import Q

from games.mailboxes import spelled, spellings
from games.models import OutboxEmail
from games.services.email import reachability
from games.services.email.answers import is_of_the_address

FAILED: Final = "failed"
LONGEST_SAID: Final = 1_000
SMTP_REPLY: Final = re.compile(r"(\d{3})[ -]+(.*)", re.DOTALL)
ID_AMONG_HEADERS: Final = re.compile(rb"(?im)^message-id:\s*(<[!-~]+>)")

POSTMARK_FINAL: Final = frozenset(
    {"HardBounce", "BadEmailAddress", "SpamComplaint", "ManuallyDeactivated"}
)
"""The kinds of bounces after which Postmark itself sends nothing more to an address."""

MAILGUN_SUPPRESSES: Final = frozenset({"suppress-bounce", "suppress-complaint"})
"""The reasons of Mailgun to send nothing to an address: it has bounced before."""


# What comes back to the return address (RFC 3464)


def refused_address(message: EmailMessage) -> tuple[str, str] | None:
    """The address that doesn't exist (any more), and what its server said; None if it is no such
    report.

    Reports of delay, of a full mailbox and of refused content are none. Anybody can write one:
    `record_returned` believes only those about email of ours.
    """
    if message.get_content_type() != "multipart/report":
        return None
    for report in _recipients(message):
        address, reason = _address(report), _reason(report)
        action, status = (str(report.get(name, "")).strip() for name in ("Action", "Status"))
        if action.lower() == FAILED and address and _is_final(status, reason):
            return address, reason or status
    return None


def is_return_address(address: str) -> bool:
    """Whether an address is the one to which mail servers return email that they can't deliver."""
    return bool(settings.MAIL_BOUNCES) and spelled(address) == spelled(settings.MAIL_BOUNCES)


def record_returned(message: EmailMessage, now: datetime) -> bool:
    """Send no more email to a person whom a report calls unreachable; say whether it was done.

    It has to be about an email that was sent there, whose Message-ID nobody else can guess.
    """
    refused, original = refused_address(message), _original_id(message)
    if refused is None or not original:
        return False
    address, reason = refused
    same = spellings(address)
    to_them = Q(person__email__in=same) | Q(address__in=same)
    ours = OutboxEmail.objects.filter(to_them, message_id=original)
    return ours.exists() and reachability.record_bounce(address, reason, now)


def _recipients(message: EmailMessage) -> Iterator[Message]:
    """The report on each recipient."""
    for part in message.walk():
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            yield from (fields for fields in part.iter_parts() if "Final-Recipient" in fields)


def _address(report: Message) -> str:
    """The address that we wrote to: the final one, unless it was forwarded."""
    field = _printable(report.get("Original-Recipient") or report["Final-Recipient"])
    return field.rpartition(";")[2].strip().strip("<>").lower()


def _reason(report: Message) -> str:
    """The words of the server that refused it, on one line."""
    words = " ".join(str(report.get("Diagnostic-Code", "")).partition(";")[2].split())
    return _printable(words)


def _printable(words: object) -> str:
    """The beginning of a stranger's words, as a database can store them."""
    return "".join(sign for sign in str(words)[:LONGEST_SAID] if sign.isprintable())


def _is_final(status: str, reason: str) -> bool:
    """Judge by the server's words if there are any: some reports give 5.0.0 for everything."""
    if reply := SMTP_REPLY.match(reason):
        return is_of_the_address(int(reply[1]), reply[2].encode())
    return is_of_the_address(0, status.encode())


def _original_id(message: EmailMessage) -> str:
    """The Message-ID of the email that came back, of which the report has at least the headers."""
    for part in message.walk():
        if part.get_content_type() == "message/rfc822" and part.is_multipart():
            return _printable(part.get_content().get("Message-ID", "")).strip()
        if part.get_content_type() == "text/rfc822-headers":
            headers = part.get_payload(decode=True)
            found = ID_AMONG_HEADERS.search(headers if isinstance(headers, bytes) else b"")
            return found[1].decode() if found else ""
    return ""


# What a service reports


def record_reported(service: str, event: Any, now: datetime) -> bool:
    """Send no more email to an address that a final event of anymail names; return whether it was.

    Final are bounces of an address that doesn't exist, and complaints of its owner.
    """
    report = event.esp_event or {}
    is_final = (
        _is_final_by_postmark(report) if service == "postmark" else _is_final_by_mailgun(report)
    )
    reason = event.mta_response or event.description or event.event_type
    return is_final and reachability.record_bounce(event.recipient or "", reason, now)


def _is_final_by_postmark(report: dict[str, Any]) -> bool:
    """Judge a bounce or complaint by its kind, a change of Postmark's own list by its reason."""
    kind = report.get("Type") or (report.get("SuppressSending") and report.get("SuppressionReason"))
    return kind in POSTMARK_FINAL


def _is_final_by_mailgun(report: dict[str, Any]) -> bool:
    event = report.get("event-data", {})
    if event.get("event") == "complained":
        return True
    if event.get("event") != "failed" or event.get("severity") != "permanent":
        return False
    status = event.get("delivery-status") or {}
    reason = str(status.get("message") or status.get("description") or "")
    is_gone = is_of_the_address(int(status.get("code") or 0), reason.encode())
    return is_gone or event.get("reason") in MAILGUN_SUPPRESSES
