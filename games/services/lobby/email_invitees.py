"""People who are invited and have no account: how much they are emailed, and how they stop it.

They have asked for nothing, so they get little, in the words of the site, and nobody who invites
them learns what became of it.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.urls import reverse
from django.utils.crypto import salted_hmac

from games.mailboxes import owner
from games.models import Invitation, NoMoreInvitations, OutboxEmail, User

MOST_IN_A_DAY: Final = 2
"""How many invitations an address without an account is emailed in 24 hours, whoever invites."""

SAME_PERSON_AFTER: Final = timedelta(days=30)
"""After what time the same person's invitation is emailed there again, to whatever table."""

INVITATIONS: Final = frozenset({"invitation", "invitation_reminder"})
"""The kinds of email that go to them unasked."""

LOCK: Final = 7_250_319
"""The number of the advisory lock under which the invitations of an address are counted."""

LIKE_A_LINK: Final = re.compile(r"\w[.\u3002]\w|:/|www|@", re.IGNORECASE)
"""A text that mail programs, or readers, take for an address."""


def not_to_be_emailed(addresses: Sequence[str], by: User, now: datetime) -> set[str]:
    """Those of the addresses, in small letters, that get no email when `by` invites them now.

    In a transaction; others who invite wait for its end, so that nobody counts too few.
    """
    known = User.objects.filter(email__in=addresses).values_list("email", flat=True)
    theirs = set(addresses) - set(known)
    if not theirs:
        return set()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    invited = Invitation.objects.filter(email__in=theirs)
    by_same = invited.filter(invited_by=by, created_at__gt=now - SAME_PERSON_AFTER)
    today = invited.filter(created_at__gt=now - timedelta(days=1)).order_by().values("email")
    often = today.annotate(times=Count("pk")).filter(times__gte=MOST_IN_A_DAY)
    return {
        *by_same.values_list("email", flat=True),
        *often.values_list("email", flat=True),
        *(address for address in theirs if has_stopped(address)),
    }


def gets(email: OutboxEmail) -> bool:
    """Whether an email invites somebody without an account."""
    return email.person_id is None and email.kind in INVITATIONS


def give_to_members(emails: QuerySet[OutboxEmail]) -> None:
    """Of these emails, those to addresses go to the people who have an account there by now."""
    owner = User.objects.filter(email=OuterRef("address")).values("pk")
    theirs = emails.exclude(address="").filter(Exists(owner))
    theirs.update(person=Subquery(owner), address="")


def may_still_get(email: OutboxEmail) -> bool:
    """Whether an invitation may go out: its reader has an account, or has not stopped them."""
    return not gets(email) or not has_stopped(email.address)


def without_links(words: str) -> str:
    """The words, or "" where they look like a link: a stranger's email carries none of others."""
    return "" if LIKE_A_LINK.search(unicodedata.normalize("NFKC", words)) else words


def stop_link(email: OutboxEmail) -> str:
    """Where the reader of an invitation stops all that might follow."""
    token = Invitation.objects.values_list("token", flat=True).get(pk=email.about)
    page: str = reverse("games:no_invitations", args=[token])
    return f"{settings.SITE_URL}{page}"


def has_stopped(address: str) -> bool:
    """Whether the owner of an address wants no invitations while there is no account."""
    return NoMoreInvitations.objects.filter(key__in=_keys(address)).exists()


def stop(address: str, now: datetime) -> None:
    """Mail no invitations to this address any more. Twice is as good as once."""
    row = NoMoreInvitations(key=_keys(address)[0], at=now)
    NoMoreInvitations.objects.bulk_create([row], ignore_conflicts=True)


def resume(address: str) -> None:
    """Mail invitations to this address again. Twice is as good as once."""
    NoMoreInvitations.objects.filter(key__in=_keys(address)).delete()


def _keys(address: str) -> list[str]:
    """What stands for an address, which itself is not kept: by the secret key, and older ones.

    Then what stood for it until now. Whoever reads `jo+games@…` most probably reads `jo@…`.
    """
    salt = "games.models.NoMoreInvitations"
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return [
        salted_hmac(salt, one, secret=secret, algorithm="sha256").hexdigest()
        for one in (owner(address), address.lower())
        for secret in secrets
    ]
