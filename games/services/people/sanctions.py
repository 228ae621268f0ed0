"""Sanctions: what they keep people from, and people's appeals.

What refuses is given the person as they stand in the database now.
"""

from datetime import datetime
from typing import Final

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Sanction, User
from games.presentation.text.sanctions import muted_text, suspended_text
from games.presentation.text.words import moment
from games.services.clean_text import fitting
from games.services.public_ids import number_of, public_id
from games.services.refused import Refused

LONGEST_APPEAL: Final = 2000


def why_suspended(person: User, now: datetime) -> str:
    """That somebody is suspended, and until when on their clock; "" where they are not."""
    if not person.is_suspended(now) or person.suspended_until is None:
        return ""
    return suspended_text(moment(person.suspended_until, person.time_zone))


def why_muted(person: User, now: datetime) -> str:
    """That somebody is muted or suspended, and until when on their clock; "" where they are not.

    Of both it is the graver one.
    """
    if text := why_suspended(person, now):
        return text
    if not person.is_muted(now) or person.muted_until is None:
        return ""
    return muted_text(moment(person.muted_until, person.time_zone))


def refuse_who_may_not_play(person: User, now: datetime) -> None:
    """Nobody who is suspended or banned sits down, comes back, or is waited for."""
    if not person.is_active:
        raise Refused(_("This account is closed."))
    if text := why_suspended(person, now):
        raise Refused(text)


def refuse_who_may_not_write(person: User, now: datetime) -> None:
    """Nobody who is muted or suspended writes what others read, in whatever field.

    Whatever takes such words calls this: chat, tables, invitations, notes about acquaintances.
    """
    if text := why_muted(person, now):
        raise Refused(text)


def unread_warnings(person: User) -> list[Sanction]:
    """The warnings that somebody has not confirmed to have read, the oldest first."""
    if not person.warned:
        return []
    warnings = person.sanctions.filter(kind=Sanction.Kind.WARNING, seen_at=None, ended_at=None)
    return list(warnings.order_by("pk"))


def read_warning(*, person: User, sanction_id: int, now: datetime) -> None:
    """Somebody has read a warning of theirs. Twice is as good as once."""
    with transaction.atomic(durable=True):
        locked = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        warnings = locked.sanctions.filter(kind=Sanction.Kind.WARNING, seen_at=None)
        warnings.filter(pk=sanction_id).update(seen_at=now)
        locked.warned = bool(unread_warnings(locked))
        locked.save(update_fields=["warned"])


def appeal(*, person: User, sanction_id: int, text: str, now: datetime) -> None:
    """Appeal a decision about oneself that was made without a report; once, while it is in force.

    The same text again is no error.
    """
    text = fitting(text, LONGEST_APPEAL)
    with transaction.atomic(durable=True):
        sanctions = (
            person.sanctions.in_force(now).filter(report=None).select_for_update(no_key=True)
        )
        sanction = sanctions.filter(pk=sanction_id).first()
        if sanction is None:
            raise Refused(_("This decision is no longer in force."))
        if sanction.appealed_at is not None and sanction.appeal != text:
            raise Refused(_("You've already appealed this decision."))
        if sanction.appealed_at is None:
            sanction.appeal, sanction.appealed_at = text, now
            sanction.save(update_fields=["appeal", "appealed_at"])


def token_for(person: User) -> str:
    """The part of a link by which somebody who cannot sign in sees how they stand, and appeals."""
    return _signer().sign_object(public_id("person", person.pk))


def person_of(token: str) -> User | None:
    """Whose link it is; None where it was made up, or the account has gone."""
    try:
        who = _signer().unsign_object(token)
    except BadSignature:
        return None
    return User.objects.filter(pk=number_of("person", str(who)) or 0).first()


def _signer() -> Signer:
    return Signer(salt="conduct", algorithm="sha256")
