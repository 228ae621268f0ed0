"""Actions on email: sent again, one or all that failed for one reason, and rejected addresses."""

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import OutboxEmail, User
from games.services import outbox
from games.services.email import reached_again
from games.services.email.claimed import read_claimed
from games.services.email.delivery import why_not_sent
from games.services.email.kinds import KIND_BY_KEY
from games.services.email.queries import visible_to
from games.services.game.failures import NO_FAULT_OF_A_GAME
from games.services.moderation.actions.person_action import person_action
from games.services.moderation.actions.requests import (
    ActionRequest,
    PersonRequest,
    write_audit_line,
)
from games.services.refused import Refused
from games.services.roles import has_own_part, refuse_non_moderators

logger = logging.getLogger(__name__)

Status = OutboxEmail.Status
TEST_FIRST: Final = timedelta(minutes=1)
"""How long what couldn't be sent to an address waits for the test."""

MAY_GO_AGAIN = (Status.FAILED, Status.SENT, Status.DROPPED, Status.SUSPENDED)


def send_again(request: ActionRequest, *, email_id: int, seen: str) -> None:
    """Send an email once more, if it is still true. It keeps its Message-ID.

    `seen` is what had become of it (`fate_of`) when the moderator decided so.
    """
    with transaction.atomic(durable=True):
        _send_again("email.send-again", request, email_id, lambda email: fate_of(email) == seen)


def send_all_again(request: ActionRequest, *, emails: Sequence[int]) -> None:
    """Send these failed emails once more, each by itself; those that are no longer true stay.

    `Refused` where that is all of them.
    """
    refused = [reason for reason in (_tried(request, email_id) for email_id in emails) if reason]
    if len(refused) == len(emails):
        raise Refused(refused[0] if refused else _("This email no longer exists."))


def _tried(request: ActionRequest, email_id: int) -> str:
    """Why an email can't be sent again, "" where it was done."""
    try:
        with transaction.atomic(durable=True):
            _send_again("email.send-all", request, email_id, _has_failed)
    except Refused as reason:
        return str(reason)
    return ""


def fate_of(email: OutboxEmail) -> str:
    """What has become of an email so far: the same until it is sent once more."""
    return f"{email.status} {email.sent_at or ''}".strip()


def _has_failed(email: OutboxEmail) -> bool:
    return email.status == Status.FAILED


def _send_again(
    key: str, request: ActionRequest, email_id: int, is_meant: Callable[[OutboxEmail], bool]
) -> None:
    refuse_non_moderators(request.moderator)
    rows = visible_to(request.moderator, OutboxEmail.objects.filter(pk=email_id))
    email = rows.select_for_update(of=("self",)).select_related("person", "game").first()
    if email is None:
        raise Refused(_("This email no longer exists."))
    if reason := why_not(email, request.moderator):
        raise Refused(reason)
    if not is_meant(email):
        raise Refused(_("Someone else has sent this email again in the meantime."))
    before = email.status
    email.status, email.not_before = Status.READY, request.now
    email.attempts, email.claimed_at, email.error = 0, None, ""
    email.save(update_fields=["status", "not_before", "attempts", "claimed_at", "error"])
    write_audit_line(
        key,
        request,
        game=email.game,
        person=email.person,
        before={"email": email.pk, "email_kind": email.kind, "email_status": before},
        after={"email_status": email.status},
    )


def why_not(email: OutboxEmail, moderator: User) -> str:
    """Why an email can't be sent again; "" where it can and is still true."""
    if email.status not in MAY_GO_AGAIN:
        return _("This email is already waiting to be sent.")
    if email.game is not None and has_own_part(moderator, email.game):
        return _("You have or had a seat at this table, so another moderator has to do this.")
    return _why_not_true(email)


def _why_not_true(email: OutboxEmail) -> str:
    """Why nobody would get an email if it were sent now; "" where they would."""
    if email.kind not in KIND_BY_KEY:
        return _("Emails of this kind are no longer sent.")
    try:
        unsent = why_not_sent(*read_claimed([email.pk]))
    except NO_FAULT_OF_A_GAME:
        raise
    except Exception as mistake:
        logger.exception("Whether email %s is still true cannot be said", email.pk)
        error = type(mistake).__name__
        return _("This email couldn't be generated: {error}").format(error=error)
    if unsent == Status.SUSPENDED:
        return _("The address is rejected. Use “Clear and send a test” first.")
    if unsent is not None:
        return _("This email is no longer relevant, or the person doesn't want it.")
    return ""


def clear_address(request: PersonRequest) -> None:
    """Send email to somebody's rejected address again, first of all a test.

    If that is rejected, too, the address is as before. Else what couldn't be sent follows.
    """
    with person_action("person.clear-address", request) as action:
        person = action.person
        if not person.is_unreachable:
            raise Refused(_("Email to this person isn't being rejected."))
        why = person.refused_email_why
        reached_again.record_delivered(person.email, waits=TEST_FIRST)
        line = action.audit(before={"error": why})
        outbox.enqueue("address_test", person=person, now=request.now, about=line.pk)
