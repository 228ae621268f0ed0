"""Addresses that a mail server has refused for good, or whose owner has complained: no more email
is sent there.
"""

from datetime import datetime

from games.models import User


def note_refused(person: User, why: str, now: datetime) -> None:
    """Send no more email to the address that the person has now."""
    User.objects.filter(pk=person.pk, email=person.email).update(
        refused_email=person.email,
        refused_email_at=now,
        refused_email_why=" ".join(why.split())[:200],
    )


def note_bounced(address: str, why: str, now: datetime) -> bool:
    """The same for whoever has this address now; whether anybody has."""
    person = User.objects.filter(email=address.lower()).first()
    if person is not None:
        note_refused(person, why, now)
    return person is not None


def note_taken(address: str) -> None:
    """Send email to this address again: it was taken, or its owner says that it will be."""
    User.objects.filter(refused_email=address).update(
        refused_email="", refused_email_at=None, refused_email_why=""
    )
