"""What moderators imposed on a person, in words."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from games.models import Sanction, User
from games.presentation.text.words import moment

IMPOSED_BY: Final = {
    Sanction.Kind.WARNING: "person.warn",
    Sanction.Kind.MUTE: "person.mute",
    Sanction.Kind.SUSPENSION: "person.suspend",
    Sanction.Kind.BAN: "person.ban",
}
"""The action that imposes each kind."""

LIFTED_BY: Final = {
    Sanction.Kind.WARNING: "person.take-back-warning",
    Sanction.Kind.MUTE: "person.unmute",
    Sanction.Kind.SUSPENSION: "person.lift-suspension",
    Sanction.Kind.BAN: "person.lift-ban",
}
"""The action that ends each kind."""


def why_lifted(person: User) -> Callable[[Sanction], str]:
    """Tells why a moderator ended a sanction of the person before its time; "" where none did."""
    lines = person.audit_lines.filter(action__in=LIFTED_BY.values())
    reasons: dict[tuple[str, datetime | None], str] = {
        (line.action, line.at): line.reason for line in lines
    }

    def because(sanction: Sanction) -> str:
        return reasons.get((LIFTED_BY[Sanction.Kind(sanction.kind)], sanction.ended_at), "")

    return because


def latest_reason(person: User, kind: Sanction.Kind, now: datetime) -> str:
    """Why somebody is muted or suspended, in the moderator's words; "" where they are not."""
    found = person.sanctions.in_force(now).filter(kind=kind).first()
    return found.reason if found is not None else ""


def is_in_force(sanction: Sanction, now: datetime) -> bool:
    return sanction.ended_at is None and (sanction.until is None or sanction.until > now)


def sanction_text(sanction: Sanction, zone: str) -> str:
    """What was imposed, and when, on the clock of this zone."""
    text = {
        Sanction.Kind.WARNING: _("{moment}: warned"),
        Sanction.Kind.MUTE: _("{moment}: muted"),
        Sanction.Kind.SUSPENSION: _("{moment}: suspended"),
        Sanction.Kind.BAN: _("{moment}: banned"),
    }[Sanction.Kind(sanction.kind)]
    return text.format(moment=moment(sanction.at, zone))


def lifted_text(sanction: Sanction, ended: datetime, zone: str) -> str:
    """When it was lifted or, of a warning, withdrawn."""
    is_warning = sanction.kind == Sanction.Kind.WARNING
    text = _("Withdrawn on {moment}.") if is_warning else _("Lifted on {moment}.")
    return text.format(moment=moment(ended, zone))


def how_long(sanction: Sanction, zone: str, now: datetime) -> str:
    """Until when it holds or held; "" for a warning, and where it holds without an end."""
    ended, until = sanction.ended_at, sanction.until
    if ended is not None and (until is None or ended < until):
        return lifted_text(sanction, ended, zone)
    if until is None:
        return "" if sanction.kind == Sanction.Kind.WARNING else _("No end date.")
    text = _("In force until {moment}.") if until > now else _("Ended on {moment}.")
    return text.format(moment=moment(until, zone))
