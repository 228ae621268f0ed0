"""What every action on a person starts from: who may do it, to whom, and what it leaves."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final, Unpack

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import AuditLine, Game, Sitting, User
from games.services import outbox
from games.services.audit import Changed
from games.services.moderation.actions.requests import PersonRequest, write_audit_line
from games.services.moderation.audit.queries import lines_for
from games.services.refused import Refused
from games.services.roles import refuse_non_moderators

SAME_ACTION_WITHIN: Final = timedelta(minutes=30)
"""Who goes back in the browser and sends the same form again has sent it once."""


def latest_action(person: User, reader: User) -> int:
    """The number of the last line about somebody that the reader may read; 0 if there is none."""
    lines = lines_for(reader, AuditLine.objects.filter(person=person)).order_by("-pk")
    return lines.values_list("pk", flat=True).first() or 0


class AlreadyDone(Exception):
    """The moderator has just done the same, in the same words: nothing is done again."""


class PersonAction:
    """An action in progress: the locked person, and who does it why."""

    def __init__(self, person: User, key: str, request: PersonRequest) -> None:
        self.person = person
        self.key = key
        self.request = request

    def audit(self, **changed: Unpack[Changed]) -> AuditLine:
        """Write the line of the audit log."""
        return write_audit_line(self.key, self.request, person=self.person, **changed)

    def audit_and_email(self, **changed: Unpack[Changed]) -> None:
        """Write the line of the audit log, and email the person about it."""
        line = self.audit(**changed)
        outbox.enqueue("conduct", person=self.person, now=self.request.now, about=line.pk)


@contextmanager
def person_action(
    key: str, request: PersonRequest, *, once: bool = False
) -> Iterator[PersonAction]:
    """Do the action with this key to a person, who is locked; the block is committed at its end.

    `Refused` if it may not be done, or another action came first; `AlreadyDone` for what is done
    only `once` and was the moderator's last action here.
    """
    with transaction.atomic(durable=True):
        person = User.objects.select_for_update(no_key=True).filter(pk=request.person_id).first()
        if person is None:
            raise Refused(_("This account no longer exists."))
        refuse_non_moderators(request.moderator)
        if reason := why_not(request.moderator, person):
            raise Refused(reason)
        if once and _just_did(key, request, person):
            raise AlreadyDone
        if latest_action(person, request.moderator) != request.seen:
            raise Refused(
                _(
                    "This person's record has changed since you opened the page. Please check it "
                    "again."
                )
            )
        yield PersonAction(person, key, request)


def _just_did(key: str, request: PersonRequest, person: User) -> bool:
    """Whether this was the latest action on them, by the same moderator and in the same words."""
    line = (
        lines_for(request.moderator, AuditLine.objects.filter(person=person)).order_by("pk").last()
    )
    if line is None or line.at < request.now - SAME_ACTION_WITHIN:
        return False
    done = (line.action, line.moderator_id, line.reason)
    return done == (key, request.moderator.pk, request.reason)


def keeps_order(person: User) -> bool:
    """Whether somebody is a moderator or an administrator."""
    return person.is_staff or person.is_superuser


def why_not(moderator: User, person: User) -> str:
    """Why this moderator may not act on somebody; "" where they may."""
    if moderator == person:
        return _("This is your own account, so another moderator has to do this.")
    if keeps_order(person) and not moderator.has_perm("games.administer_site"):
        return _("This person is a moderator, so only an administrator can do this.")
    if plays_with(moderator, person):
        return _(
            "You play, or have played, in a running game with this person, so another moderator "
            "has to do this."
        )
    return ""


def plays_with(moderator: User, person: User) -> bool:
    """Whether somebody sits in a running game at which the moderator sits or has sat."""
    own = Sitting.objects.filter(user=moderator, seat__game__status=Game.Status.RUNNING)
    return Sitting.objects.filter(
        user=person, ended_at=None, seat__game__in=own.values("seat__game")
    ).exists()
