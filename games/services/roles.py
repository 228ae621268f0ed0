"""Who keeps order: moderators and administrators are groups; neither is ever a superuser."""

from typing import Final

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet

from games.models import User

MODERATOR: Final = "moderator"
ADMINISTRATOR: Final = "administrator"
ROLES: Final = (MODERATOR, ADMINISTRATOR)


def keepers() -> QuerySet[User]:
    """Everybody who keeps order, in whatever role."""
    return User.objects.filter(is_staff=True, is_active=True)


def appoint(person: User, role: str) -> None:
    """Give somebody one of `ROLES`, in place of any other."""
    with transaction.atomic():
        person.groups.set([Group.objects.get(name=role)])
        person.is_staff, person.is_superuser = True, False
        person.save(update_fields=["is_staff", "is_superuser"])


def dismiss(person: User) -> None:
    """Somebody keeps order no more."""
    with transaction.atomic():
        person.groups.clear()
        person.is_staff = person.is_superuser = False
        person.save(update_fields=["is_staff", "is_superuser"])
