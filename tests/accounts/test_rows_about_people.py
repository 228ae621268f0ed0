"""Every foreign key to a person: what an account's deletion makes of it, and the export of it.

A new one fails here until both are decided: `on_delete` of its field, and a line below.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

import pytest
from django.apps import apps
from django.db import models

from games.models import User

GOES, EMPTIED, KEPT = "CASCADE", "SET_NULL", "DO_NOTHING"
"""The row goes; it stays without the person; it stays with their number, which says no more."""

BY_THE_DATABASE: Final = "DB_"
"""How the name begins where the database does it: in tables that belong to a feature."""

IN_FILE: Final = ""
MODERATORS: Final = "what moderators did or wrote; in the file is what the person was told of it"
ROLES: Final = "roles, of which the file says whether one is a moderator"


class Fate(NamedTuple):
    """What happens to it when the person goes, and why it isn't in their file: "" if it is."""

    when_deleted: str
    not_in_file: str


FATES: Final = {
    "Acquaintance.other": Fate(GOES, IN_FILE),
    "Acquaintance.person": Fate(GOES, IN_FILE),
    "AuditLine.moderator": Fate(KEPT, MODERATORS),
    "AuditLine.person": Fate(KEPT, MODERATORS),
    "Authenticator.user": Fate(GOES, IN_FILE),
    "Ballot.user": Fate(GOES, IN_FILE),
    "Block.blocked": Fate(GOES, "who blocks them is a secret of others"),
    "Block.blocker": Fate(GOES, IN_FILE),
    "DoneRequest.user": Fate(GOES, "keeps a request from being carried out twice, for a month"),
    "Draft.user": Fate(GOES, IN_FILE),
    "EmailAddress.user": Fate(GOES, IN_FILE),
    "Export.user": Fate(GOES, "the file itself"),
    "FactorReset.person": Fate(GOES, "of a day; its person was told by email"),
    "FactorReset.requested_by": Fate(EMPTIED, MODERATORS),
    "Game.host": Fate(EMPTIED, IN_FILE),
    "HeldSanction.by": Fate(EMPTIED, MODERATORS),
    "Ignore.ignored": Fate(GOES, "who ignores them is a secret of others"),
    "Ignore.user": Fate(GOES, IN_FILE),
    "InboundEmail.person": Fate(GOES, "email that the person has sent, for a week"),
    "Invitation.invited_by": Fate(EMPTIED, IN_FILE),
    "Letter.author": Fate(EMPTIED, IN_FILE),
    "LogEntry.user": Fate(GOES, "of Django's admin, unused"),
    "Message.author": Fate(EMPTIED, IN_FILE),
    "Miss.user": Fate(GOES, IN_FILE),
    "Move.user": Fate(EMPTIED, "in the log and the record of each game"),
    "MutedGame.user": Fate(GOES, IN_FILE),
    "Note.user": Fate(GOES, IN_FILE),
    "OutboxEmail.person": Fate(GOES, "email that the person has"),
    "PrivateMessage.author": Fate(EMPTIED, IN_FILE),
    "PushSubscription.user": Fate(GOES, IN_FILE),
    "Question.owner": Fate(EMPTIED, MODERATORS),
    "Question.person": Fate(GOES, IN_FILE),
    "Redaction.moderator": Fate(EMPTIED, MODERATORS),
    "Report.closed_by": Fate(EMPTIED, MODERATORS),
    "Report.owner": Fate(EMPTIED, MODERATORS),
    "Report.person": Fate(EMPTIED, IN_FILE),
    "Report.reporter": Fate(EMPTIED, IN_FILE),
    "Sanction.by": Fate(EMPTIED, MODERATORS),
    "Sanction.person": Fate(GOES, IN_FILE),
    "Seat.user": Fate(EMPTIED, IN_FILE),
    "SecretsRevealed.moderator": Fate(EMPTIED, MODERATORS),
    "SharedBrowser.first": Fate(GOES, "about two people, one of whom may be somebody else"),
    "SharedBrowser.second": Fate(GOES, "about two people, one of whom may be somebody else"),
    "SignIn.user": Fate(GOES, IN_FILE),
    "Sitting.user": Fate(EMPTIED, IN_FILE),
    "SocialAccount.user": Fate(GOES, IN_FILE),
    "StaffNote.author": Fate(EMPTIED, MODERATORS),
    "StaffNote.person": Fate(GOES, MODERATORS),
    "ThreadMember.user": Fate(EMPTIED, IN_FILE),
    "TimeGrant.requested_by": Fate(EMPTIED, MODERATORS),
    "UserSession.user": Fate(GOES, IN_FILE),
    "User_groups.user": Fate(GOES, ROLES),
    "User_user_permissions.user": Fate(GOES, ROLES),
    "Visit.user": Fate(GOES, "how far a page was read"),
    "Vote.opened_by": Fate(EMPTIED, "in the log of each game"),
}

NO_KEYS: Final = {
    "AuditLine.after": "which people an action left, as JSON; never changed",
    "AuditLine.before": "which people an action found, as JSON; never changed",
    "Thread.people": "who talks, with the seat of each; its members are keys",
}
"""Columns with the numbers of people that are no keys: the database doesn't look after them."""


def _fate(on_delete: Callable[..., object]) -> str:
    return on_delete.__name__.removeprefix(BY_THE_DATABASE)


def keys_to_people() -> dict[str, str]:
    """Each foreign key to a person, and what its row does when they are deleted."""
    return {
        f"{relation.related_model.__name__}.{relation.field.name}": _fate(relation.on_delete)
        for relation in User._meta.get_fields(include_hidden=True)
        if isinstance(relation, models.ForeignObjectRel) and relation.on_delete is not None
    }


def test_every_key_to_a_person_was_thought_of():
    assert keys_to_people() == {key: fate.when_deleted for key, fate in FATES.items()}


@pytest.mark.parametrize("column", NO_KEYS)
def test_other_columns_with_numbers_of_people_are_no_keys(column):
    model, name = column.split(".")
    assert not apps.get_model("games", model)._meta.get_field(name).is_relation
