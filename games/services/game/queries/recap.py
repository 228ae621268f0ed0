"""Events at a table since a person's last visit: what others did, and what it led to."""

from typing import Final, NamedTuple

from games.engine import Event as EngineEvent
from games.engine.events import LastIncome, SalaryPaid, TurnBegan
from games.models import Game, Seat
from games.services.game.queries.causes import BY_A_PERSON
from games.services.game.queries.log import Entry, Log, LogLine, LogTurn, read_event
from games.services.game.replay import mover_of
from games.table_events import (
    DeadlineMoved,
    OfferMade,
    OfferReplied,
    SeatReturned,
    TableEvent,
    TalkClosed,
    TalkMoved,
    TalkOpened,
    VoteOpened,
    WaitBegan,
)

MOST_RECAPPED: Final = 8
"""How many lines of the log, the last ones, are shown again to those who were away."""

STAGE_DIRECTIONS: Final = frozenset(
    event.__name__
    for event in (TurnBegan, LastIncome, TalkOpened, TalkMoved, TalkClosed, WaitBegan)
)
"""Kinds of events that say what the game waits for. Whoever reads the news sees that anyway."""


class Recap(NamedTuple):
    """What happened since the reader's last visit: its last lines, and how many came before."""

    lines: list[LogLine]
    more: int
    first_step: int


def read_recap(log: Log, game: Game, own: Seat | None, last_seen: int) -> Recap | None:
    """What the reader, who has the seat `own`, has missed; None if nothing.

    Asks the database only where the reader's seat has moved: an own order may have done it.
    """
    fresh = [entry for turn in reversed(log.turns) for entry in _news(turn)] if last_seen else []
    entries = without_own(fresh, game, own)
    if not entries:
        return None
    lines = [log.line(entry) for entry in entries[-MOST_RECAPPED:]]
    return Recap(lines, len(entries) - len(lines), last_seen)


def _news(turn: LogTurn[Entry]) -> list[Entry]:
    """The fresh lines of a turn, without asides of computer players.

    What the last income is in all stands in the line of the end.
    """
    is_last_income = turn.opening is not None and turn.opening.row.kind == LastIncome.__name__
    return [
        entry
        for entry in turn.lines
        if entry.fresh
        and not entry.aside
        and entry.row.kind not in STAGE_DIRECTIONS
        and not (is_last_income and entry.row.kind == SalaryPaid.__name__)
    ]


def without_own(entries: list[Entry], game: Game, own: Seat | None) -> list[Entry]:
    """The entries without what the player of the seat `own` did by hand."""
    done = {entry.row.seq for entry in entries if own is not None and _is_deed_of(own, entry)}
    if not done:
        return entries
    phases = {entry.row.phase_no for entry in entries if entry.row.seq in done}
    by_order = game.moves.filter(seat=own, phase_no__in=phases, by_order=True)
    ordered = set(by_order.values_list("phase_no", flat=True))
    done -= {
        entry.row.seq
        for entry in entries
        if entry.row.phase_no in ordered and mover_of(read_event(entry.row, None)) is not None
    }
    return [entry for entry in entries if entry.row.seq not in done]


def _is_deed_of(own: Seat, entry: Entry) -> bool:
    event = read_event(entry.row, own.drawn_number)
    return entry.row.cause in BY_A_PERSON and _doer(event) == own.drawn_number


def _doer(event: EngineEvent | TableEvent) -> int | None:
    """The seat that did it of its own accord; None if it is nobody's deed."""
    match event:
        case OfferMade() | OfferReplied() | SeatReturned() | DeadlineMoved():
            return event.seat
        case VoteOpened():
            return event.by
        case _:
            return mover_of(event)
