"""The outbox: mail is written as a row with what it tells of, and sent by `drain`.

At least once, with a Message-ID that stays the same: a crash after sending repeats the same mail.
"""

import logging
from datetime import datetime, timedelta
from smtplib import SMTPException
from typing import Final

from django.db import transaction

from games.models import Game, OutboxMail, Seat, User
from games.services import letters

logger = logging.getLogger(__name__)

CLAIMED_AT_ONCE: Final = 20
STUCK_AFTER: Final = timedelta(minutes=10)
BACKOFF: Final = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720))
"""How long a mail that cannot be sent waits for its next attempt; about a day in all."""


def enqueue(
    kind: OutboxMail.Kind,
    *,
    game: Game,
    person: User | None,
    now: datetime,
    deadline_version: int = 0,
    address: str = "",
    about: int = 0,
) -> None:
    """Write one mail about the game's present phase; nothing where it is written already.

    To a person, or to an `address`. A seat without a person gets none. `about` is the id of the
    row that the mail speaks of, where that is not the phase.
    """
    if not address and (person is None or not person.is_active):
        return
    mail = OutboxMail(
        kind=kind,
        person=person,
        game=game,
        phase_no=game.phase_no,
        deadline_version=deadline_version,
        address=address,
        about=about,
        not_before=now,
        created_at=now,
    )
    OutboxMail.objects.bulk_create([mail], ignore_conflicts=True)


def drain(*, now: datetime) -> int:
    """Send the mail that is ready; how many were sent. Safe to run twice or side by side."""
    release_stuck(now=now)
    sent = 0
    while claimed := _claim(now):
        sent += sum(_deliver(mail, now) for mail in claimed)
    return sent


def release_stuck(*, now: datetime) -> None:
    """Give back what a sender that died had claimed."""
    stuck = OutboxMail.objects.filter(
        status=OutboxMail.Status.SENDING, claimed_at__lt=now - STUCK_AFTER
    )
    stuck.update(status=OutboxMail.Status.READY, claimed_at=None)


def _claim(now: datetime) -> list[OutboxMail]:
    with transaction.atomic(durable=True):
        ready = OutboxMail.objects.ready(now).select_for_update(skip_locked=True)
        claimed = list(ready[:CLAIMED_AT_ONCE])
        for mail in claimed:
            mail.status = OutboxMail.Status.SENDING
            mail.claimed_at = now
            mail.attempts += 1
            mail.message_id = mail.message_id or letters.message_id(mail)
        OutboxMail.objects.bulk_update(claimed, ["status", "claimed_at", "attempts", "message_id"])
    return list(
        OutboxMail.objects.filter(pk__in=[mail.pk for mail in claimed])
        .select_related("person", "game")
        .order_by("pk")
    )


def _deliver(mail: OutboxMail, now: datetime) -> bool:
    """Send one claimed mail, outside any transaction, and note what became of it."""
    seat = Seat.objects.filter(game=mail.game_id, user=mail.person_id).first()
    if not _is_still_true(mail, seat):
        mail.status = OutboxMail.Status.DROPPED
        mail.save(update_fields=["status"])
        return False
    try:
        letters.compose(mail, seat).send()
    except (SMTPException, OSError) as failure:
        _note_failure(mail, failure, now)
        return False
    mail.status = OutboxMail.Status.SENT
    mail.sent_at = now
    mail.error = ""
    mail.save(update_fields=["status", "sent_at", "error"])
    return True


def _is_still_true(mail: OutboxMail, seat: Seat | None) -> bool:
    """A turn or a reminder speaks of one deadline, and only while the person is awaited for it."""
    if mail.person is None or not mail.person.is_active:
        return False
    if mail.kind not in {OutboxMail.Kind.YOUR_TURN, OutboxMail.Kind.REMINDER}:
        return True
    return (
        seat is not None
        and seat.deadline_at is not None
        and seat.deadline_version == mail.deadline_version
        and mail.game.parked_at is None
    )


def _note_failure(mail: OutboxMail, failure: Exception, now: datetime) -> None:
    logger.warning("Mail %s cannot be sent: %s", mail.pk, failure)
    mail.error = str(failure)[:1000]
    mail.claimed_at = None
    if mail.attempts <= len(BACKOFF):
        mail.status = OutboxMail.Status.READY
        mail.not_before = now + BACKOFF[mail.attempts - 1]
    else:
        mail.status = OutboxMail.Status.FAILED
    mail.save(update_fields=["status", "error", "claimed_at", "not_before"])
