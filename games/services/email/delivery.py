"""Delivers email: takes rows of the outbox and sends them, outside of any transaction.

At least once, with a Message-ID that stays the same: a crash after sending repeats the same email.
"""

import logging
import time
import traceback
from datetime import datetime, timedelta
from typing import Final

from django.core.mail import EmailMultiAlternatives
from django.db import transaction

from games.models import OutboxMail, Seat, Tick
from games.services.email import compose, mail_server, reachability, subscriptions
from games.services.email.kinds import kind_of
from games.services.email.mail_server import Fate
from games.services.email.sending import Post

logger = logging.getLogger(__name__)


MOST_SECONDS: Final = 5
"""How long a drain takes up more email."""


SLOW_AFTER: Final = 0.25
"""When an email takes longer than this many seconds, the next one is sent beside it."""


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
    while True:
        may_take = not trouble and time.monotonic() < until and post.has_room
        email = _claim_next(now, may_retry=post.may_retry) if may_take else None
        if email is None and not post.is_busy:
            return trouble, sent
        if email is not None:
            message = _message(email)
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


def _claim_next(now: datetime, *, may_retry: bool) -> OutboxMail | None:
    """Claim the next email for this sender: first what has never been refused."""
    ready = OutboxMail.objects.ready(now).select_for_update(skip_locked=True, of=("self",))
    ready = ready.select_related("person", "game")
    with transaction.atomic(durable=True):
        email = ready.fresh().first()
        if email is None and may_retry:
            email = ready.first()
        if email is None:
            return None
        email.status = OutboxMail.Status.SENDING
        email.claimed_at = now
        email.attempts += 1
        email.message_id = email.message_id or compose.message_id(email)
        email.save(update_fields=["status", "claimed_at", "attempts", "message_id"])
    return email


def _message(email: OutboxMail) -> EmailMultiAlternatives | None:
    """The message of a claimed email; None if it isn't to be sent, which is then stored."""
    try:
        seat = _seat(email)
        unsent = _why_not_sent(email, seat)
        if unsent is None:
            return compose.compose(email, seat)
    except Exception as mistake:
        logger.exception("Email %s cannot be written", email.pk)
        place = traceback.extract_tb(mistake.__traceback__)[-1]
        _give_up(email, f"{type(mistake).__name__} at {place.filename}:{place.lineno}")
        return None
    email.status = unsent
    email.save(update_fields=["status"])
    return None


def _why_not_sent(email: OutboxMail, seat: Seat | None) -> OutboxMail.Status | None:
    """The status of an email that can't arrive, isn't wanted or no longer applies."""
    person, kind = email.person, kind_of(email)
    if person is not None and person.is_unreachable:
        return OutboxMail.Status.SUSPENDED
    if person is not None and not (person.is_active or kind.to_banned_people):
        return OutboxMail.Status.DROPPED
    if person is not None and not subscriptions.wants(person, email.game, kind):
        return OutboxMail.Status.DROPPED
    return None if kind.is_relevant(email, seat) else OutboxMail.Status.DROPPED


def _seat(email: OutboxMail) -> Seat | None:
    """The seat of the email's person at its game."""
    if email.person is None or email.game is None:
        return None
    return Seat.objects.filter(game=email.game, user=email.person).first()


def _note(email: OutboxMail, fate: Fate, error: str, now: datetime) -> None:
    """Store what became of an email that was given to the mail server."""
    if fate is Fate.SENT:
        email.status, email.sent_at, email.error = OutboxMail.Status.SENT, now, ""
        email.save(update_fields=["status", "sent_at", "error"])
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


def _try_again(email: OutboxMail, not_before: datetime) -> None:
    email.status, email.claimed_at = OutboxMail.Status.READY, None
    email.not_before = not_before
    email.save(update_fields=["status", "error", "claimed_at", "not_before", "attempts"])


def _give_up(email: OutboxMail, error: str) -> None:
    email.status, email.error = OutboxMail.Status.FAILED, error[:1000]
    email.save(update_fields=["status", "error"])
