"""What is done to an account for its person, by an administrator or the owner of the server.

Each change is written to the audit log, without addresses: nobody could delete them there. An email
tells the person, and where their address changes or goes, also the old one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from games import extensions
from games.extensions import Case
from games.mailboxes import spelled
from games.models import AuditLine, FactorReset, User
from games.models.people import validate_public_name
from games.services import audit, outbox
from games.services.accounts import account, ways_in
from games.services.audit import Values
from games.services.email import reached_again
from games.services.people import held_sanctions, names
from games.services.people.addresses import with_address
from games.services.refused import Refused


class By(NamedTuple):
    """Who does it, why, and when: an administrator, or somebody at the server (`audit.OWNER`)."""

    who: User | str
    reason: str
    now: datetime


def create(address: str, name: str, now: datetime) -> User:
    """A new account, whose owner signs in with a code that is emailed to the address.

    The address counts as confirmed: who creates it vouches for it.
    """
    new = spelled(address)
    person = User(email="", name=name, name_key=None, time_zone=settings.TIME_ZONE)
    if why_not := why_not_address(person, new) or _why_not_name(name):
        raise Refused(why_not)
    person.email = new
    with transaction.atomic():
        person.set_unusable_password()
        person.save()
        EmailAddress.objects.create(user=person, email=new, primary=True, verified=True)
        account.arrive(person, now)
    return person


def _why_not_name(name: str) -> str:
    try:
        validate_public_name(name)
    except ValidationError as refusal:
        return str(refusal.message)
    return names.why_not(name)


def change_address(person: User, address: str, by: By) -> None:
    """Let email and codes for signing in go to another address; all sessions end.

    The new address counts as confirmed: who changes it vouches for it.
    """
    new = spelled(address)
    with _changing(person) as locked:
        if why_not := why_not_address(locked, new):
            raise Refused(why_not)
        old = locked.email
        own = EmailAddress.objects.filter(user=locked)
        if own.filter(email__iexact=old, verified=True).exists():
            held_sanctions.address_left(locked, old, by.now)
        try:
            with transaction.atomic():
                own.delete()
                EmailAddress.objects.create(user=locked, email=new, primary=True, verified=True)
                locked.email = new
                locked.save(update_fields=["email"])
        except IntegrityError:
            raise Refused(_taken()) from None
        ways_in.end(locked, Case.ADDRESS)
        ways_in.end(locked, Case.SIGNED_OUT)
        held_sanctions.give_back(locked, by.now)
        if locked.refused_email and not locked.is_unreachable:
            reached_again.send_what_waited(locked, by.now)
        line = write_line("person.address", locked, by)
        outbox.enqueue("account_changed", address=old, about=line.pk, now=by.now)
        tell(locked, line)
    person.refresh_from_db()


def why_not_address(person: User, address: str) -> str:
    """Why an account can't have this address; "" if it can."""
    try:
        validate_email(address)
    except ValidationError:
        return _("This isn't an email address.")
    if person.is_guest:
        return _(
            "Guests have no account yet: they have to sign up with an email address themselves."
        )
    if address == person.email:
        return _("The account has this address already.")
    return "" if with_address(address) in (None, person) else _taken()


def has_second_factor(person: User) -> bool:
    """Whether somebody has an app, a passkey or recovery codes.

    Without a query for who was read `with_second_factors`.
    """
    known: bool | None = getattr(person, "has_factor", None)
    if known is not None:
        return known
    return bool(Authenticator.objects.filter(user=person).exists())


def with_second_factors(people: QuerySet[User]) -> QuerySet[User]:
    """The people, with whether they have a second factor, and its reset (`factor_resets`)."""
    theirs = Authenticator.objects.filter(user=OuterRef("pk"))
    return people.select_related("factor_reset__requested_by").annotate(has_factor=Exists(theirs))


def without_second_factor() -> str:
    return _("This account has no two-factor authentication.")


def used_second_factor_since(person: User, at: datetime) -> bool:
    """Whether somebody has shown a second factor since then: so it isn't lost."""
    return bool(Authenticator.objects.filter(user=person, last_used_at__gt=at).exists())


def forget_second_factor(person: User, by: By) -> None:
    """Remove somebody's app, passkeys and recovery codes; all sessions end.

    A reset that waits for it (`factor_resets`) is done with that.
    """
    with _changing(person) as locked:
        FactorReset.objects.filter(person=locked).delete()
        if not has_second_factor(locked):
            raise Refused(without_second_factor())
        Authenticator.objects.filter(user=locked).delete()
        ways_in.end(locked, Case.SIGNED_OUT)
        tell(locked, write_line("person.forget-factor", locked, by))
    person.refresh_from_db()


def all_data(person: User, now: datetime) -> dict[str, Any]:
    """All that is stored about a person, as JSON."""
    data = extensions.own_data(person, now)
    if not data:
        raise Refused(_("This site doesn't offer downloads of personal data."))
    return data


def note_export(person: User, by: By) -> None:
    """Write down that somebody at the server has made a file with all data of a person."""
    with _changing(person) as locked:
        tell(locked, write_line("person.export", locked, by))


def delete(person: User, by: By) -> None:
    """Delete a person who asked for it, as they could themselves; an email confirms it."""
    if person.is_staff:
        raise Refused(to_be_dismissed())
    account.leave_games(person, by.now)
    with _changing(person) as locked:
        line = write_line("person.delete", locked, by)
        if not locked.is_guest:
            outbox.enqueue("account_changed", address=locked.email, about=line.pk, now=by.now)
        account.remove(locked, by.now)


def write_line(key: str, person: User, by: By, after: Values | None = None) -> AuditLine:
    """Write the line of the audit log for what the email `account_changed` tells of."""
    # The language is that of the email to an address whose account is gone.
    values: Values = after or {}
    values["language"] = person.language
    return audit.write(key, now=by.now, who=by.who, reason=by.reason, person=person, after=values)


def to_be_dismissed() -> str:
    return _("This person is a moderator: dismiss them first.")


def tell(person: User, line: AuditLine) -> None:
    """Email the person about what this line of the audit log says."""
    outbox.enqueue("account_changed", person=person, about=line.pk, now=line.at)


def _taken() -> str:
    return _("Another account has this address.")


@contextmanager
def _changing(person: User) -> Iterator[User]:
    """The person, locked; what the block does is one transaction."""
    with transaction.atomic():
        locked = User.objects.select_for_update(no_key=True).filter(pk=person.pk).first()
        if locked is None:
            raise Refused(_("This account no longer exists."))
        yield locked
