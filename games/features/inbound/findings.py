"""The part of `manage.py doctor` about replies: it sends one to the site, and waits for it."""

import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import Final

from django.core.mail import EmailMessage
from django.db import Error
from django.db.models import Sum

from games.extensions import Finding
from games.features.inbound import addresses, configured, probes
from games.features.inbound.inbox import Outcome
from games.models import InboundEmail, InboundTally, database_now
from games.presentation.text.tables import time_text
from games.services.email.message import QUIET

PROBE_SECONDS: Final = 60.0
"""How long a message may take from our mail server back to us."""

BETWEEN_LOOKS: Final = 0.25
DAYS: Final = 7
LATE_AFTER: Final = timedelta(minutes=5)

REPLIES: Final = "Replies"
INBOX: Final = "Inbox"


def findings() -> Iterator[Finding]:
    """Whether a reply comes in, and what came in lately; nothing where the database is away."""
    if not addresses.is_on():
        return
    with suppress(Error):  # The doctor reports it.
        now = database_now()
        yield probe()
        yield lately(now)


def probe() -> Finding:
    """Send an email to ourselves, and see whether it comes in, and what is believed of it.

    It brings along what somebody might forge who wants to play for others.
    """
    address, domain = probes.new_address(), configured.replies_domain()
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
        return Finding(REPLIES, f"The test message to {domain} can't be sent ({failure}).")
    until = time.monotonic() + PROBE_SECONDS
    while (arrived := probes.arrived(address)) is None:
        if time.monotonic() > until:
            return Finding(
                REPLIES,
                f"A test message to {domain} hasn't come in within {PROBE_SECONDS:g} seconds. "
                "Start manage.py receive_email, and let the mail server deliver this domain by "
                f"LMTP to {configured.lmtp_address()}; its log and its queue say what became of "
                "it. If a service receives this email instead, its log says what the site has "
                "answered.",
            )
        time.sleep(BETWEEN_LOOKS)
    return _arrived(arrived)


def _arrived(row: InboundEmail) -> Finding:
    domain, name = configured.replies_domain(), configured.mail_server()
    if row.response.get("was_forged"):
        return Finding(
            REPLIES,
            f"A test message to {domain} has come in with Authentication-Results of {name} that "
            "it had brought along, and with nothing above that: anybody could play for others. The "
            "mail server must remove such headers from what comes in, and write its own on top of "
            "every message, also of its own email.",
        )
    if row.response.get("was_checked"):
        return Finding(
            REPLIES,
            f"A test message to {domain} has come in, checked by {name}.",
            is_well=True,
        )
    return Finding(
        REPLIES,
        f"A test message to {domain} has come in, but without Authentication-Results of {name}, "
        "so the replies of players would be dropped. Either MAIL_AUTHSERV_ID isn't the name that "
        "the mail server writes there, or it doesn't check DMARC, at least not for its own email.",
    )


def lately(now: datetime) -> Finding:
    """What became of the email of the last week, and whether somebody reads it."""
    waiting = InboundEmail.objects.filter(
        state=InboundEmail.State.WAITING, received_at__lt=now - LATE_AFTER
    ).count()
    if waiting:
        late = time_text(LATE_AFTER)
        return Finding(INBOX, f"Email that nobody has read for {late}: {waiting}. Run a worker.")
    week = InboundTally.objects.filter(day__gt=(now - timedelta(days=DAYS)).date())
    counts = dict(week.values_list("outcome").annotate(all=Sum("count")).order_by("outcome"))
    totals = ", ".join(f"{outcome} {count}" for outcome, count in counts.items()) or "none"
    if counts.get(Outcome.FORGED) and not counts.get(Outcome.STORED):
        return Finding(
            INBOX,
            f"Email in the last {DAYS} days: {totals}. All replies were dropped as forged: compare "
            "MAIL_AUTHSERV_ID with the Authentication-Results that the mail server writes.",
        )
    return Finding(INBOX, f"Email in the last {DAYS} days: {totals}.", is_well=True)
