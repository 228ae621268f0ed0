"""The events of a stored game, and what the table was like after each of them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from games.engine import Event as EngineEvent
from games.engine import State, apply, decode_event
from games.engine.events import (
    BribesPaid,
    BribesSealed,
    GameStarted,
    ScholarBanished,
    ScholarHired,
    ScholarKept,
    ScholarsSent,
    set_up,
)
from games.engine.record import play, read_record, write_record
from games.models import Event, Game, Move, Seat, Sitting
from games.services.sql import select, table
from games.table_events import LASTING_EVENTS, SETTLING, Rewound, TableEvent, is_table_event

REWOUND: Final = Rewound.__name__

LATEST: Final = 100
"""How many events are read: more than two turns can have."""


class EventRow(NamedTuple):
    """A stored event to be read: the columns of the model, at a tenth of its cost.

    `payload` is the event without its kind, as `encode_event` or the table's events wrote it.
    """

    seq: int
    phase_no: int
    kind: str
    payload: dict[str, Any]
    cause: str
    at: datetime


type StoredEvent = Event | EventRow

# Whoever opens the page of a game waits for a hundred of them: a fifth of the ORM's CPU time.
_EVENTS: Final = f"""
SELECT seq, phase_no, kind, payload, cause, at FROM {table(Event)} WHERE game_id = %(game)s
"""  # noqa: S608 - only the name of our own table
_LATEST_EVENTS: Final = f"""
{_EVENTS} AND (
    seq > (SELECT max(seq) FROM {table(Event)} WHERE game_id = %(game)s) - %(latest)s
    OR seq > %(since)s OR kind = ANY(%(kinds)s)
) ORDER BY seq
"""  # noqa: S608 - only the name of our own table


_SINCE_MOVE: Final = f"""
WITH since AS (
    SELECT coalesce(min(event.seq), 1) AS seq,
        min(moved.phase_no) FILTER (WHERE moved.by_order) AS phase_of_order
    FROM {table(Event)} event
    JOIN (
        SELECT phase_no, by_order, at FROM {table(Move)}
        WHERE game_id = %(game)s AND seat_id = %(seat)s ORDER BY id DESC LIMIT 1
    ) moved ON moved.phase_no = event.phase_no AND moved.at <= event.at
    WHERE event.game_id = %(game)s
)
SELECT event.seq, phase_no, kind, payload, cause, at, since.seq, since.phase_of_order
FROM {table(Event)} event, since WHERE game_id = %(game)s AND (
    event.seq > (SELECT max(seq) FROM {table(Event)} WHERE game_id = %(game)s) - %(latest)s
    OR event.seq >= since.seq OR kind = ANY(%(kinds)s)
) ORDER BY event.seq
"""  # noqa: S608 - only names of our own tables


_FOR_PLAYER: Final = f"""
WITH own AS (
    SELECT greatest(
        (
            SELECT min(event.seq) FROM {table(Event)} event
            JOIN (
                SELECT phase_no, at FROM {table(Move)}
                WHERE seat_id = %(seat)s AND user_id = %(user)s AND NOT by_order
                ORDER BY id DESC LIMIT 1
            ) moved ON moved.phase_no = event.phase_no AND moved.at <= event.at
            WHERE event.game_id = %(game)s
        ),
        (
            SELECT min(seq) FROM {table(Event)} WHERE game_id = %(game)s AND at >= (
                SELECT max(began_at) FROM {table(Sitting)}
                WHERE seat_id = %(seat)s AND user_id = %(user)s
            )
        ),
        1
    ) AS seq
)
SELECT event.seq, phase_no, kind, payload, cause, at, own.seq
FROM {table(Event)} event, own WHERE game_id = %(game)s AND (
    event.seq > (SELECT max(seq) FROM {table(Event)} WHERE game_id = %(game)s) - %(latest)s
    OR event.seq > %(since)s OR event.seq >= own.seq OR kind = ANY(%(kinds)s)
) ORDER BY event.seq
"""  # noqa: S608 - only names of our own tables


def event_rows(game: Game) -> list[EventRow]:
    """All that has happened, in order. One query; a game that has started has at least one."""
    rows = select(f"{_EVENTS} ORDER BY seq", {"game": game.pk})
    return _read(rows)


def latest_event_rows(game: Game, since: int | None) -> list[EventRow]:
    """The latest of what has happened, in order, and all `LASTING_EVENTS`. One query.

    The `LATEST` last events, and all after the event `since`.
    """
    values = {"game": game.pk, "since": since, "latest": LATEST, "kinds": list(LASTING_EVENTS)}
    return _read(select(_LATEST_EVENTS, values))


class SinceMove(NamedTuple):
    """The latest of what has happened, and all from the last move of a seat on.

    That move is the event number `first`, 1 if there is none; the phase in which an order made it
    is `phase_of_order`, None if none did.
    """

    rows: list[EventRow]
    first: int
    phase_of_order: int | None


def event_rows_since_move(game: Game, seat: Seat | None) -> SinceMove:
    """What has happened since the last move of this seat, and the latest, as above. One query."""
    values = {"game": game.pk, "seat": seat and seat.pk}
    rows = select(_SINCE_MOVE, {**values, "latest": LATEST, "kinds": list(LASTING_EVENTS)})
    return SinceMove(_read(row[:-2] for row in rows), *rows[-1][-2:])


def event_rows_for(game: Game, seat: Seat | None, since: int | None) -> tuple[list[EventRow], int]:
    """The latest of what has happened, as above, and from where on the reader hasn't moved.

    All after the event `since`, and all from the last move on that who sits in this seat made by
    hand there: neither the clock nor a standing order did. Without one, from when they sat down.
    One query.
    """
    if seat is None:
        return latest_event_rows(game, since), 1
    values = {"game": game.pk, "seat": seat.pk, "user": seat.user_id, "since": since}
    rows = select(_FOR_PLAYER, {**values, "latest": LATEST, "kinds": list(LASTING_EVENTS)})
    return _read(row[:-1] for row in rows), rows[-1][-1]


def is_undone(game: Game, seq: int) -> bool:
    """Whether a rewind has taken back the move, offer, reply or verdict with this number."""
    rewinds = Event.objects.filter(game=game, kind=REWOUND, seq__gt=seq)
    return rewinds.filter(payload__to_seq__lt=seq).exists()


def _read(rows: Iterable[tuple[Any, ...]]) -> list[EventRow]:
    columns = list(rows)
    payloads = json.loads(f"[{','.join(payload for _, _, _, payload, _, _ in columns)}]")
    return [
        EventRow(seq, phase_no, kind, payload, cause, at)
        for (seq, phase_no, kind, _, cause, at), payload in zip(columns, payloads, strict=True)
    ]


class Moment(NamedTuple):
    """The state after the event with the number `seq`."""

    seq: int
    state: State


def states(rows: Iterable[StoredEvent]) -> Iterator[Moment]:
    """The states of a game, one after each of its stored events; `rows` are all, by number.

    What happens at the table and is no move (`games.table_events`) leaves the state as it was; only
    a rewind brings an earlier one back.
    """
    state: State | None = None
    past: list[Moment] = []
    for row in rows:
        if row.kind == REWOUND:
            state = next(then.state for then in past[::-1] if then.seq <= row.payload["to_seq"])
        elif not is_table_event(row.kind):
            state = _after(state, row)
        if state is not None:
            past.append(Moment(row.seq, state))
            yield past[-1]


def events_with_states(rows: Sequence[StoredEvent]) -> Iterator[tuple[EngineEvent, State]]:
    """Each event of the rules that counts, with the state after it; `rows` are all, by number."""
    counting = {row.seq for row in surviving(rows)}
    for row, moment in zip(rows, states(rows), strict=True):
        if row.seq in counting and not is_table_event(row.kind):
            yield rule_event(row), moment.state


def rule_event(row: StoredEvent) -> EngineEvent:
    """A stored event of the rules as the engine made it, with what is secret in it."""
    return decode_event({"kind": row.kind, **row.payload})


def steps_of(game: Game, rows: Iterable[StoredEvent], moves: list[Any]) -> Iterator[Moment]:
    """The state before the first of these moves and after each; `seq` is the last event before.

    `moves` are all that count, as game records write them; `rows` are all events by number. The
    engine plays the moves again.
    """
    numbers: list[int] = []
    for row in surviving(rows):
        if row.kind in SETTLING:
            numbers[-1] = row.seq  # it belongs to the event before it
        elif not is_table_event(row.kind):
            numbers.append(row.seq)
    count = 0
    for made in play(read_record(write_record(game.decoded().table, moves))):
        count += len(made.events)
        yield Moment(numbers[count - 1], made.state)


def surviving[Row: StoredEvent](rows: Iterable[Row]) -> list[Row]:
    """The events that count: without what rewinds took back. `LASTING_EVENTS` always count."""
    kept: list[Row] = []
    for row in rows:
        if row.kind == REWOUND:
            last = row.payload["to_seq"]
            kept = [event for event in kept if event.seq <= last or event.kind in LASTING_EVENTS]
        kept.append(row)
    return kept


def mover_of(event: EngineEvent | TableEvent) -> int | None:
    """The seat whose move an event is; None if it is nobody's."""
    match event:
        case ScholarHired() | ScholarKept() | ScholarBanished():
            return event.palace
        case BribesPaid() | BribesSealed() | ScholarsSent():
            return event.seat
        case _:
            return None


def state_at(rows: Iterable[StoredEvent], seq: int) -> State:
    """The state after the event with this number, the first one where it is too small."""
    moments = states(rows)
    found = next(moments)
    for moment in moments:
        if moment.seq > seq:
            break
        found = moment
    return found.state


def _after(state: State | None, row: StoredEvent) -> State:
    event = rule_event(row)
    if isinstance(event, GameStarted):
        return set_up(event)
    if state is None:
        raise ValueError("The events of a game begin with GameStarted.")
    return apply(state, event)
