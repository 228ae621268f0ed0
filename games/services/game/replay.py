"""What the table was like after each event of a stored game. Only `event_rows` asks a database."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from games.engine import Event as EngineEvent
from games.engine import State, apply, decode_event
from games.engine.events import GameStarted, set_up
from games.models import Event, Game
from games.table_events import Rewound, is_table_event

REWOUND: Final = Rewound.__name__


def event_rows(game: Game) -> list[Event]:
    """All that has happened, in order. One query; a game that has started has at least one."""
    return list(game.events.order_by("seq"))


class Moment(NamedTuple):
    """The state after the event with the number `seq`."""

    seq: int
    state: State


def states(rows: Iterable[Event]) -> Iterator[Moment]:
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


def events_with_states(rows: Sequence[Event]) -> Iterator[tuple[EngineEvent, State]]:
    """Each event of the rules that counts, with the state after it; `rows` are all, by number."""
    counting = {row.seq for row in surviving(rows)}
    for row, moment in zip(rows, states(rows), strict=True):
        if row.seq in counting and not is_table_event(row.kind):
            yield rule_event(row), moment.state


def rule_event(row: Event) -> EngineEvent:
    """A stored event of the rules as the engine told it, with what is secret in it."""
    return decode_event({"kind": row.kind, **row.payload})


def surviving(rows: Iterable[Event]) -> list[Event]:
    """The events that count: without what rewinds took back. What is no move always counts."""
    kept: list[Event] = []
    for row in rows:
        if row.kind == REWOUND:
            last = row.payload["to_seq"]
            kept = [event for event in kept if event.seq <= last or is_table_event(event.kind)]
        kept.append(row)
    return kept


def state_at(rows: Iterable[Event], seq: int) -> State:
    """The state after the event with this number, the first one where it is too small."""
    moments = states(rows)
    found = next(moments)
    for moment in moments:
        if moment.seq > seq:
            break
        found = moment
    return found.state


def _after(state: State | None, row: Event) -> State:
    event = rule_event(row)
    if isinstance(event, GameStarted):
        return set_up(event)
    if state is None:
        raise ValueError("The events of a game begin with GameStarted.")
    return apply(state, event)
