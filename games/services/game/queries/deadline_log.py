"""Every change of a deadline at a table, as one person may read it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Event, Game, User
from games.presentation.log.story import event_text
from games.presentation.log.table_story import why_moved
from games.presentation.text.said import Said
from games.presentation.text.words import People, day_and_hour, to_the_minute
from games.services.game.queries.causes import SHOWN_CAUSES
from games.services.game.queries.game_view import read_game
from games.services.game.queries.log import people_then, reasons_of
from games.table_events import (
    NAME_CHANGES,
    DeadlineMoved,
    DefaultCalled,
    GamePaused,
    GameResumed,
    GameTakenUp,
    NameChange,
    PaceChanged,
    Rewound,
    TableEvent,
    TalkClosed,
    TalkMoved,
    TalkOpened,
    decode_table_event,
)

SHOWN_EVENTS: Final = (
    DeadlineMoved,
    DefaultCalled,
    GamePaused,
    GameResumed,
    GameTakenUp,
    PaceChanged,
    Rewound,
    TalkOpened,
    TalkMoved,
    TalkClosed,
)
"""The events that move a deadline, stop its clock, end it early, or change those to come."""

LEAST_CHANGE: Final = timedelta(minutes=1)
"""A deadline that moved by less, as after a short pause, is not shown: it reads the same."""

_DEADLINE: Final = Said(gettext_lazy("{name}'s deadline"), gettext_lazy("Your deadline"))


class DeadlineChange(NamedTuple):
    """A change, on the reader's clock.

    `text` says what happened or whose deadline it is, `why` what for, `reason` is a moderator's
    words. `before` and `after` are the deadlines, or empty; `cause` is, where the player did it.
    `names` are those of the players then.
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
    names: Sequence[str]


def read_deadline_changes(game: Game, user: User | None, zone: str) -> list[DeadlineChange]:
    """All changes at a game that has started, the latest first; anybody at the page may read them.

    Deadlines that moved by less than a minute are left out. Everybody is called by the name of the
    player of that time.
    """
    kinds = [*(event.__name__ for event in SHOWN_EVENTS), *NAME_CHANGES]
    rows = list(game.events.filter(kind__in=kinds).order_by("seq"))
    reader = read_game(game, user).reader
    people, reasons = people_then(rows, reader, 0), reasons_of(game, rows)
    changes = []
    for row in rows:
        event = decode_table_event({"kind": row.kind, **row.payload})
        if isinstance(event, NameChange):
            people = people_then(rows, reader, row.seq)
        elif not (
            isinstance(event, DeadlineMoved) and abs(event.after - event.before) < LEAST_CHANGE
        ):
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
        cause=str(SHOWN_CAUSES[row.cause]),
        reason="",
        at=to_the_minute(row.at),
        when=day_and_hour(row.at, zone),
        names=people.names,
    )
    match event:
        case DeadlineMoved(seat, before, after, why):
            return change._replace(
                text=_DEADLINE.about(people, seat),
                colour=people.colour(seat),
                before=day_and_hour(before, zone),
                after=day_and_hour(after, zone),
                why=why_moved(why),
            )
        case TalkMoved(before, after, why):
            return change._replace(
                text=_("Negotiation time"),
                before=day_and_hour(before, zone),
                after=day_and_hour(after, zone),
                why=why_moved(why),
            )
        case TalkOpened(until):
            return change._replace(text=_("Negotiation time"), after=day_and_hour(until, zone))
        case GamePaused(until):
            after_pause = day_and_hour(until, zone) if until is not None else ""
            return change._replace(text=event_text(people, GamePaused(None)), after=after_pause)
        case _:
            return change._replace(text=event_text(people, event))
