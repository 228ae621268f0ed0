"""Sanctions as moderators impose and end them, on their own or with the decision on a report.

The person is locked, and whoever calls writes the line of the audit log.
"""

from datetime import datetime
from typing import Final, assert_never

from django.utils.translation import gettext as _

from games.extensions import Case
from games.models import Report, Sanction, User
from games.services.accounts import ways_in
from games.services.audit import Changed
from games.services.moderation.actions.requests import ActionRequest, PersonRequest
from games.services.people import held_sanctions
from games.services.refused import Refused

Kind = Sanction.Kind

EXCLUDING: Final = (Kind.SUSPENSION, Kind.BAN)
"""After these somebody leaves all tables (`leave_all_tables`), in transactions of their own."""


def impose(
    person: User,
    kind: Sanction.Kind,
    request: ActionRequest | PersonRequest,
    *,
    until: datetime | None = None,
    report: Report | None = None,
) -> Changed:
    """Impose it; one of its kind that held before, or has run out, ends. What changed is returned.

    `report` is the one it is imposed for.
    """
    if kind == Kind.BAN and not person.is_active:
        raise Refused(_("This person is already banned."))
    _write(person, kind, until, request, report)
    match kind:
        case Kind.WARNING:
            person.warned = True
            person.save(update_fields=["warned"])
            return {}
        case Kind.MUTE | Kind.SUSPENSION:
            before = _set_until(person, kind, until)
            return {"before": {"at": before}, "after": {"until": until}}
        case Kind.BAN:
            person.is_active = False
            person.save(update_fields=["is_active"])
            ways_in.end(person, Case.BANNED)
            return {}
        case _:
            assert_never(kind)


def end(person: User, sanction: Sanction, now: datetime) -> Changed:
    """End one that is in force. What changed is returned."""
    close(sanction, now)
    held_sanctions.replaced(sanction, None)
    kind = Kind(sanction.kind)
    match kind:
        case Kind.WARNING:
            return {}
        case Kind.MUTE | Kind.SUSPENSION:
            return {"before": {"at": _set_until(person, kind, None)}}
        case Kind.BAN:
            person.is_active = True
            person.save(update_fields=["is_active"])
            return {}
        case _:
            assert_never(kind)


def shorten(
    person: User, sanction: Sanction, until: datetime, request: ActionRequest | PersonRequest
) -> Changed:
    """Let a mute or a suspension in force end sooner, or a ban become a suspension until then.

    The reason stays. What changed is returned.
    """
    if until <= request.now:
        raise Refused(_("The end date must be in the future."))
    if sanction.kind == Kind.BAN:
        end(person, sanction, request.now)
        words = request._replace(reason=sanction.reason)
        return impose(person, Kind.SUSPENSION, words, until=until, report=sanction.report)
    if sanction.until is None or until >= sanction.until:
        raise Refused(_("The sanction will be over by then anyway. Please choose a shorter time."))
    before, sanction.until = sanction.until, until
    sanction.save(update_fields=["until"])
    held_sanctions.replaced(sanction, sanction)
    _set_until(person, Kind(sanction.kind), until)
    return {"before": {"at": before}, "after": {"until": until}}


def nothing_to_shorten() -> str:
    """The reason why no sanction can be shortened."""
    return _("There's no sanction in force that could be shortened.")


def close(sanction: Sanction, now: datetime) -> None:
    """It ends now, if it has not run out before; an open appeal is settled with it."""
    sanction.ended_at = now if sanction.until is None else min(now, sanction.until)
    if sanction.appealed_at is not None and sanction.answered_at is None:
        sanction.answered_at = now
    sanction.save(update_fields=["ended_at", "answered_at"])


def _write(
    person: User,
    kind: Sanction.Kind,
    until: datetime | None,
    request: ActionRequest | PersonRequest,
    report: Report | None,
) -> None:
    if until is not None and until <= request.now:
        raise Refused(_("The end date must be in the future."))
    before = []
    if kind != Kind.WARNING:
        before = list(person.sanctions.filter(kind=kind, ended_at=None))
    for former in before:
        close(former, request.now)
    imposed = Sanction.objects.create(
        person=person, kind=kind, reason=request.reason, at=request.now, until=until,
        by=request.moderator, report=report,
    )  # fmt: skip
    for former in before:
        held_sanctions.replaced(former, imposed)


def _set_until(person: User, kind: Sanction.Kind, until: datetime | None) -> datetime | None:
    """Note until when somebody is muted or suspended; until when they were is returned."""
    field = "muted_until" if kind == Kind.MUTE else "suspended_until"
    before: datetime | None = getattr(person, field)
    setattr(person, field, until)
    person.save(update_fields=[field])
    return before
