"""Addresses that work again, and the email that couldn't be sent to them meanwhile."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.mailboxes import spellings
from games.models import OutboxEmail, User
from games.services.email.kind import no_deadline
from games.services.email.kinds import EMAIL_KINDS
from games.services.email.reachability import in_one_line

NEWS: Final = tuple(
    kind.key for kind in EMAIL_KINDS if kind.switch and kind.deadline is no_deadline
)
"""What asks for nothing and can be switched off."""

NEWS_KEPT: Final = timedelta(days=7)

BOUNCES: Final = timedelta(days=2)
"""How long it may take to hear that an email has bounced that a mail server had taken."""

OUTDATED: Final = ("address_test", "not_told", "invitation_reminder")
"""What says nothing new once the address works again."""

REMINDERS: Final = ("reminder", "last_reminder")


def record_delivered(address: str, *, waits: timedelta = timedelta(0)) -> None:
    """Send email to this address again: its owner has read some there, or says that they will.

    What couldn't be sent meanwhile goes out, where it is still true, after as long as it `waits`.
    """
    refused = User.objects.filter(refused_email__in=spellings(address)).exclude(refused_email="")
    with transaction.atomic():
        for person in refused:
            if person.is_unreachable:
                send_what_waited(person, timezone.now() + waits)
        refused.update(refused_email="", refused_email_at=None, refused_email_why="")


def send_what_waited(person: User, not_before: datetime) -> None:
    """Send what couldn't be sent to a person's rejected address, where it is still true then.

    That is also what the mail server refused, and "your turn" that it had taken shortly before
    (`BOUNCES`), but no news older than `NEWS_KEPT`, and no reminder of a turn of which they learn
    now. To be called while it is known why the address was rejected.
    """
    status = OutboxEmail.Status
    refused_at = person.refused_email_at or not_before
    when_lost = (refused_at - BOUNCES, refused_at)
    lost = Q(status=status.SENT, kind="your_turn", sent_at__range=when_lost)
    unsent = person.emails.exclude(kind__in=OUTDATED)
    unsent = unsent.exclude(kind__in=NEWS, created_at__lt=not_before - NEWS_KEPT)
    waited = unsent.filter(lost | Q(status=status.SUSPENDED) | Q(status=status.FAILED))
    rows = [
        row
        for row in waited.only("kind", "game_id", "phase_no", "status", "error")
        if row.status != status.FAILED or in_one_line(row.error) == person.refused_email_why
    ]
    turns = {(row.game_id, row.phase_no) for row in rows if row.kind == "your_turn"}
    needed = [
        row for row in rows if row.kind not in REMINDERS or (row.game_id, row.phase_no) not in turns
    ]
    person.emails.filter(pk__in=[row.pk for row in needed]).update(
        status=status.READY, not_before=not_before, attempts=0, claimed_at=None, error="",
        message_id="",
    )  # fmt: skip
