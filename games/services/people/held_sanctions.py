"""Mutes and suspensions outlive the account: who comes back with the same address, has them still.

The address itself is not kept, but a keyed hash of it, until what it holds is over.
"""

from datetime import datetime
from typing import Final

from django.utils.crypto import salted_hmac

from games.models import HeldSanction, Sanction, User

OUTLIVING: Final = (Sanction.Kind.MUTE, Sanction.Kind.SUSPENSION)


def hold(person: User, now: datetime) -> None:
    """Keep what holds against somebody whose account is deleted."""
    for sanction in person.sanctions.in_force(now).filter(kind__in=OUTLIVING):
        HeldSanction.objects.update_or_create(
            address=_hashed(person.email),
            kind=sanction.kind,
            defaults={name: getattr(sanction, name) for name in ("reason", "at", "until", "by")},
        )


def give_back(person: User, now: datetime) -> None:
    """Let hold against somebody new what held when they deleted their account; they may object."""
    held = HeldSanction.objects.filter(address=_hashed(person.email))
    for one in held.filter(until__gt=now):
        Sanction.objects.create(
            person=person, kind=one.kind, reason=one.reason, at=one.at, until=one.until, by=one.by
        )
        if one.kind == Sanction.Kind.MUTE:
            person.muted_until = one.until
        else:
            person.suspended_until = one.until
    person.save(update_fields=["muted_until", "suspended_until"])
    held.delete()


def holds_something(person: User, now: datetime) -> bool:
    """Whether something would outlive the account."""
    return person.is_muted(now) or person.is_suspended(now)


def _hashed(address: str) -> str:
    salt = "games.services.people.held_sanctions"
    return salted_hmac(salt, address.strip().lower(), algorithm="sha256").hexdigest()
