"""The deadlines of a person as a calendar (RFC 5545), at an address that only they know.

The address is signed, not kept: it has a number in it that the person's row has, too.
"""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db.models.functions import Abs
from django.urls import reverse

from games.models import User
from games.services.public_ids import number_of, public_id

ALARM: Final = timedelta(hours=1)
"""How long before a deadline the alarm is that the page offers."""
MOST_ALARM: Final = timedelta(days=7)


def address_of(person: User) -> str:
    """Where the person's calendar is; "" if they have none."""
    if person.calendar <= 0:
        return ""
    token = _signer().sign_object([public_id("person", person.pk), person.calendar])
    return f"{settings.SITE_URL}{reverse('calendar', args=[token])}"


def address_with_alarm(person: User) -> str:
    """The same, with an alarm before each deadline; "" if they have none."""
    address = address_of(person)
    return address and f"{address}?alarm={ALARM // timedelta(minutes=1)}"


def turn_on(person: User) -> None:
    """Give the person a calendar, at a new address: those from before lead nowhere."""
    User.objects.filter(pk=person.pk).update(calendar=Abs("calendar") + 1)


def turn_off(person: User) -> None:
    """End the person's calendar."""
    User.objects.filter(pk=person.pk).update(calendar=-Abs("calendar"))


def owner_of(token: str) -> User | None:
    """The person whose calendar this is; None if it was turned off, or they are banned."""
    try:
        person_id, number = _signer().unsign_object(token)
    except (BadSignature, TypeError, ValueError):
        return None
    return User.objects.filter(
        pk=number_of("person", str(person_id)) or 0, calendar=number, is_active=True
    ).first()


def _signer() -> Signer:
    return Signer(salt="calendar")
