"""Every change of a deadline at a table, as one person may read it."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Cause, Event, Game, User
from games.presentation.log.story import tell
from games.presentation.text.words import People, day_and_hour, to_the_minute
from games.services.game.queries.game_view import read_game
from games.services.game.queries.log import TOLD_CAUSES, people_then, reasons_of
from games.table_events import (
    DeadlineMoved,
    DefaultCalled,
    GamePaused,
    GameResumed,
    GameTakenUp,
    HousePlayerSat,
    PaceChanged,
    Rewound,
    SeatReopened,
    SubstituteSat,
    TableEvent,
    decode_table_event,
)

TOLD: Final = (
    DeadlineMoved,
    DefaultCalled,
    GamePaused,
    GameResumed,
    GameTakenUp,
    PaceChanged,
    Rewound,
)
"""What moves a deadline, stops its clock, ends it early, or changes those to come."""

LEAST: Final = timedelta(minutes=1)
"""A deadline that moved by less, as after a short pause, is not told: it reads the same."""

WHO_SITS: Final = (HousePlayerSat, SeatReopened, SubstituteSat)
"""By these the names change."""

WHY: Final[dict[str, Promise]] = {
    "outage": gettext_lazy("The clock had stopped."),
    "pause": gettext_lazy("The game was paused."),
    "parked": gettext_lazy("The game couldn't continue."),
    "hours": gettext_lazy("All games were given extra time."),
    "downtime": gettext_lazy("The site couldn't be reached."),
    "maintenance": gettext_lazy("The site was under maintenance."),
    "days_off": gettext_lazy("Days off don't count."),
}
"""Why a deadline was moved, for those of `table_events.REASONS` that say more than who did it."""


class DeadlineChange(NamedTuple):
    """A change, on the reader's clock.

    `text` says what happened or whose deadline it is, `why` what for, `reason` what a moderator
    said. `before` and `after` are the deadlines, or empty; `cause` is, where the player did it.
    """

    seq: int
    text: str
    colour: str
    before: str
    after: str
    why: str
    cause: str
    reason: str
    at: datetime
    when: str


def read_deadline_changes(game: Game, user: User | None, zone: str) -> list[DeadlineChange]:
    """All changes at a game that has started, the latest first; anybody at the page may read them.

    Deadlines that moved by less than a minute are left out. Everybody is called by the name of who
    sat there then.
    """
    kinds = [event.__name__ for event in (*TOLD, *WHO_SITS)]
    rows = list(game.events.filter(kind__in=kinds).order_by("seq"))
    reader = read_game(game, user).reader
    people, reasons = people_then(rows, reader, 0), reasons_of(game, rows)
    changes = []
    for row in rows:
        event = decode_table_event({"kind": row.kind, **row.payload})
        if isinstance(event, WHO_SITS):
            people = people_then(rows, reader, row.seq)
        elif not (isinstance(event, DeadlineMoved) and abs(event.after - event.before) < LEAST):
            changes.append(
                _change(row, event, people, zone)._replace(reason=reasons.get(row.seq, ""))
            )
    return changes[::-1]


def _change(row: Event, event: TableEvent, people: People, zone: str) -> DeadlineChange:
    change = DeadlineChange(
        seq=row.seq,
        text="",
        colour="",
        before="",
        after="",
        why="",
        cause=str(TOLD_CAUSES.get(Cause(row.cause), "")),
        reason="",
        at=to_the_minute(row.at),
        when=day_and_hour(row.at, zone),
    )
    match event:
        case DeadlineMoved(seat, before, after, why):
            return change._replace(
                text=_("{name}'s deadline").format(name=people.name(seat)),
                colour=people.colour(seat),
                before=day_and_hour(before, zone),
                after=day_and_hour(after, zone),
                why=str(WHY.get(why, "")),
            )
        case GamePaused(until):
            after_pause = day_and_hour(until, zone) if until is not None else ""
            return change._replace(text=tell(people, GamePaused(None)), after=after_pause)
        case _:
            return change._replace(text=tell(people, event))
