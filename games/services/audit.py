"""The audit log: a line for everything that moderators, hosts, votes and the clock do to games."""

from datetime import datetime
from typing import Any, Final, TypedDict, Unpack

from games.models import AuditLine, Game, User

CLOCK: Final = "the clock"
TABLE: Final = "the table"
HOST: Final = "the host"
OWNER: Final = "the owner"
"""Whoever runs commands on the server."""


class Values(TypedDict, total=False):
    """What an action found or left: each value by what it is, rows by their keys.

    Instants are stored as ISO strings. `until` and `paused_until` are None where there is no end.
    `games.services.moderation.audit.words` says each of them in words.
    """

    name: str
    text: str
    error: str
    at: datetime | None
    until: datetime | None
    paused_until: datetime | None
    period: tuple[datetime, datetime]
    seconds: int
    hours: int
    missed: int
    required: bool
    step: int
    vote_on_step: int
    computer_player: str
    secrets: list[str]
    game_status: str
    strangers: str
    sanction: str
    person: int
    message: int
    staff_note: int
    question: int
    invitations: int
    accounts: int
    report: int
    report_state: str
    email: int
    email_kind: str
    email_status: str
    role: str
    language: str
    """In which an email about it is written to an address without an account."""


class Changed(TypedDict, total=False):
    """What an action found and what it left, without any secret of the game."""

    before: Values
    after: Values


class About(Changed, total=False):
    """At which game, or to whom, it was done."""

    game: Game | None
    person: User | None


def write(
    action: str, *, now: datetime, who: User | str, reason: str = "", **about: Unpack[About]
) -> AuditLine:
    """Write a line, in the transaction of the change it is about. It is never changed again.

    `who` did `action`, a key of `games.admin.actions`.
    """
    return AuditLine.objects.create(
        at=now,
        who=who if isinstance(who, str) else who.name,
        moderator=None if isinstance(who, str) else who,
        action=action,
        game=about.get("game"),
        person=about.get("person"),
        reason=reason,
        before=_as_json(about.get("before", {})),
        after=_as_json(about.get("after", {})),
    )


def _as_json(values: Values) -> dict[str, Any]:
    return {kind: _plain(value) for kind, value in values.items()}


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return [_plain(one) for one in value] if isinstance(value, tuple) else value
