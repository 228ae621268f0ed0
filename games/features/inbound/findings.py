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
from games.features.inbound import addresses, configured
from games.features.inbound import probes as own_email
from games.features.inbound.inbox import Outcome
from games.models import InboundEmail, InboundTally, database_now
from games.presentation.text.tables import time_text
from games.services.email.message import QUIET
from games.services.operations import probes
from games.services.operations.doctor.words import ahead, skew
from games.services.operations.identity import disagreement

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
        yield from probe()
        yield lately(now)


def probe() -> Iterator[Finding]:
    """Send an email to ourselves, and see whether it comes in, and what is believed of it.

    It brings along what somebody might forge who wants to play for others.
    """
    with probes.asking() as nonce:
        sent_at = time.time()
        address = own_email.address_of(nonce)
        try:
            _send(address)
        except (SMTPException, OSError) as failure:
            text = f"The test message to {configured.replies_domain()} can't be sent ({failure})."
            yield Finding(REPLIES, text)
            return
        row = _arrival(address)
        received_at = time.time()
    if row is None:
        yield Finding(
            REPLIES,
            f"A test message to {configured.replies_domain()} hasn't come in within "
            f"{PROBE_SECONDS:g} seconds. Start manage.py receive_email, with the same database as "
            "this command, and let the mail server deliver this domain by LMTP to "
            f"{configured.lmtp_address()}; its log and its queue say what became of it. If a "
            "service receives this email instead, its log says what the site has answered.",
        )
        return
    who, taker = "The process that takes replies", row.response.get("identity", {})
    if trouble := disagreement(who, taker):
        yield Finding(REPLIES, trouble)
    now = taker.get("now", sent_at)
    yield from skew(f"The clock of {who[0].lower()}{who[1:]}", ahead(now, sent_at, received_at))
    yield _checked(row)


def _send(address: str) -> None:
    EmailMessage(
        "Test of replies",
        "The doctor of your Intrigue server looks for this message.",
        to=[address],
        headers={**QUIET, "Authentication-Results": own_email.forged_results(address)},
    ).send()


def _arrival(address: str) -> InboundEmail | None:
    until = time.monotonic() + PROBE_SECONDS
    while (row := own_email.arrived(address)) is None and time.monotonic() < until:
        time.sleep(BETWEEN_LOOKS)
    return row


def _checked(row: InboundEmail) -> Finding:
    """What our mail server says of the message."""
    domain, name = configured.replies_domain(), configured.mail_server()
    come_in = f"A test message to {domain} has come in"
    if row.response.get("was_forged"):
        return Finding(
            REPLIES,
            f"{come_in} with Authentication-Results of {name} that it had brought along, and with "
            "nothing above that: anybody could play for others. The mail server must remove such "
            "headers from what comes in, and write its own on top of every message, also of its "
            "own email.",
        )
    if results := row.response.get("results"):
        text = f"{come_in}, checked by {name} ({', '.join(results)})."
        return Finding(REPLIES, text, is_well=True)
    if row.response.get("was_checked"):
        return Finding(
            REPLIES,
            f"{come_in}, but the Authentication-Results of {name} say nothing of DMARC, SPF or "
            "DKIM, so replies of players whose mailbox is on this mail server would be dropped, "
            "if not those of all. rspamd checks no email of its own machine or of people who have "
            "signed in to it, unless its local.d/options.inc has `check_local = true;` and "
            "`check_authed = true;`.",
        )
    return Finding(
        REPLIES,
        f"{come_in}, but without Authentication-Results of {name}, so the replies of players would "
        "be dropped. Either MAIL_AUTHSERV_ID isn't the name that the mail server writes there, or "
        "it doesn't check DMARC, at least not for its own email.",
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
