"""Delivers email: takes rows of the outbox and sends them, outside of any transaction.

At least once, with a Message-ID that stays the same: a crash after sending repeats the same email.
"""

import logging
import time
import traceback
from collections import deque
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from games.models import OutboxMail, Tick
from games.services.email import compose, mail_server, reachability, subscriptions
from games.services.email.answers import Fate
from games.services.email.claimed import Claimed, read_claimed
from games.services.email.kinds import kind_of
from games.services.email.mime import TwoBodies
from games.services.email.sending import Post
from games.services.sql import execute, table

logger = logging.getLogger(__name__)


MOST_SECONDS: Final = 5
"""How long a drain takes up more email."""


SLOW_AFTER: Final = 0.25
"""When an email takes longer than this many seconds, the next one is sent beside it."""


LISTED_AT_ONCE: Final = 1000
"""How many emails are searched for at once."""


CLAIMED_AT_ONCE: Final = 8
"""How many of these are claimed in one transaction: what a sender that dies keeps from others."""


STUCK_AFTER: Final = timedelta(seconds=90)
"""When the sender of a claimed email is surely dead: no drain lasts so long (`TASK_SECONDS`)."""


TASK_SECONDS: Final = 60
"""How long a drain may last in all; its task is ended then."""


SOON: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, *(15 for _ in range(94))))
"""How long an email that its recipient can't take waits for each attempt; a day in all."""


SELDOM: Final = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 15, 15, 15, 60, 180, 360, 720)
)
"""The same for an email that may have arrived, or that may be refused through our own fault."""


def drain(*, now: datetime) -> int:
    """Send the email that is ready; how many were sent.

    Takes up no more after `MOST_SECONDS`; the next call goes on. Safe to run twice or side by
    side. While the mail server is unavailable, one call a minute tries it, and no email counts as
    failed.
    """
    release_stuck(now=now)
    sent = 0
    was_available = mail_server.read().unavailable_since is None
    if not was_available or OutboxMail.objects.ready(now).exists():
        sent = _use_server(now)
    Tick.objects.note(Tick.MAIL, now)
    return sent


def _use_server(now: datetime) -> int:
    if not mail_server.is_to_be_tried(now):
        return 0
    with Post() as post:
        trouble, sent = post.open(), 0
        if not trouble:
            trouble, sent = _send_ready(post, now)
    if trouble and not sent:
        logger.warning("The mail server cannot be used: %s", trouble)
        mail_server.note_unavailable(trouble, now)
    else:
        mail_server.note_available(now, sent=sent > 0)
    return sent


def _send_ready(post: Post, now: datetime) -> tuple[str, int]:
    """Send what is ready, in parallel if one is slow: trouble with the server, how many."""
    until = time.monotonic() + MOST_SECONDS
    trouble, sent = "", 0
    claims = _Claims(now)
    while True:
        may_claim = not trouble and time.monotonic() < until
        claim = (
            claims.next(may_claim=may_claim, may_retry=post.may_retry) if post.has_room else None
        )
        if claim is not None and trouble:
            _unclaim(claim.email)
            continue
        if claim is None and not post.is_busy:
            return trouble, sent
        email = None if claim is None else claim.email
        if claim is not None and email is not None:
            message = _message(claim)
            if message is None:
                continue
            post.send(email, message)
        for done, outcome in post.ended(SLOW_AFTER if email is not None else None):
            fate = outcome.fate
            if fate is Fate.NO_SERVER and sent:
                # Others were accepted: it is about this one, or about so many connections at once.
                fate = Fate.LATER
            _note(done, fate, outcome.error, now)
            sent += fate is Fate.SENT
            trouble = outcome.error if fate is Fate.NO_SERVER else trouble


def release_stuck(*, now: datetime) -> None:
    """Release what a sender that died had claimed."""
    stuck = OutboxMail.objects.filter(
        status=OutboxMail.Status.SENDING, claimed_at__lt=now - STUCK_AFTER
    )
    stuck.update(status=OutboxMail.Status.READY, claimed_at=None)


class _Claims:
    """The email of one sender: first what has never been refused.

    It is searched for in large parts and claimed in small ones: to sort all that is ready for each
    single one would take longer than to send it.
    """

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._fresh: deque[tuple[int, int | None]] = deque()
        self._claimed: deque[Claimed] = deque()

    def next(self, *, may_claim: bool, may_retry: bool) -> Claimed | None:
        """The next email that was claimed, or if there is none and it may be, that is claimed."""
        if not self._claimed and may_claim:
            self._claimed.extend(self._claim_some(may_retry=may_retry))
        return self._claimed.popleft() if self._claimed else None

    def _claim_some(self, *, may_retry: bool) -> list[Claimed]:
        ready = OutboxMail.objects.ready(self._now)
        if not self._fresh:
            self._fresh.extend(ready.fresh().values_list("pk", "person")[:LISTED_AT_ONCE])
        while self._fresh:
            if claims := _claim(ready.filter(pk__in=self._take_some()), self._now):
                return claims
        return _claim(ready[:1], self._now) if may_retry else []

    def _take_some(self) -> list[int]:
        """The first of those listed, one for each person: a bounce stops what comes after it."""
        some: list[int] = []
        people: set[int] = set()
        later: deque[tuple[int, int | None]] = deque()
        while self._fresh and len(some) < CLAIMED_AT_ONCE:
            email, person = self._fresh.popleft()
            if person in people:
                later.append((email, person))
            else:
                some.append(email)
                if person is not None:
                    people.add(person)
        self._fresh = later + self._fresh
        return some


