"""What happens at a table that is no move: told in the log, and ignored when a game is replayed.

Payloads hold seat numbers and instants in UTC, no person and no free text.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple


class DeadlineMoved(NamedTuple):
    """The deadline of a seat's open question was moved. `why` is one of `REASONS`."""

    seat: int
    before: datetime
    after: datetime
    why: str


class SeatAbsent(NamedTuple):
    """Nobody waits for this seat any more."""

    seat: int


class SeatReturned(NamedTuple):
    """The player of an absent seat is back."""

    seat: int


class SubstituteSat(NamedTuple):
    """Somebody else took the seat over."""

    seat: int


type TableEvent = DeadlineMoved | SeatAbsent | SeatReturned | SubstituteSat

REASONS: Final = ("outage",)

_EVENTS: Final[Mapping[str, Callable[..., TableEvent]]] = {
    event.__name__: event for event in (DeadlineMoved, SeatAbsent, SeatReturned, SubstituteSat)
}


def is_table_event(kind: str) -> bool:
    """Whether a stored event of this kind is one of these, and not the engine's."""
    return kind in _EVENTS


def encode_table_event(event: TableEvent) -> dict[str, Any]:
    """The event as a JSON object; `kind` is the name of its class, instants are ISO 8601."""
    fields = {
        key: value.isoformat() if isinstance(value, datetime) else value
        for key, value in event._asdict().items()
    }
    return {"kind": type(event).__name__, **fields}


def decode_table_event(value: Mapping[str, Any]) -> TableEvent:
    """The event that `encode_table_event` made this object of."""
    fields = {
        key: datetime.fromisoformat(part) if key in {"before", "after"} else part
        for key, part in value.items()
        if key != "kind"
    }
    return _EVENTS[value["kind"]](**fields)
