"""Actions on a person: each writes a line to the audit log, and most email the person."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.extensions import Case
from games.models import Sanction, StaffNote, User
from games.names import key_of, tidy_name
from games.services.accounts import ways_in
from games.services.clean_text import fitting
from games.services.lobby.leave_all import leave_all_tables
from games.services.moderation.actions.person_action import PersonAction, person_action
from games.services.moderation.actions.requests import PersonRequest
from games.services.moderation.queries.appeals import (
    next_appeal,
    open_appeals,
    own_decision,
)
from games.services.people import held_sanctions, names
from games.services.refused import Refused

Kind = Sanction.Kind

LONGEST_NOTE = 2000


def warn(request: PersonRequest) -> None:
    """Warn somebody. It stays on their home page until they confirm that they have read it."""
    with person_action("person.warn", request) as action:
        _impose(action, Kind.WARNING, None)
        action.person.warned = True
        action.person.save(update_fields=["warned"])
        action.audit_and_email()


def mute(request: PersonRequest, *, until: datetime) -> None:
    """Let somebody write nothing to others until an instant, in place of any mute before."""
    with person_action("person.mute", request) as action:
        before = action.person.muted_until
        _impose(action, Kind.MUTE, until)
        action.person.muted_until = until
        action.person.save(update_fields=["muted_until"])
        action.audit_and_email(before={"at": before}, after={"until": until})


def suspend(request: PersonRequest, *, until: datetime) -> None:
    """Let somebody only read until an instant, in place of any suspension before.

    They leave the tables that wait; in running games they are absent at once.
    """
    with person_action("person.suspend", request) as action:
        before = action.person.suspended_until
        _impose(action, Kind.SUSPENSION, until)
        action.person.suspended_until = until
        action.person.save(update_fields=["suspended_until"])
        action.audit_and_email(before={"at": before}, after={"until": until})
    leave_all_tables(action.person, request.now)


def ban(request: PersonRequest) -> None:
    """Let somebody in no more. Their address stays theirs, so that nobody signs up with it."""
    with person_action("person.ban", request) as action:
        person = action.person
        if not person.is_active:
            raise Refused(_("This person is already banned."))
        _impose(action, Kind.BAN, None)
        person.is_active = False
        person.save(update_fields=["is_active"])
        ways_in.end(person, Case.BANNED)
        action.audit_and_email()
    leave_all_tables(action.person, request.now)


def take_back_warning(request: PersonRequest) -> None:
    """Take back the last warning that stands."""
    with person_action("person.take-back-warning", request) as action:
        _end(action, Kind.WARNING, _("There's no warning to withdraw."))
        action.audit_and_email()


def unmute(request: PersonRequest) -> None:
    """Let somebody write again before their time is over."""
    with person_action("person.unmute", request) as action:
        before = action.person.muted_until
        _end(action, Kind.MUTE, _("This person isn't muted."))
        action.person.muted_until = None
        action.person.save(update_fields=["muted_until"])
        action.audit_and_email(before={"at": before})


def lift_suspension(request: PersonRequest) -> None:
    """End a suspension before its time. The person comes back to their seats by themselves."""
    with person_action("person.lift-suspension", request) as action:
        before = action.person.suspended_until
        _end(action, Kind.SUSPENSION, _("This person isn't suspended."))
        action.person.suspended_until = None
        action.person.save(update_fields=["suspended_until"])
        action.audit_and_email(before={"at": before})


def lift_ban(request: PersonRequest) -> None:
    """Let somebody in again."""
    with person_action("person.lift-ban", request) as action:
        if action.person.is_active:
            raise Refused(_("This person isn't banned."))
        _end(action, Kind.BAN, "")
        action.person.is_active = True
        action.person.save(update_fields=["is_active"])
        action.audit_and_email()


def answer_appeal(request: PersonRequest) -> None:
    """Let a decision stand against which somebody has appealed, the oldest appeal first.

    The moderator who made the decision does not answer, if there is another one.
    """
    with person_action("person.answer-objection", request) as action:
        sanction = next_appeal(action.person, request.moderator)
        if sanction is None:
            if open_appeals(action.person):
                raise Refused(own_decision())
            raise Refused(_("There's no open appeal to answer."))
        sanction.answer, sanction.answered_at = request.reason, request.now
        sanction.save(update_fields=["answer", "answered_at"])
        action.audit_and_email(before={"sanction": sanction.kind})


def rename(request: PersonRequest, *, name: str) -> None:
    """Give somebody another name. The old one is free again, but not for them."""
    name = tidy_name(name)
    with person_action("person.rename", request) as action:
        if sentence := names.why_not(name):
            raise Refused(sentence)
        before = action.person.name
        action.person.name, action.person.name_key = name, key_of(name)
        try:
            with transaction.atomic():
                action.person.save(update_fields=["name", "name_key"])
        except IntegrityError:
            raise Refused(str(names.TAKEN)) from None
        action.audit_and_email(before={"name": before}, after={"name": name})


def end_sessions(request: PersonRequest) -> None:
    """Sign somebody out everywhere."""
    with person_action("person.end-sessions", request) as action:
        ways_in.end(action.person, Case.SIGNED_OUT)
        action.audit_and_email()


def require_second_factor(request: PersonRequest) -> None:
    """Let somebody set up a second factor before anything else, and keep it."""
    with person_action("person.second-factor", request) as action:
        _set_needed(action, needed=True)


def require_no_second_factor(request: PersonRequest) -> None:
    """Leave it to the person again whether they use a second factor."""
    with person_action("person.no-second-factor", request) as action:
        _set_needed(action, needed=False)


def write_note(request: PersonRequest, *, text: str) -> None:
    """Write a staff note about a person. The person is not notified."""
    text = fitting(text, LONGEST_NOTE)
    with person_action("person.note", request) as action:
        note = StaffNote.objects.create(
            person=action.person, author=request.moderator, text=text, at=request.now
        )
        action.audit(after={"staff_note": note.pk})


def _impose(action: PersonAction, kind: Sanction.Kind, until: datetime | None) -> None:
    """Write what is imposed; one of its kind that held before, or has run out, ends."""
    now = action.request.now
    if until is not None and until <= now:
        raise Refused(_("The end date must be in the future."))
    before = []
    if kind != Kind.WARNING:
        before = list(action.person.sanctions.filter(kind=kind, ended_at=None))
    for former in before:
        _close(former, now)
    imposed = Sanction.objects.create(
        person=action.person, kind=kind, reason=action.request.reason, at=now, until=until,
        by=action.request.moderator,
    )  # fmt: skip
    for former in before:
        held_sanctions.replaced(former, imposed)


def _end(action: PersonAction, kind: Sanction.Kind, otherwise: str) -> None:
    """End what is in force, the latest first; `Refused` with `otherwise` where nothing is."""
    sanction = action.person.sanctions.in_force(action.request.now).filter(kind=kind).first()
    if sanction is not None:
        _close(sanction, action.request.now)
        held_sanctions.replaced(sanction, None)
    elif otherwise:
        raise Refused(otherwise)


def _close(sanction: Sanction, now: datetime) -> None:
    """It ends now, if it has not run out before; an open appeal is settled with it."""
    sanction.ended_at = now if sanction.until is None else min(now, sanction.until)
    if sanction.appealed_at is not None and sanction.answered_at is None:
        sanction.answered_at = now
    sanction.save(update_fields=["ended_at", "answered_at"])


def _set_needed(action: PersonAction, *, needed: bool) -> None:
    person: User = action.person
    if person.needs_second_factor == needed:
        raise Refused(_("Already done."))
    person.needs_second_factor = needed
    person.save(update_fields=["needs_second_factor"])
    action.audit_and_email(before={"required": not needed}, after={"required": needed})
