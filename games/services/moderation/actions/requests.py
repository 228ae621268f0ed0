"""What a moderator asks for: on what, by whom, why, and what they saw when they decided."""

from datetime import datetime
from typing import NamedTuple, Self, Unpack

from games.models import AuditLine, User
from games.services import audit


class ActionRequest(NamedTuple):
    """A moderator wants to do something, for this reason."""

    moderator: User
    reason: str
    now: datetime


class Seen(NamedTuple):
    """What a moderator saw of a game: the phase, the sum of the deadlines' versions, who sat where.

    `people` are the ids of those at the seats, which an action on a seat would hit.
    """

    phase_no: int
    version: int
    people: str


class GameRequest(NamedTuple):
    """The same for one game."""

    game_id: int
    moderator: User
    reason: str
    seen: Seen
    now: datetime

    @classmethod
    def of(cls, request: ActionRequest, game_id: int, seen: Seen) -> Self:
        """A request about a game."""
        return cls(game_id, request.moderator, request.reason, seen, request.now)


class PersonRequest(NamedTuple):
    """The same for one person.

    `seen` was the latest action on them when the moderator decided (`latest_action`), so that two
    moderators at once don't do it twice.
    """

    person_id: int
    moderator: User
    reason: str
    seen: int
    now: datetime

    @classmethod
    def of(cls, request: ActionRequest, person_id: int, seen: int) -> Self:
        """A request about a person."""
        return cls(person_id, request.moderator, request.reason, seen, request.now)


class Results(NamedTuple):
    """What an action on many things has done, and what was refused why; each a sentence."""

    done: list[str]
    refused: list[str]


def write_audit_line(
    action: str,
    request: ActionRequest | GameRequest | PersonRequest,
    **about: Unpack[audit.About],
) -> AuditLine:
    """Write in the audit log that the moderator has done what they asked for."""
    return audit.write(
        action, now=request.now, who=request.moderator, reason=request.reason, **about
    )
