"""Acts on a person: each one function, with a line in the audit log and a mail to the person."""

from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.models import PersonNote, Sanction, User
from games.names import key_of
from games.names import tidy as tidy_name
from games.services.clean_text import tidy
from games.services.lobby.leave_all import leave_all_tables
from games.services.moderation.actions.on_people import PersonActing, PersonAsk, acting_on
from games.services.moderation.queries.appeals import (
    next_objection,
    own_decision,
    waiting_objections,
)
from games.services.people import names
from games.services.refused import Refused

Kind = Sanction.Kind

LONGEST_NOTE = 2000


def warn(ask: PersonAsk) -> None:
    """Warn somebody. It stands on their first page until they say that they have read it."""
    with acting_on("warn", ask) as act:
        _impose(act, Kind.WARNING, None)
        act.person.warned = True
        act.person.save(update_fields=["warned"])
        act.audit_and_tell()


def mute(ask: PersonAsk, *, until: datetime) -> None:
    """Let somebody write nothing to others until an instant, in place of any mute before."""
    with acting_on("mute", ask) as act:
        before = act.person.muted_until
        _impose(act, Kind.MUTE, until)
        act.person.muted_until = until
        act.person.save(update_fields=["muted_until"])
        act.audit_and_tell(before=before, after=until)


def suspend(ask: PersonAsk, *, until: datetime) -> None:
    """Let somebody only read until an instant, in place of any suspension before.

    They leave the tables that wait; in running games they are absent at once.
    """
    with acting_on("suspend", ask) as act:
        before = act.person.suspended_until
        _impose(act, Kind.SUSPENSION, until)
        act.person.suspended_until = until
        act.person.save(update_fields=["suspended_until"])
        act.audit_and_tell(before=before, after=until)
    leave_all_tables(act.person, ask.now)


def ban(ask: PersonAsk) -> None:
    """Let somebody in no more. Their address stays theirs, so that nobody signs up with it."""
    with acting_on("ban", ask) as act:
        person = act.person
        if not person.is_active:
            raise Refused(_("This person is already banned."))
        _impose(act, Kind.BAN, None)
        person.is_active = False
        person.sessions_ended += 1
        person.save(update_fields=["is_active", "sessions_ended"])
        act.audit_and_tell()
    leave_all_tables(act.person, ask.now)


def take_back_warning(ask: PersonAsk) -> None:
    """Take back the last warning that stands."""
    with acting_on("take back warning", ask) as act:
        _end(act, Kind.WARNING, _("There is no warning to withdraw."))
        act.audit_and_tell()


def unmute(ask: PersonAsk) -> None:
    """Let somebody write again before their time is over."""
    with acting_on("unmute", ask) as act:
        before = act.person.muted_until
        _end(act, Kind.MUTE, _("This person is not muted."))
        act.person.muted_until = None
        act.person.save(update_fields=["muted_until"])
        act.audit_and_tell(before=before)


def lift_suspension(ask: PersonAsk) -> None:
    """End a suspension before its time. The person comes back to their seats by themselves."""
    with acting_on("lift suspension", ask) as act:
        before = act.person.suspended_until
        _end(act, Kind.SUSPENSION, _("This person is not suspended."))
        act.person.suspended_until = None
        act.person.save(update_fields=["suspended_until"])
        act.audit_and_tell(before=before)


def lift_ban(ask: PersonAsk) -> None:
    """Let somebody in again."""
    with acting_on("lift ban", ask) as act:
        if act.person.is_active:
            raise Refused(_("This person is not banned."))
        _end(act, Kind.BAN, "")
        act.person.is_active = True
        act.person.save(update_fields=["is_active"])
        act.audit_and_tell()


def answer_objection(ask: PersonAsk) -> None:
    """Let a decision stay to which somebody has objected, the oldest first. The reason is told.

    Who made the decision does not answer, if there is another moderator.
    """
    with acting_on("answer objection", ask) as act:
        sanction = next_objection(act.person, ask.moderator)
        if sanction is None:
            if waiting_objections(act.person):
                raise Refused(own_decision())
            raise Refused(_("There is no open appeal to answer."))
        sanction.answer, sanction.answered_at = ask.reason, ask.now
        sanction.save(update_fields=["answer", "answered_at"])
        act.audit_and_tell(before=sanction.kind)


def rename(ask: PersonAsk, *, name: str) -> None:
    """Give somebody another name. The old one is free again, but not for them."""
    name = tidy_name(name)
    with acting_on(names.RENAME, ask) as act:
        if told := names.why_not(name):
            raise Refused(told)
        before = act.person.name
        act.person.name, act.person.name_key = name, key_of(name)
        try:
            with transaction.atomic():
                act.person.save(update_fields=["name", "name_key"])
        except IntegrityError:
            raise Refused(str(names.TAKEN)) from None
        act.audit_and_tell(before=before, after=name)


def end_sessions(ask: PersonAsk) -> None:
    """Sign somebody out everywhere."""
    with acting_on("end sessions", ask) as act:
        act.person.sessions_ended += 1
        act.person.save(update_fields=["sessions_ended"])
        act.audit_and_tell()


def require_second_factor(ask: PersonAsk) -> None:
    """Let somebody set up a second factor before anything else, and keep it."""
    with acting_on("require second factor", ask) as act:
        _set_needed(act, needed=True)


def require_no_second_factor(ask: PersonAsk) -> None:
    """Leave it to the person again whether they use a second factor."""
    with acting_on("no second factor", ask) as act:
        _set_needed(act, needed=False)


def write_note(ask: PersonAsk, *, text: str) -> None:
    """Note something about a person, for moderators only. The person is not told."""
    text = tidy(text)
    if not 0 < len(text) <= LONGEST_NOTE:
        raise Refused(_("Please write between 1 and {most} characters.").format(most=LONGEST_NOTE))
    with acting_on("note", ask) as act:
        note = PersonNote.objects.create(
            person=act.person, author=ask.moderator, text=text, at=ask.now
        )
        act.audit(after=f"note {note.pk}")


def _impose(act: PersonActing, kind: Sanction.Kind, until: datetime | None) -> None:
    """Write what is imposed; one of its kind that held before, or has run out, ends."""
    now = act.ask.now
    if until is not None and until <= now:
        raise Refused(_("The end must be in the future."))
    if kind != Kind.WARNING:
        for former in act.person.sanctions.filter(kind=kind, ended_at=None):
            _close(former, now)
    Sanction.objects.create(
        person=act.person, kind=kind, reason=act.ask.reason, at=now, until=until,
        by=act.ask.moderator,
    )  # fmt: skip


def _end(act: PersonActing, kind: Sanction.Kind, otherwise: str) -> None:
    """End what is in force, the latest first; `Refused` with `otherwise` where nothing is."""
    sanction = act.person.sanctions.in_force(act.ask.now).filter(kind=kind).first()
    if sanction is not None:
        _close(sanction, act.ask.now)
    elif otherwise:
        raise Refused(otherwise)


def _close(sanction: Sanction, now: datetime) -> None:
    """It ends now, if it has not run out before; an objection that waits is settled with it."""
    sanction.ended_at = now if sanction.until is None else min(now, sanction.until)
    if sanction.objected_at is not None and sanction.answered_at is None:
        sanction.answered_at = now
    sanction.save(update_fields=["ended_at", "answered_at"])


def _set_needed(act: PersonActing, *, needed: bool) -> None:
    person: User = act.person
    if person.needs_second_factor == needed:
        raise Refused(_("Already done."))
    person.needs_second_factor = needed
    person.save(update_fields=["needs_second_factor"])
    act.audit_and_tell(before=not needed, after=needed)
