"""The ground of every act on a person: who may, on whom, and what it leaves behind."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple, Self

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import AuditLine, Game, Sitting, User
from games.services import audit, outbox
from games.services.moderation.actions.on_games import Decision
from games.services.refused import Refused
from games.services.roles import refuse_strangers


class PersonAsk(NamedTuple):
    """An act that is asked for: on whom, by whom, why, after which act on them, and when.

    `seen` is what `latest_act` was when the moderator decided, so that two who act at once do not
    do it twice.
    """

    person_id: int
    moderator: User
    reason: str
    seen: int
    now: datetime

    @classmethod
    def of(cls, decision: Decision, person_id: int, seen: int) -> Self:
        """A decision about a person."""
        return cls(person_id, decision.moderator, decision.reason, seen, decision.now)


def latest_act(person: User) -> int:
    """The number of the last line of the audit log about somebody; 0 where there is none."""
    lines = AuditLine.objects.filter(person=person).order_by("-pk")
    return lines.values_list("pk", flat=True).first() or 0


class PersonActing:
    """An act under way: the locked person, and who acts why."""

    def __init__(self, person: User, name: str, ask: PersonAsk) -> None:
        self.person = person
        self.name = name
        self.ask = ask

    def audit(self, *, before: object = "", after: object = "") -> AuditLine:
        """Write the line of the audit log."""
        return audit.note(
            self.name,
            now=self.ask.now,
            who=self.ask.moderator,
            person=self.person,
            reason=self.ask.reason,
            before=before,
            after=after,
        )

    def audit_and_tell(self, *, before: object = "", after: object = "") -> None:
        """Write the line of the audit log, and a mail to the person about it."""
        line = self.audit(before=before, after=after)
        outbox.enqueue("conduct", person=self.person, now=self.ask.now, about=line.pk)


@contextmanager
def acting_on(name: str, ask: PersonAsk) -> Iterator[PersonActing]:
    """An act on a person, who is locked; what the block does is committed at its end.

    `Refused` where it may not be done, or another act came first.
    """
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).filter(pk=ask.person_id).first()
        if person is None:
            raise Refused(_("This account no longer exists."))
        refuse_unless_may_act_on(ask.moderator, person)
        if latest_act(person) != ask.seen:
            raise Refused(
                _("This person's record has changed since you opened the page. Please check again.")
            )
        yield PersonActing(person, name, ask)


def keeps_order(person: User) -> bool:
    """Whether somebody is a moderator or an administrator."""
    return person.is_staff or person.is_superuser


def why_not(moderator: User, person: User) -> str:
    """Why this moderator may not act on somebody; "" where they may."""
    if moderator == person:
        return _("This is your own account, so another moderator has to do this.")
    if keeps_order(person) and not moderator.has_perm("games.administer_site"):
        return _("Only an administrator can do this to a moderator.")
    if plays_with(moderator, person):
        return _("You're currently playing with this person, so another moderator has to do this.")
    return ""


def plays_with(moderator: User, person: User) -> bool:
    """Whether somebody sits in a running game at which the moderator sits or has sat."""
    own = Sitting.objects.filter(user=moderator, seat__game__status=Game.Status.RUNNING)
    return Sitting.objects.filter(
        user=person, ended_at=None, seat__game__in=own.values("seat__game")
    ).exists()


def refuse_unless_may_act_on(moderator: User, person: User) -> None:
    """Only moderators act; not on themselves, one another, or those with whom they play."""
    refuse_strangers(moderator)
    if reason := why_not(moderator, person):
        raise Refused(reason)
