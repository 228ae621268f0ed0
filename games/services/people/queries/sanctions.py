"""How a person stands with the moderators, as their own page shows it."""

from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.models import Sanction, User
from games.presentation.text.words import moment
from games.services.public_ids import public_id

MOST: Final = 50

LIFTED_BY: Final = {
    Sanction.Kind.WARNING: "person.take-back-warning",
    Sanction.Kind.MUTE: "person.unmute",
    Sanction.Kind.SUSPENSION: "person.lift-suspension",
    Sanction.Kind.BAN: "person.lift-ban",
}
"""The action that ends each kind."""


class ConductLine(NamedTuple):
    """A warning, mute, suspension or ban: what, since when, whether it holds, and why.

    `lifted_because` is why a moderator ended it before its time, "" where none did. `appeal` and
    `answer` are "" where there is none yet.
    """

    id: str
    what: str
    holds: str
    in_force: bool
    reason: str
    lifted_because: str
    appeal: str
    answer: str
    may_appeal: bool


def read_conduct(person: User, now: datetime) -> list[ConductLine]:
    """What moderators have decided about somebody, the latest first."""
    sanctions = list(person.sanctions.all()[:MOST])
    lifted = why_lifted(person) if any(one.ended_at for one in sanctions) else None
    return [
        _line(one, person.time_zone, now)._replace(lifted_because=lifted(one) if lifted else "")
        for one in sanctions
    ]


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


def _line(sanction: Sanction, zone: str, now: datetime) -> ConductLine:
    in_force = is_in_force(sanction, now)
    return ConductLine(
        id=public_id("sanction", sanction.pk),
        what=sanction_text(sanction, zone),
        holds=_holds(sanction, zone, now),
        in_force=in_force,
        reason=sanction.reason,
        lifted_because="",
        appeal=sanction.appeal,
        answer=_appeal_answer(sanction),
        may_appeal=in_force and sanction.appealed_at is None,
    )


def sanction_text(sanction: Sanction, zone: str) -> str:
    """What was imposed, and when, on the clock of this zone."""
    text = {
        Sanction.Kind.WARNING: _("{moment}: warned"),
        Sanction.Kind.MUTE: _("{moment}: muted"),
        Sanction.Kind.SUSPENSION: _("{moment}: suspended"),
        Sanction.Kind.BAN: _("{moment}: banned"),
    }[Sanction.Kind(sanction.kind)]
    return text.format(moment=moment(sanction.at, zone))


def _holds(sanction: Sanction, zone: str, now: datetime) -> str:
    """Until when it holds or held; "" for a warning, and where it holds without an end."""
    ended, until = sanction.ended_at, sanction.until
    if ended is not None and (until is None or ended < until):
        return _("Lifted on {moment}.").format(moment=moment(ended, zone))
    if until is None:
        return "" if sanction.kind == Sanction.Kind.WARNING else _("No end date.")
    text = _("In force until {moment}.") if until > now else _("Ended on {moment}.")
    return text.format(moment=moment(until, zone))


def _appeal_answer(sanction: Sanction) -> str:
    if sanction.appealed_at is None:
        return ""
    if sanction.answered_at is None:
        return _("A moderator will review your appeal.")
    if not sanction.answer:
        return _("A moderator has lifted this sanction.")
    text = _("Your appeal was reviewed, and the decision stands: {reason}")
    return text.format(reason=sanction.answer)
