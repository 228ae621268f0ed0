"""The audit log: a line for everything that moderators, hosts, votes and the clock do to games."""

from datetime import datetime
from typing import Final

from games.models import AuditLine, Game, User

CLOCK: Final = "the clock"
TABLE: Final = "the table"
HOST: Final = "the host"


def note(  # noqa: PLR0913 (a line has many parts, each by name)
    act: str,
    *,
    now: datetime,
    who: User | str,
    game: Game | None = None,
    person: User | None = None,
    reason: str = "",
    before: object = "",
    after: object = "",
) -> AuditLine:
    """Write a line, in the transaction of what it tells of. It is never changed again.

    `who` did `act`, at a `game` or to a `person`; `before` and `after` are what changed, without
    any secret of the game.
    """
    return AuditLine.objects.create(
        at=now,
        who=who if isinstance(who, str) else who.name,
        moderator=None if isinstance(who, str) else who,
        act=act,
        game=game,
        person=person,
        reason=reason,
        before=_short(before),
        after=_short(after),
    )


def _short(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return "" if value is None else str(value)[:200]
