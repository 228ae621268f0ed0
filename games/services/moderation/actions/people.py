"""Actions on a person: each writes a line to the audit log, and most email the person."""

from contextlib import suppress
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.extensions import Case
from games.models import Sanction, StaffNote, User
from games.names import key_of, tidy_name
from games.services.accounts import ways_in
from games.services.audit import Changed
from games.services.clean_text import fitting
from games.services.lobby.leave_all import leave_all_tables
from games.services.moderation.actions import sanctioning
from games.services.moderation.actions.person_action import (
    AlreadyDone,
    PersonAction,
    person_action,
)
from games.services.moderation.actions.requests import PersonRequest
from games.services.moderation.actions.sanctioning import impose, nothing_to_shorten
from games.services.moderation.queries.appeals import (
    can_be_shortened,
    next_appeal,
    open_appeals,
    own_decision,
)
from games.services.moderation.queries.person import sanctions_for
from games.services.people import names
from games.services.refused import Refused

Kind = Sanction.Kind

LONGEST_NOTE = 2000


def warn(request: PersonRequest) -> None:
    """Warn somebody. It stays on their home page until they confirm that they have read it.

    Who goes back in the browser and warns again in the same words has done it already.
    """
    with suppress(AlreadyDone), person_action("person.warn", request, once=True) as action:
        action.audit_and_email(**impose(action.person, Kind.WARNING, request))


def mute(request: PersonRequest, *, until: datetime) -> None:
    """Let somebody write nothing to others until an instant, in place of any mute before."""
    with person_action("person.mute", request) as action:
        action.audit_and_email(**impose(action.person, Kind.MUTE, request, until=until))


def suspend(request: PersonRequest, *, until: datetime) -> None:
    """Let somebody only read until an instant, in place of any suspension before.

    They leave the tables that wait; in running games they are absent at once.
    """
    with person_action("person.suspend", request) as action:
        action.audit_and_email(**impose(action.person, Kind.SUSPENSION, request, until=until))
    leave_all_tables(action.person, request.now)


def ban(request: PersonRequest) -> None:
    """Let somebody in no more. Their address stays theirs, so that nobody signs up with it."""
    with person_action("person.ban", request) as action:
        action.audit_and_email(**impose(action.person, Kind.BAN, request))
    leave_all_tables(action.person, request.now)


def take_back_warning(request: PersonRequest) -> None:
    """Take back the last warning that stands and the moderator may know of."""
    with person_action("person.take-back-warning", request) as action:
        _end(action, Kind.WARNING, _("There's no warning to withdraw."))


def unmute(request: PersonRequest) -> None:
    """Let somebody write again before their time is over."""
    with person_action("person.unmute", request) as action:
        _end(action, Kind.MUTE, _("This person isn't muted."))


def lift_suspension(request: PersonRequest) -> None:
    """End a suspension before its time. The person comes back to their seats by themselves."""
    with person_action("person.lift-suspension", request) as action:
        _end(action, Kind.SUSPENSION, _("This person isn't suspended."))


def lift_ban(request: PersonRequest) -> None:
    """Let somebody in again."""
    with person_action("person.lift-ban", request) as action:
        if action.person.is_active:
            raise Refused(_("This person isn't banned."))
        ban = action.person.sanctions.in_force(request.now).filter(kind=Kind.BAN).first()
        if ban is not None:
            sanctioning.end(action.person, ban, request.now)
        action.person.is_active = True
        action.person.save(update_fields=["is_active"])
        action.audit_and_email()


def answer_appeal(request: PersonRequest) -> None:
    """Let a decision stand against which somebody has appealed, the oldest appeal first.

    The moderator who made the decision does not answer, if there is another one.
    """
    with person_action("person.answer-objection", request) as action:
        sanction = _appealed(action)
        sanction.answer, sanction.answered_at = request.reason, request.now
        sanction.save(update_fields=["answer", "answered_at"])
        action.audit_and_email(before={"sanction": sanction.kind})


def shorten(request: PersonRequest, *, days: int) -> None:
    """Answer the oldest appeal by letting the sanction end so many days from now.

    A ban becomes a suspension until then. The moderator who made the decision doesn't answer, if
    there is another one.
    """
    with person_action("person.shorten", request) as action:
        sanction = _appealed(action)
        if not can_be_shortened(sanction, request.now):
            raise Refused(nothing_to_shorten())
        until = request.now + timedelta(days=days)
        changed = sanctioning.shorten(action.person, sanction, until, request)
        sanction.answer, sanction.answered_at = request.reason, request.now
        sanction.save(update_fields=["answer", "answered_at"])
        action.audit_and_email(**changed)


def _appealed(action: PersonAction) -> Sanction:
    """The sanction whose appeal is answered next."""
    sanction = next_appeal(action.person, action.request.moderator)
    if sanction is None:
        if open_appeals(action.person):
            raise Refused(own_decision())
        raise Refused(_("There's no open appeal to answer."))
    return sanction


def rename(request: PersonRequest, *, name: str) -> None:
    """Give somebody another name. The old one is free again, but not for them."""
    with person_action("person.rename", request) as action:
        action.audit_and_email(**give_name(action.person, name))


def give_name(person: User, name: str) -> Changed:
    """Give somebody locked a name that nobody has. What changed is returned."""
    name = tidy_name(name)
    if sentence := names.why_not(name):
        raise Refused(sentence)
    before, person.name, person.name_key = person.name, name, key_of(name)
    try:
        with transaction.atomic():
            person.save(update_fields=["name", "name_key"])
    except IntegrityError:
        raise Refused(str(names.TAKEN)) from None
    return {"before": {"name": before}, "after": {"name": name}}


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


def _end(action: PersonAction, kind: Sanction.Kind, otherwise: str) -> None:
    """End what is in force, the latest first; `Refused` with `otherwise` where nothing is."""
    now = action.request.now
    held: QuerySet[Sanction] = action.person.sanctions.in_force(now).filter(kind=kind)
    if kind == Kind.WARNING:
        held = sanctions_for(action.request.moderator, held)
    sanction = held.first()
    if sanction is None:
        raise Refused(otherwise)
    action.audit_and_email(**sanctioning.end(action.person, sanction, now))


def _set_needed(action: PersonAction, *, needed: bool) -> None:
    person: User = action.person
    if person.needs_second_factor == needed:
        raise Refused(_("Already done."))
    person.needs_second_factor = needed
    person.save(update_fields=["needs_second_factor"])
    action.audit_and_email(before={"required": not needed}, after={"required": needed})
