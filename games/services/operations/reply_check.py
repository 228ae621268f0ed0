"""Whether replies by email come in: the doctor sends one to the site and waits for it."""

import time
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import Final, NamedTuple

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Sum

from games.models import InboundMail, InboundTally
from games.services.email.mime import QUIET
from games.services.inbound import probes
from games.services.inbound.inbox import Outcome

PROBE_SECONDS: Final = 60.0
"""How long a message may take from our mail server back to us."""

BETWEEN_LOOKS: Final = 0.25
DAYS: Final = 7
LATE_AFTER: Final = timedelta(minutes=5)


class Check(NamedTuple):
    """What was found, in a sentence or two, and whether all is well."""

    text: str
    is_well: bool = False


def probe() -> Check:
    """Send an email to ourselves, and see whether it comes in, and what is believed of it.

    It brings along what somebody might forge who wants to play for others.
    """
    address = probes.new_address()
    try:
        EmailMessage(
            "Test of replies",
            "The doctor of your Intrigue server looks for this message.",
            to=[address],
            headers={
                **QUIET,
                "Authentication-Results": probes.forged_results(address),
            },
        ).send()
    except (SMTPException, OSError) as failure:
        return Check(f"The test message to {_domain()} can't be sent ({failure}).")
    until = time.monotonic() + PROBE_SECONDS
    while (arrived := probes.arrived(address)) is None:
        if time.monotonic() > until:
            return Check(
                f"A test message to {_domain()} hasn't come in within {PROBE_SECONDS:g} seconds. "
                "Start manage.py receive_email, and let the mail server deliver this domain by "
                f"LMTP to {settings.LMTP_ADDRESS}; its log and its queue say what became of it. If "
                "a service receives this email instead, its log says what the site has answered."
            )
        time.sleep(BETWEEN_LOOKS)
    return _arrived(arrived)


def _arrived(row: InboundMail) -> Check:
    name = settings.MAIL_AUTHSERV_ID
    if row.answer.get("was_forged"):
        return Check(
            f"A test message to {_domain()} has come in with Authentication-Results of {name} that "
            "it had brought along, and with nothing above that: anybody could play for others. The "
            "mail server must remove such headers from what comes in, and write its own on top of "
            "every message, also of its own email."
        )
    if row.answer.get("was_checked"):
        return Check(f"A test message to {_domain()} has come in, checked by {name}.", is_well=True)
    return Check(
        f"A test message to {_domain()} has come in, but without Authentication-Results of {name}, "
        "so the replies of players would be dropped. Either MAIL_AUTHSERV_ID isn't the name that "
        "the mail server writes there, or it doesn't check DMARC, at least not for its own email."
    )


def _domain() -> str:
    return str(settings.MAIL_REPLIES_DOMAIN)


def lately(now: datetime) -> Check:
    """What became of the email of the last week, and whether somebody reads it."""
    waiting = InboundMail.objects.filter(
        state=InboundMail.State.WAITING, received_at__lt=now - LATE_AFTER
    ).count()
    if waiting:
        return Check(f"Email that nobody has read for 5 minutes: {waiting}. Run a worker.")
    week = InboundTally.objects.filter(day__gt=(now - timedelta(days=DAYS)).date())
    counts = dict(week.values_list("outcome").annotate(all=Sum("count")).order_by("outcome"))
    told = ", ".join(f"{outcome} {count}" for outcome, count in counts.items()) or "none"
    if counts.get(Outcome.FORGED) and not counts.get(Outcome.STORED):
        return Check(
            f"Email in the last {DAYS} days: {told}. All replies were dropped as forged: compare "
            "MAIL_AUTHSERV_ID with the Authentication-Results that the mail server writes."
        )
    return Check(f"Email in the last {DAYS} days: {told}.", is_well=True)
