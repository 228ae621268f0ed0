"""The outbox: mail is written as a row with what it tells of, and sent by `drain`.

At least once, with a Message-ID that stays the same: a crash after sending repeats the same mail.
"""

import logging
import time
import traceback
from datetime import datetime, timedelta
from smtplib import SMTPException, SMTPRecipientsRefused
from typing import Final

from django.core.mail import EmailMultiAlternatives, mailers
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction

from games.models import Game, OutboxMail, Seat, User
from games.services import letters, subscriptions
from games.services.still_true import is_still_true

logger = logging.getLogger(__name__)

MOST_SECONDS: Final = 10
STUCK_AFTER: Final = timedelta(minutes=10)
BACKOFF: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720))
"""How long a mail that cannot be sent waits for its next attempt; about a day in all."""

PERMANENT: Final = 500
"""From this code on, a mail server that refuses a recipient will always do so (RFC 5321)."""


def enqueue(  # noqa: PLR0913 (a mail is about many things, each by name)
    kind: OutboxMail.Kind,
    *,
    now: datetime,
    game: Game | None = None,
    person: User | None = None,
    address: str = "",
    deadline_version: int = 0,
    about: int = 0,
    not_before: datetime | None = None,
) -> None:
    """Write one mail, about the present phase of a game or about a person; not twice the same.

    It goes to a person, or to an `address` that has none yet; a seat without a person gets none.
    `about` is the id of the row it speaks of: an invitation, the seat that wants a substitute, a
    message. It is sent at `not_before` at the earliest.
    """
    also_banned = kind in subscriptions.ALSO_TO_THE_BANNED
    if (person is None or not (person.is_active or also_banned)) and not address:
        return
    mail = OutboxMail(
        kind=kind,
        person=person,
        address=address,
        game=game,
        phase_no=game.phase_no if game is not None else 0,
        deadline_version=deadline_version,
        about=about,
        not_before=not_before or now,
        created_at=now,
    )
    OutboxMail.objects.bulk_create([mail], ignore_conflicts=True)


def drain(*, now: datetime) -> int:
    """Send the mail that is ready, over one connection; how many were sent.

    Takes no more mail after `MOST_SECONDS`; the next call goes on. Safe to run twice or side by
    side.
    """
    release_stuck(now=now)
    until = time.monotonic() + MOST_SECONDS
    mailer = mailers.default
    sent = 0
    try:
        while time.monotonic() < until and (mail := _claim_next(now)) is not None:
            sent += _deliver(mail, mailer, now)
    finally:
        mailer.close()
    return sent


def release_stuck(*, now: datetime) -> None:
    """Give back what a sender that died had claimed."""
    stuck = OutboxMail.objects.filter(
        status=OutboxMail.Status.SENDING, claimed_at__lt=now - STUCK_AFTER
    )
    stuck.update(status=OutboxMail.Status.READY, claimed_at=None)


def _claim_next(now: datetime) -> OutboxMail | None:
    with transaction.atomic(durable=True):
        ready = OutboxMail.objects.ready(now).select_for_update(skip_locked=True, of=("self",))
        mail = ready.select_related("person", "game").first()
        if mail is None:
            return None
        mail.status = OutboxMail.Status.SENDING
        mail.claimed_at = now
        mail.attempts += 1
        mail.message_id = mail.message_id or letters.message_id(mail)
        mail.save(update_fields=["status", "claimed_at", "attempts", "message_id"])
    return mail


def _deliver(mail: OutboxMail, mailer: BaseEmailBackend, now: datetime) -> bool:
    """Send one claimed mail, outside any transaction, and note what became of it."""
    try:
        letter = _letter(mail)
    except Exception as mistake:
        logger.exception("Mail %s cannot be written", mail.pk)
        place = traceback.extract_tb(mistake.__traceback__)[-1]
        _give_up(mail, f"{type(mistake).__name__} at {place.filename}:{place.lineno}")
        return False
    if letter is None:
        mail.status = OutboxMail.Status.DROPPED
        mail.save(update_fields=["status"])
        return False
    failure = _send(letter, mailer)
    if failure is not None:
        _note_failure(mail, failure, now)
        return False
    mail.status = OutboxMail.Status.SENT
    mail.sent_at = now
    mail.error = ""
    mail.save(update_fields=["status", "sent_at", "error"])
    return True


def _letter(mail: OutboxMail) -> EmailMultiAlternatives | None:
    """The mail's words, or None where it is no longer true or not wanted."""
    seat = None
    if mail.person is not None:
        if mail.game is not None:
            seat = Seat.objects.filter(game=mail.game, user=mail.person).first()
        if not subscriptions.wants(mail.person, mail.game, mail.kind):
            return None
    return letters.compose(mail, seat) if is_still_true(mail, seat) else None


def _send(letter: EmailMultiAlternatives, mailer: BaseEmailBackend) -> Exception | None:
    """Send over the open connection, opened where it is not; the failure, if there was one.

    After a failure the next mail gets a fresh connection.
    """
    try:
        mailer.open()
        mailer.send_messages([letter])
    except (SMTPException, OSError, ValueError) as failure:
        mailer.close()
        return failure
    return None


def _note_failure(mail: OutboxMail, failure: Exception, now: datetime) -> None:
    logger.warning("Mail %s cannot be sent: %s", mail.pk, failure)
    if _is_permanent(failure) or mail.attempts > len(BACKOFF):
        _give_up(mail, str(failure))
        return
    mail.error = str(failure)[:1000]
    mail.claimed_at = None
    mail.status = OutboxMail.Status.READY
    mail.not_before = now + BACKOFF[mail.attempts - 1]
    mail.save(update_fields=["status", "error", "claimed_at", "not_before"])


def _is_permanent(failure: Exception) -> bool:
    """Whether the recipient will never be reached: refused for good, or no possible address."""
    if isinstance(failure, SMTPRecipientsRefused):
        return all(code >= PERMANENT for code, _ in failure.recipients.values())
    return isinstance(failure, ValueError)


def _give_up(mail: OutboxMail, error: str) -> None:
    mail.status = OutboxMail.Status.FAILED
    mail.error = error[:1000]
    mail.save(update_fields=["status", "error"])