def _claim(emails: QuerySet[OutboxMail], now: datetime) -> list[Claimed]:
    """Claim those of these that nobody else claims."""
    unlocked = emails.select_for_update(skip_locked=True, of=("self",))
    with transaction.atomic(durable=True):
        ids = list(unlocked.values_list("pk", flat=True))
        if not ids:
            return []
        claims = read_claimed(ids)
        for email, *_ in claims:
            email.status = OutboxMail.Status.SENDING
            email.claimed_at = now
            email.attempts += 1
            email.message_id = email.message_id or compose.message_id(email)
        message_ids = {email.pk: email.message_id for email, *_ in claims}
        values = {"now": now, "ids": list(message_ids), "message_ids": list(message_ids.values())}
        execute(_CLAIM, values)
    return claims


_CLAIM: Final = f"""
UPDATE {table(OutboxMail)} email SET status = '{OutboxMail.Status.SENDING}', claimed_at = %(now)s,
    attempts = email.attempts + 1, message_id = claimed.message_id
FROM unnest(%(ids)s::bigint[], %(message_ids)s::text[]) AS claimed (id, message_id)
WHERE email.id = claimed.id
"""  # noqa: S608 - only names of our own


def _unclaim(email: OutboxMail) -> None:
    """Let another drain send what this one didn't come to: it has not been tried."""
    email.attempts -= 1
    _try_again(email, email.not_before)


def _message(claim: Claimed) -> TwoBodies | None:
    """The message of a claimed email; None if it isn't to be sent, which is then stored."""
    email = claim.email
    try:
        unsent = _why_not_sent(claim)
        if unsent is None:
            return compose.compose(email, claim.seat)
    except Exception as mistake:
        logger.exception("Email %s cannot be written", email.pk)
        place = traceback.extract_tb(mistake.__traceback__)[-1]
        _give_up(email, f"{type(mistake).__name__} at {place.filename}:{place.lineno}")
        return None
    email.status = unsent
    email.save(update_fields=["status"])
    return None


def _why_not_sent(claim: Claimed) -> OutboxMail.Status | None:
    """The status of an email that can't arrive, isn't wanted or no longer applies."""
    email, seat, is_muted = claim
    person, kind = email.person, kind_of(email)
    if person is not None and person.is_unreachable:
        return OutboxMail.Status.SUSPENDED
    if person is not None and not (person.is_active or kind.to_banned_people):
        return OutboxMail.Status.DROPPED
    if person is not None and not subscriptions.wants(person, email.game, kind, is_muted=is_muted):
        return OutboxMail.Status.DROPPED
    return None if kind.is_relevant(email, seat) else OutboxMail.Status.DROPPED


def _note(email: OutboxMail, fate: Fate, error: str, now: datetime) -> None:
    """Store what became of an email that was given to the mail server."""
    if fate is Fate.SENT:
        execute(_SENT, {"now": now, "id": email.pk})
        return
    logger.warning("Email %s cannot be sent: %s", email.pk, error)
    if fate is Fate.NO_SERVER:
        email.attempts -= 1
        _try_again(email, now + mail_server.RETRY_EVERY)
        return
    if fate is Fate.BOUNCED and email.person is not None:
        reachability.note_refused(email.person, error, now)
    waits = {Fate.LATER: SOON, Fate.SELDOM: SELDOM}.get(fate, ())
    if email.attempts > len(waits):
        _give_up(email, error)
    else:
        email.error = error
        _try_again(email, now + waits[email.attempts - 1])


_SENT: Final = f"""
UPDATE {table(OutboxMail)} SET status = '{OutboxMail.Status.SENT}', sent_at = %(now)s, error = ''
WHERE id = %(id)s
"""  # noqa: S608 - only names of our own


def _try_again(email: OutboxMail, not_before: datetime) -> None:
    email.status, email.claimed_at = OutboxMail.Status.READY, None
    email.not_before = not_before
    email.save(update_fields=["status", "error", "claimed_at", "not_before", "attempts"])


def _give_up(email: OutboxMail, error: str) -> None:
    email.status, email.error = OutboxMail.Status.FAILED, error[:1000]
    email.save(update_fields=["status", "error"])
