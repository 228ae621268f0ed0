"""A lost second factor that an administrator is to remove: asked for, then done or stopped."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import FactorReset, User
from games.services import audit
from games.services.accounts import on_request
from games.services.accounts.on_request import By, tell
from games.services.refused import Refused

MOST_AT_ONCE: Final = 100
"""How many are done by one call of `do_due`."""


def pending(person: User) -> FactorReset | None:
    """The reset that somebody's second factor waits for."""
    try:
        return person.factor_reset
    except FactorReset.DoesNotExist:
        return None


def ask(person: User, by: By) -> None:
    """Have somebody's second factor removed after `FactorReset.WAIT`; they may stop it.

    `by.who` is an administrator.
    """
    if not on_request.has_second_factor(person):
        raise Refused(on_request.without_second_factor())
    if not isinstance(by.who, User):
        raise TypeError("An administrator asks for it.")
    reset, is_new = FactorReset.objects.get_or_create(
        person=person, defaults={"requested_by": by.who, "reason": by.reason, "at": by.now}
    )
    if not is_new:
        raise Refused(_("A reset of two-factor authentication is already pending."))
    line = on_request.write_line("person.reset-factor", person, by, {"until": reset.due_at})
    tell(person, line)


def why_not_confirm(reset: FactorReset | None, administrator: User) -> str:
    """Why this administrator can't confirm it now; "" if they can."""
    if reset is None:
        return _("There's no reset to confirm.")
    if reset.requested_by_id == administrator.pk:
        return _("You asked for this reset, so another administrator has to confirm it.")
    return ""


def confirm(person: User, by: By) -> None:
    """Remove it now, as a second administrator agrees."""
    if not isinstance(by.who, User):
        raise TypeError("An administrator confirms it.")
    with _locked(person) as reset:
        if reason := why_not_confirm(reset, by.who):
            raise Refused(reason)
        FactorReset.objects.filter(person=person).delete()
        on_request.forget_second_factor(person, by)


def stop(person: User, by: By) -> bool:
    """Keep the second factor, as its person or an administrator wants; whether it was at stake."""
    with _locked(person) as reset:
        if reset is None:
            return False
        reset.delete()
        tell(person, on_request.write_line("person.stop-reset", person, by))
    return True


def stop_own(person: User, now: datetime) -> bool:
    """Keep one's own second factor; whether it was at stake."""
    return stop(person, By(person.name, "", now))


def do_due(now: datetime) -> int:
    """Remove the factors whose time has come; how many. Those used since are kept.

    Safe to run twice or side by side.
    """
    due = FactorReset.objects.filter(at__lte=now - FactorReset.WAIT).select_related("person")
    return sum(_do(one.person, now) for one in due.order_by("pk")[:MOST_AT_ONCE])


def _do(person: User, now: datetime) -> bool:
    with _locked(person) as reset:
        if reset is None:
            return False
        if on_request.used_second_factor_since(person, reset.at):
            return not stop(person, By(audit.CLOCK, "", now))
        reset.delete()
        if on_request.has_second_factor(person):
            on_request.forget_second_factor(person, By(audit.CLOCK, reset.reason, now))
    return True


@contextmanager
def _locked(person: User) -> Iterator[FactorReset | None]:
    """The person's reset, if any; the person is locked, as for any change to their account."""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()
        yield FactorReset.objects.filter(person=person).first()
