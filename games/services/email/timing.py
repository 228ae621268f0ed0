"""When an email leaves: immediately, in the digest of its person, or after their quiet hours."""

from datetime import datetime, timedelta
from typing import Final

from games.models import Game, User
from games.services.email.claimed import Claimed
from games.services.email.kinds import kind_of
from games.services.email.subscriptions import comes_in_digest
from games.services.game.hours import QuietHours, next_hour
from games.zones import zone_of

URGENT: Final = timedelta(hours=2)
"""An email can't wait for an instant that comes so soon before its deadline, or after it."""


def held_until(claim: Claimed, now: datetime) -> datetime | None:
    """Until when an email that is ready is held back; None if it leaves now (days 33).

    What comes to be sent only after its digest is held back for that all the same, so that it
    leaves with the rest. What was tried before waits for no digest.
    """
    email, kind = claim.email, kind_of(claim.email)
    if email.person is None or kind.by_email_only:
        return None
    in_digest = not email.message_id and comes_in_digest(email.person, kind)
    if not in_digest and QuietHours.of(email.person, email.game) is None:
        return None
    deadline = kind.deadline(email, claim.seat)
    if in_digest:
        digest = digest_after(email.person, email.not_before)
        if digest != email.not_before and not _is_urgent(deadline, max(digest, now)):
            return digest
    return quiet_until(email.person, email.game, deadline, now)


def is_for_digest(claim: Claimed) -> bool:
    """Whether an email that is held back no longer was held back for the digest.

    It is ready from the very moment of the digest on, as is all that leaves in it.
    """
    email = claim.email
    return (
        email.person is not None
        and comes_in_digest(email.person, kind_of(email))
        and email.not_before == digest_after(email.person, email.not_before)
    )


def digest_after(person: User, at: datetime) -> datetime:
    """When the first digest leaves from then on: at the person's hour, or after quiet hours."""
    quiet, hour = QuietHours.of(person), person.digest_hour
    if quiet is not None and quiet.has(hour):
        hour = quiet.end
    return next_hour(zone_of(person.time_zone), hour, at)


def quiet_until(
    person: User, game: Game | None, deadline: datetime | None, now: datetime
) -> datetime | None:
    """The end of the quiet hours that hold something back now; None if it may come now.

    Urgent email may come, unless the person is never to be woken.
    """
    hours = QuietHours.of(person, game)
    quiet = hours.around(now) if hours is not None else None
    if quiet is None:
        return None
    _began, ends = quiet
    return None if _is_urgent(deadline, ends) and not person.never_wake else ends


def _is_urgent(deadline: datetime | None, held_until: datetime) -> bool:
    return deadline is not None and deadline < held_until + URGENT
