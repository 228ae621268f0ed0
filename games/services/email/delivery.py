"""Delivers email: takes rows of the outbox and sends them, outside of any transaction.

At least once, with a Message-ID that stays the same: a crash after sending repeats the same mail.
"""

import logging
import time
import traceback
from datetime import datetime, timedelta
from typing import Final

from django.core.mail import EmailMultiAlternatives
from django.db import transaction

from games.models import OutboxMail, Seat, Tick
from games.services import subscriptions
from games.services.email import compose, mail_server, reachability
from games.services.email.mail_server import Fate
from games.services.email.relevance import is_still_true
from games.services.email.sending import Post

logger = logging.getLogger(__name__)


MOST_SECONDS: Final = 5
"""How long a drain takes new mail."""


SLOW_AFTER: Final = 0.25
"""When a mail takes longer than so many seconds, the next one is sent beside it."""


STUCK_AFTER: Final = timedelta(seconds=90)
"""When the sender of a claimed mail is surely dead: no drain lasts so long (`TASK_SECONDS`)."""


TASK_SECONDS: Final = 60
"""How long a drain may last in all. Whoever runs it ends it then."""


SOON: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, *(15 for _ in range(94))))
"""How long a mail that its recipient does not take waits for each next attempt; a day in all."""


SELDOM: Final = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 15, 15, 15, 60, 180, 360, 720)
)
"""The same for a mail that may have arrived, or that is refused for what may be our own fault."""


def drain(*, now: datetime) -> int:
    """Send the mail that is ready; how many were sent.

    Takes no more mail after `MOST_SECONDS`; the next call goes on. Safe to run twice or side by
    side. While the mail server cannot be used, a call each minute tries it, and no mail is any the
    worse for it.
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
    """Send what is ready, side by side where one is slow: trouble with the server, how many."""
    until = time.monotonic() + MOST_SECONDS
    trouble, sent = "", 0
    while True:
        may_take = not trouble and time.monotonic() < until and post.has_room
        mail = _claim_next(now, may_retry=post.may_retry) if may_take else None
        if mail is None and not post.is_busy:
            return trouble, sent
        if mail is not None:
            letter = _letter(mail)
            if letter is None:
                continue
            post.send(mail, letter)
        for done, outcome in post.ended(SLOW_AFTER if mail is not None else None):
            fate = outcome.fate
            if fate is Fate.NO_SERVER and sent:
                # Others were taken: it is about this one, or about so many connections at once.
                fate = Fate.LATER
            _note(done, fate, outcome.error, now)
            sent += fate is Fate.SENT
            trouble = outcome.error if fate is Fate.NO_SERVER else trouble


def release_stuck(*, now: datetime) -> None:
    """Give back what a sender that died had claimed."""
    stuck = OutboxMail.objects.filter(
        status=OutboxMail.Status.SENDING, claimed_at__lt=now - STUCK_AFTER
    )
    stuck.update(status=OutboxMail.Status.READY, claimed_at=None)


def _claim_next(now: datetime, *, may_retry: bool) -> OutboxMail | None:
    """The next mail, which is this sender's from now on: first what was never refused."""
    ready = OutboxMail.objects.ready(now).select_for_update(skip_locked=True, of=("self",))
    ready = ready.select_related("person", "game")
    with transaction.atomic(durable=True):
        mail = ready.fresh().first()
        if mail is None and may_retry:
            mail = ready.first()
        if mail is None:
            return None
        mail.status = OutboxMail.Status.SENDING
        mail.claimed_at = now
        mail.attempts += 1
        mail.message_id = mail.message_id or compose.message_id(mail)
        mail.save(update_fields=["status", "claimed_at", "attempts", "message_id"])
    return mail


def _letter(mail: OutboxMail) -> EmailMultiAlternatives | None:
    """The words of a claimed mail; None, and noted, where it is not to be sent."""
    try:
        instead = _instead_of_sending(mail)
        if instead is None:
            return compose.compose(mail, _seat(mail))
    except Exception as mistake:
        logger.exception("Mail %s cannot be written", mail.pk)
        place = traceback.extract_tb(mistake.__traceback__)[-1]
        _give_up(mail, f"{type(mistake).__name__} at {place.filename}:{place.lineno}")
        return None
    mail.status = instead
    mail.save(update_fields=["status"])
    return None


def _instead_of_sending(mail: OutboxMail) -> OutboxMail.Status | None:
    """What becomes of a mail that is not wanted, not true, or whose address is refused."""
    person = mail.person
    if person is not None and person.is_unreachable:
        return OutboxMail.Status.SUSPENDED
    wanted = person is None or subscriptions.wants(person, mail.game, mail.kind)
    return None if wanted and is_still_true(mail, _seat(mail)) else OutboxMail.Status.DROPPED


def _seat(mail: OutboxMail) -> Seat | None:
    """The seat of the mail's person at its game."""
    if mail.person is None or mail.game is None:
        return None
    return Seat.objects.filter(game=mail.game, user=mail.person).first()


def _note(mail: OutboxMail, fate: Fate, error: str, now: datetime) -> None:
    """Note what became of a mail that was given to the mail server."""
    if fate is Fate.SENT:
        mail.status, mail.sent_at, mail.error = OutboxMail.Status.SENT, now, ""
        mail.save(update_fields=["status", "sent_at", "error"])
        return
    logger.warning("Mail %s cannot be sent: %s", mail.pk, error)
    if fate is Fate.NO_SERVER:
        mail.attempts -= 1
        _try_again(mail, now + mail_server.RETRY_EVERY)
        return
    if fate is Fate.BOUNCED and mail.person is not None:
        reachability.note_refused(mail.person, error, now)
    waits = {Fate.LATER: SOON, Fate.SELDOM: SELDOM}.get(fate, ())
    if mail.attempts > len(waits):
        _give_up(mail, error)
    else:
        mail.error = error
        _try_again(mail, now + waits[mail.attempts - 1])


def _try_again(mail: OutboxMail, not_before: datetime) -> None:
    mail.status, mail.claimed_at = OutboxMail.Status.READY, None
    mail.not_before = not_before
    mail.save(update_fields=["status", "error", "claimed_at", "not_before", "attempts"])


def _give_up(mail: OutboxMail, error: str) -> None:
    mail.status, mail.error = OutboxMail.Status.FAILED, error[:1000]
    mail.save(update_fields=["status", "error"])
