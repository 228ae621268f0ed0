"""Accounts whose address nobody has ever confirmed: nobody has signed in to them."""

from datetime import datetime
from typing import Final

from django.apps import apps
from django.db import transaction
from django.db.models import QuerySet

from games.models import User

AT_ONCE: Final = 50
"""How many are deleted in one transaction."""


def never_confirmed(rows: QuerySet[User]) -> QuerySet[User]:
    """Those of these accounts that nobody has confirmed, and that have never had a seat."""
    unconfirmed = User.objects.filter(emailaddress__verified=False)
    confirmed = User.objects.filter(emailaddress__verified=True)
    return rows.filter(
        last_login=None,
        is_staff=False,
        seats=None,
        sittings=None,
        pk__in=unconfirmed.values("pk"),
    ).exclude(pk__in=confirmed.values("pk"))


def signed_up(since: datetime, until: datetime, ending: str = "") -> QuerySet[User]:
    """Unconfirmed accounts of this time, with addresses that end like this; the newest first."""
    rows = User.objects.filter(date_joined__gte=since, date_joined__lt=until, is_guest=False)
    if ending:
        rows = rows.filter(email__iendswith=ending)
    return never_confirmed(rows).order_by("-pk")


def delete(rows: QuerySet[User], most: int) -> int:
    """Delete at most so many of these, unless they are being confirmed; how many."""
    keys = list(rows.values_list("pk", flat=True)[:most])
    return sum(_delete(keys[first : first + AT_ONCE]) for first in range(0, len(keys), AT_ONCE))


def _delete(keys: list[int]) -> int:
    """Whoever confirms an address at the same time comes first, or finds no account any more."""
    with transaction.atomic(durable=True):
        addresses = apps.get_model("account", "EmailAddress").objects.filter(user__in=keys)
        list(addresses.order_by("pk").select_for_update())
        still = never_confirmed(User.objects.filter(pk__in=keys))
        _all, by_model = still.delete()
        return by_model.get(User._meta.label, 0)  # noqa: SLF001 - documented by Django
