"""Mutes and suspensions outlive the account: who comes back as the same person has them still.

They hold for every mailbox that the account has had since, also while it still exists, and for
whoever a sign-in provider says it is. None of these is kept, but a keyed hash of each, until what
it holds is over.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.utils.crypto import salted_hmac

from games.mailboxes import mailbox
from games.models import HeldSanction, Sanction, User

OUTLIVING: Final = (Sanction.Kind.MUTE, Sanction.Kind.SUSPENSION)
HELD: Final = ("reason", "at", "until", "by")


def hold(person: User, now: datetime) -> None:
    """Keep what holds against somebody whose account is deleted."""
    _hold(person, _signs_of(person), now)


def address_left(person: User, address: str, now: datetime) -> None:
    """Keep it for an address that was theirs until now."""
    _hold(person, [mailbox(address)], now)


def provider_left(person: User, account: SocialAccount, now: datetime) -> None:
    """Keep it for an account at a provider with which they could sign in until now."""
    _hold(person, [_name_at_provider(account)], now)


def _hold(person: User, signs: Iterable[str], now: datetime) -> None:
    for sanction in person.sanctions.in_force(now).filter(kind__in=OUTLIVING):
        for sign in signs:
            HeldSanction.objects.update_or_create(
                address=_hashed(sign),
                kind=sanction.kind,
                defaults={name: getattr(sanction, name) for name in HELD},
            )


def replaced(former: Sanction, by: Sanction | None) -> None:
    """Another sanction holds instead of this one, or none: also for addresses they have left."""
    held = HeldSanction.objects.filter(kind=former.kind, at=former.at)
    if by is None:
        held.delete()
    else:
        held.update(**{name: getattr(by, name) for name in HELD})


def give_back(person: User, now: datetime) -> None:
    """Let hold against somebody what held against them before; they may object.

    For somebody new, and for who comes to an address that they had before.
    """
    signs = [_hashed(sign) for sign in _signs_of(person) | _addresses_of(person)]
    held = HeldSanction.objects.filter(address__in=signs)
    for one in held.filter(until__gt=now).order_by("-until"):
        if person.sanctions.in_force(now).filter(kind=one.kind).exists():
            continue
        person.sanctions.filter(kind=one.kind, ended_at=None).update(ended_at=now)
        Sanction.objects.create(
            person=person, kind=one.kind, reason=one.reason, at=one.at, until=one.until, by=one.by
        )
        field = "muted_until" if one.kind == Sanction.Kind.MUTE else "suspended_until"
        setattr(person, field, one.until)
        person.save(update_fields=[field])
    held.delete()


def holds_something(person: User, now: datetime) -> bool:
    """Whether something would outlive the account."""
    return person.is_muted(now) or person.is_suspended(now)


def _signs_of(person: User) -> set[str]:
    """By what somebody is recognized: their confirmed mailboxes, and what providers call them."""
    accounts = SocialAccount.objects.filter(user=person)
    mailboxes = (mailbox(address) for address in _addresses_of(person))
    return {*mailboxes, *(_name_at_provider(account) for account in accounts)}


def _addresses_of(person: User) -> set[str]:
    """Their confirmed addresses as they are written, by which they were recognized until now."""
    confirmed = EmailAddress.objects.filter(user=person, verified=True)
    return {person.email, *confirmed.values_list("email", flat=True)}


def _name_at_provider(account: SocialAccount) -> str:
    return f"{account.provider} {account.uid}"


def _hashed(sign: str) -> str:
    salt = "games.services.people.held_sanctions"
    return salted_hmac(salt, sign.strip().lower(), algorithm="sha256").hexdigest()
