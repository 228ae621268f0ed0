"""Sends notifications: at least once, and one that comes twice replaces itself in the browser.

A notification shows what is true when it is sent; what has been settled meanwhile is left out.
"""

import logging
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F, QuerySet

from games.features.push import subscriptions
from games.features.push.keys import is_configured
from games.features.push.message import alarm, encrypted, notification, seconds_to_live
from games.features.push.service import Encrypted, Fate, give
from games.features.push.subscriptions import is_possible
from games.models import MailServer, OutboxPush, PushSubscription, database_now
from games.models.emails import waits_with_its_game
from games.services.accounts.sessions import signed_in
from games.services.email import mail_server, notices
from games.services.email.claimed import Claimed, read_claimed
from games.services.roles import may_moderate
from games.services.sql import once_more

logger = logging.getLogger(__name__)

AT_ONCE: Final = 16
MOST_SECONDS: Final = 20.0
"""How long a drain takes up more notifications."""

LEASE: Final = timedelta(seconds=60)
"""For how long nobody else sends what somebody has taken up."""

TRIES: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 20, 60))
"""How long a notification waits that the push service can't take now; then it is dropped."""


def is_any_waiting() -> bool:
    """Whether there is anything to send now."""
    return is_any_ready(database_now())


def is_any_ready(now: datetime) -> bool:
    """Whether there is anything to send at this instant."""
    return is_configured() and _ready(now).exists()


def waiting() -> list[QuerySet[Any]]:
    """All notifications that are to be sent."""
    return [OutboxPush.objects.all()]


def outdated(now: datetime) -> list[QuerySet[Any]]:
    """Notifications that nobody sends, and the browsers whose session has ended."""
    going_on = Session.objects.values("session_key")
    return [
        OutboxPush.objects.filter(not_before__lt=now - notices.TOO_OLD),
        PushSubscription.objects.exclude(session_key__in=going_on),
    ]


def drain(*, now: datetime) -> int:
    """Send what is ready; how many were sent. Safe to run twice or side by side."""
    sent, until = 0, time.monotonic() + MOST_SECONDS
    with ThreadPoolExecutor(AT_ONCE) as threads:
        while is_configured() and time.monotonic() < until and (taken := _take(now)):
            messages = _messages(taken, now)
            given = {threads.submit(give, message): push for push, message in messages}
            for one in as_completed(given):
                fate, why = one.result()
                once_more(partial(_settle, given[one], fate, why, now))
                sent += fate is Fate.SENT
    return sent


def _ready(now: datetime) -> QuerySet[OutboxPush]:
    """What is to be sent now. A turn waits while its game is paused or parked, like its email."""
    return OutboxPush.objects.filter(not_before__lte=now).exclude(waits_with_its_game("email__"))


def _take(now: datetime) -> list[OutboxPush]:
    """Some of what is ready, which nobody else takes for a while."""
    ready = _ready(now).select_for_update(skip_locked=True, of=("self",))
    with transaction.atomic(durable=True):
        taken = list(
            ready.select_related("subscription__user").order_by("not_before", "pk")[:AT_ONCE]
        )
        OutboxPush.objects.filter(pk__in=[push.pk for push in taken]).update(
            not_before=now + LEASE, attempts=F("attempts") + 1
        )
    return taken


def _messages(taken: list[OutboxPush], now: datetime) -> list[tuple[OutboxPush, Encrypted]]:
    """What is still true and wanted, encrypted; everything else is dropped."""
    claims = read_claimed([push.email_id for push in taken if push.email_id is not None])
    emails = {claim.email.pk: claim for claim in claims}
    sessions = signed_in({push.subscription.session_key for push in taken})
    messages, dropped = [], []
    for push in taken:
        claim, subscription = emails.get(push.email_id or 0), push.subscription
        if sessions.get(subscription.session_key) != subscription.user_id:
            subscriptions.end(PushSubscription.objects.filter(pk=subscription.pk), now)
        elif until := _held_until(push, claim, now):
            OutboxPush.objects.filter(pk=push.pk).update(not_before=until, attempts=0)
        elif message := _message(push, claim, now):
            messages.append((push, message))
        else:
            dropped.append(push.pk)
    _drop(dropped)
    return messages


def _held_until(push: OutboxPush, claim: Claimed | None, now: datetime) -> datetime | None:
    """The end of the time it is held back; a broken row isn't, and fails alone when written."""
    try:
        return notices.quiet_until(claim, now) if claim is not None else None
    except Exception:
        logger.exception("When notification %s leaves cannot be determined", push.pk)
        return None


def _message(push: OutboxPush, claim: Claimed | None, now: datetime) -> Encrypted | None:
    """The notification, encrypted; None if it is no longer wanted, or can't be written."""
    try:
        if not is_possible(push.subscription.endpoint):
            return None
        if claim is None:
            return _alarm(push)
        if not notices.is_still_wanted(claim, push.subscription.user.unwanted_pushes, now):
            return None
        payload = notification(claim.email, claim.seat)
        ttl = seconds_to_live(claim.email, claim.seat, now)
        return encrypted(payload, push.subscription, claim.email.kind, ttl)
    except Exception:
        logger.exception("Notification %s cannot be written", push.pk)
        return None


def _alarm(push: OutboxPush) -> Encrypted | None:
    """An alarm, as long as it is true and its reader a moderator."""
    server, reader = mail_server.read(), push.subscription.user
    is_true = (push.alarm == MailServer.Alarm.FAILS) == (server.alarmed_at is not None)
    if not (is_true and may_moderate(reader)):
        return None
    payload = alarm(reader, since=server.failing_since if server.alarmed_at is not None else None)
    return encrypted(payload, push.subscription, push.alarm)


def _settle(push: OutboxPush, fate: Fate, why: str, now: datetime) -> None:
    """Store what became of a notification."""
    if fate is Fate.SENT:
        _drop([push.pk])
        return
    logger.warning("Notification %s was not sent: %s", push.pk, why)
    tries = push.attempts
    if fate is Fate.GONE:
        subscriptions.end(PushSubscription.objects.filter(pk=push.subscription_id), now)
    elif fate is Fate.UNKNOWN and tries <= len(TRIES):
        # Once more, and in any case for the last time.
        again = OutboxPush.objects.filter(pk=push.pk)
        again.update(not_before=now + TRIES[0], attempts=len(TRIES) + 1)
    elif fate in {Fate.REFUSED, Fate.UNKNOWN} or tries >= len(TRIES):
        _drop([push.pk])
    else:
        OutboxPush.objects.filter(pk=push.pk).update(not_before=now + TRIES[tries])


def _drop(ids: Iterable[int]) -> None:
    OutboxPush.objects.filter(pk__in=list(ids)).delete()
