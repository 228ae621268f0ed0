"""Events at a table since a person's last visit: what others did, and what it led to."""

from collections.abc import Container, Iterable, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from games.engine import Event as EngineEvent
from games.engine.events import (
    BribesPaid,
    GameEnded,
    LastIncome,
    SalaryPaid,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    TurnBegan,
)
from games.models import Game, Seat
from games.presentation.log.promise_story import promise_of
from games.services.game.queries.causes import BY_A_PERSON
from games.services.game.queries.log import Entry, Log, LogLine, LogTurn, read_event
from games.services.game.replay import mover_of
from games.table_events import (
    DeadlineMoved,
    OfferEvent,
    OfferLapsed,
    OfferMade,
    OfferReplied,
    PromiseJudged,
    SeatReturned,
    TableEvent,
    TalkClosed,
    TalkMoved,
    TalkOpened,
    VoteOpened,
    WaitBegan,
)

MOST_RECAPPED: Final = 8
"""How many lines of the log, those that matter most, are shown again to those who were away."""

STAGE_DIRECTIONS: Final = frozenset(
    event.__name__
    for event in (TurnBegan, LastIncome, TalkOpened, TalkMoved, TalkClosed, WaitBegan)
)
"""Kinds of events that say what the game waits for. Whoever reads the news sees that anyway."""


class Rank(IntEnum):
    """How much an event matters to a reader: the smaller, the more. `NONE` is only counted."""

    BREACH = 0
    OWN_SCHOLARS = 1
    OWN_INCOME = 2
    OWN_OFFERS = 3
    TABLE = 4
    NONE = 5


class Recap(NamedTuple):
    """What happened since the reader's last visit, as far as it matters to them.

    `lines` begin with the promises to the reader that weren't kept; the rest is in order. `more` is
    how many events are left out; `first_step` leads to the first of all.
    """

    lines: list[LogLine]
    more: int
    first_step: int


def read_recap(
    log: Log, game: Game, own: Seat | None, last_seen: int, breaches: Sequence[Entry] = ()
) -> Recap | None:
    """What the reader, who has the seat `own`, has missed; None if nothing.

    Without the `breaches`, which the page shows besides. Asks the database only where the reader's
    seat has moved: an own order may have done it.
    """
    fresh = [entry for turn in reversed(log.turns) for entry in _news(turn)] if last_seen else []
    entries = without_own([one for one in fresh if one not in breaches], game, own)
    if not entries:
        return None
    ranks = _ranks(log, entries, None if own is None else own.drawn_number)
    places = [place for place, rank in enumerate(ranks) if rank is not Rank.NONE]
    shown = sorted(places, key=lambda place: (ranks[place], -place))[:MOST_RECAPPED]
    shown.sort(key=lambda place: (ranks[place] is not Rank.BREACH, place))
    return Recap(
        lines=[log.line(entries[place]) for place in shown],
        more=len(entries) - len(shown),
        first_step=last_seen,
    )


def _ranks(log: Log, entries: Iterable[Entry], seat: int | None) -> list[Rank]:
    """The ranks of these entries for the player of this seat; a spectator has no side."""
    hosts = {
        entry.row.seq: opening.seat
        for turn in log.turns
        if turn.opening is not None
        and isinstance(opening := read_event(turn.opening.row, None), TurnBegan)
        for entry in turn.lines
    }
    return [
        Rank.TABLE
        if seat is None
        else _rank(entry, seat, hosts.get(entry.row.seq))
        if entry.row.seq in log.counting
        else Rank.NONE
        for entry in entries
    ]


def _rank(entry: Entry, seat: int, host: int | None) -> Rank:
    """The rank of an entry for this seat; `host` is whose turn it was."""
    event = read_event(entry.row, seat)
    match event:
        case PromiseJudged() | OfferMade() | OfferReplied() | OfferLapsed():
            return _rank_of_promise(entry, event, seat)
        case ScholarHired() | ScholarKept() | ScholarBanished():
            return Rank.OWN_SCHOLARS if event.scholar.owner == seat else Rank.TABLE
        case SalaryPaid():
            return Rank.OWN_INCOME if event.seat == seat else Rank.NONE
        case BribesPaid():
            return Rank.OWN_INCOME if host == seat else Rank.TABLE
        case GameEnded():
            return Rank.OWN_SCHOLARS
        case _:
            return Rank.TABLE


def _rank_of_promise(entry: Entry, event: OfferEvent, seat: int) -> Rank:
    outcome, promise = entry.outcome, promise_of(entry.people, event)
    if outcome is not None and outcome.is_breach_to(entry.people.reader):
        return Rank.BREACH
    if seat in (promise.seat, promise.to):
        return Rank.OWN_OFFERS
    return Rank.TABLE if outcome is not None and outcome.seal else Rank.NONE


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


def without_own(
    entries: list[Entry], game: Game, own: Seat | None, ordered: Container[int | None] | None = None
) -> list[Entry]:
    """The entries without what the player of the seat `own` did by hand, and what came of it.

    `ordered` are the phases in which their orders were carried out; without it, the database is
    asked.
    """
    deeds = [own is not None and _is_deed_of(own, entry) for entry in entries]
    if not any(deeds):
        return entries
    if ordered is None:
        phases = {one.row.phase_no for one, is_deed in zip(entries, deeds, strict=True) if is_deed}
        by_order = game.moves.filter(seat=own, phase_no__in=phases, by_order=True)
        ordered = set(by_order.values_list("phase_no", flat=True))
    return [
        entry
        for entry, is_deed in zip(entries, deeds, strict=True)
        if not is_deed or (entry.row.phase_no in ordered and _follows_from_a_move(entry))
    ]


def _follows_from_a_move(entry: Entry) -> bool:
    return entry.outcome is not None or mover_of(read_event(entry.row, None)) is not None


def _is_deed_of(own: Seat, entry: Entry) -> bool:
    event = read_event(entry.row, own.drawn_number)
    return entry.row.cause in BY_A_PERSON and _doer(event) == own.drawn_number


def _doer(event: EngineEvent | TableEvent) -> int | None:
    """The seat that did it of its own accord; None if it is nobody's deed."""
    match event:
        case OfferMade() | OfferReplied() | PromiseJudged() | SeatReturned() | DeadlineMoved():
            return event.seat
        case VoteOpened():
            return event.by
        case _:
            return mover_of(event)
