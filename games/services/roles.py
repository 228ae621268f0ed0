"""Who moderates, and where: moderators and administrators are groups, neither ever a superuser."""

from typing import Any, Final

from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Game, Seat, Sitting, User
from games.services.refused import Refused

MODERATOR: Final = "moderator"
ADMINISTRATOR: Final = "administrator"
ROLES: Final = (MODERATOR, ADMINISTRATOR)


def moderators() -> QuerySet[User]:
    """All moderators and administrators, the oldest account first."""
    return User.objects.filter(is_staff=True, is_active=True).order_by("pk")


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


def may_moderate(user: User) -> bool:
    """Whether somebody keeps order at games at all: it comes with their group alone."""
    is_staff = user.is_active and user.is_staff
    return is_staff and "games.moderate_game" in user.get_group_permissions()


def has_own_part(user: User, game: Game) -> bool:
    """Whether somebody sits or has sat at a table."""
    sat = Sitting.objects.filter(seat__game=game, user=user).exists()
    return sat or game.seats.filter(user=user).exists()


def own_tables(user: User) -> QuerySet[Any, Any]:
    """The numbers of the tables at which somebody sits or has sat."""
    # With OR instead of a union, PostgreSQL would look at all tables.
    seated = Seat.objects.filter(user=user).values_list("game")
    sat = Sitting.objects.filter(user=user).values_list("seat__game")
    return seated.union(sat)


def may_moderate_at(user: User, game: Game) -> bool:
    """Whether somebody keeps order at this table: no moderator does where they sit or sat."""
    return may_moderate(user) and not has_own_part(user, game)


def refuse_non_moderators(user: User) -> None:
    """Only moderators act."""
    if not may_moderate(user):
        raise Refused(_("Only moderators can do this."))


def refuse_unless_may(moderator: User, game: Game) -> None:
    """Only moderators act, and never at a table of their own."""
    refuse_non_moderators(moderator)
    if has_own_part(moderator, game):
        raise Refused(
            _("You have or had a seat at this table, so another moderator has to do this.")
        )
