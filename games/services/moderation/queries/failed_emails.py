"""Emails that failed: those of one reason together, as moderators may know of them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from games.models import OutboxEmail, User
from games.services.email.queries import visible_to
from games.services.email.replies import cause_of

FAILED_WITHIN: Final = timedelta(days=7)
MOST: Final = 200
"""How many are looked at."""

_COLUMNS: Final = ("kind", "address", "error", "person", "person__name", "game", "game__name")


def recently_failed(now: datetime, moderator: User) -> list[OutboxEmail]:
    """The emails that failed this week, the latest first."""
    failed = OutboxEmail.objects.filter(
        status=OutboxEmail.Status.FAILED, created_at__gt=now - FAILED_WITHIN
    )
    rows = visible_to(moderator, failed).select_related("person", "game").only(*_COLUMNS)
    return list(rows.order_by("-created_at")[:MOST])


def by_cause(failed: Sequence[OutboxEmail]) -> list[list[OutboxEmail]]:
    """These emails, those that failed for one reason together."""
    found: dict[str, list[OutboxEmail]] = {}
    for email in failed:
        found.setdefault(cause_of(email), []).append(email)
    return list(found.values())


def failed_for_the_same(email: OutboxEmail, now: datetime, moderator: User) -> list[OutboxEmail]:
    """This email and the others of this week that failed for the same reason."""
    others = recently_failed(now, moderator)
    return [one for one in others if cause_of(one) == cause_of(email)]
