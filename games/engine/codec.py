"""States, events and moves as JSON values, and back without loss.

`encode` and `decode` are for storing (the shapes are ours); `encode_move` and `decode_move` are
the moves of the game record (docs/record-format.md), which names scholars and players by colour.
"""

from collections.abc import Callable, Mapping
from typing import Any

from games.engine import events
from games.engine.errors import IllegalMove
from games.engine.events import Event
from games.engine.moves import Bribe, Default, Judge, Move, Place, Send
from games.engine.state import (
    Payment,
    Position,
    Scholar,
    Sealed,
    Stage,
    State,
    Table,
    make_table,
)

type Json = Any

UNKNOWN_SCHOLAR = Scholar(-1, -1, 0)
"""What a name that belongs to no scholar of the table stands for: it is never a legal choice."""

UNKNOWN_SEAT = -1
"""What a colour that is not at the table stands for."""


def encode(state: State) -> dict[str, Json]:
    """The state as a JSON object: tuples become lists, a scholar [owner, occupation, number]."""
    return _encode_fields(state)


def decode(value: Mapping[str, Json]) -> State:
    """The state that `encode` made this object of."""
    return State(**_decode_fields(value))


def encode_event(event: Event) -> dict[str, Json]:
    """The event as a JSON object; `kind` is the name of its class."""
    return {"kind": type(event).__name__, **_encode_fields(event)}


def decode_event(value: Mapping[str, Json]) -> Event:
    """The event that `encode_event` made this object of."""
    fields = _decode_fields(value)
    made: Event = _EVENTS[fields.pop("kind")](**fields)
    return made


_EVENTS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind
    for kind in (
        events.GameStarted,
        events.TurnBegan,
        events.SalaryPaid,
        events.StageOpened,
        events.BribesSealed,
        events.BribesPaid,
        events.ScholarHired,
        events.ScholarKept,
        events.ScholarBanished,
        events.ScholarsSent,
        events.LastIncome,
        events.GameEnded,
    )
}

EVENT_KINDS = frozenset(_EVENTS)
"""The kinds of events of the engine; a stored game may have others of its own."""


def _encode_fields(value: Any) -> dict[str, Json]:
    return {key: _ENCODE.get(key, _plain)(part) for key, part in value._asdict().items()}


def _decode_fields(value: Mapping[str, Json]) -> dict[str, Any]:
    return {key: _DECODE[key](part) if key in _DECODE else part for key, part in value.items()}


def _plain(value: Any) -> Json:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _encode_table(table: Table) -> Json:
    return {
        "edition": table.edition.id,
        "options": dict(table.options),
        "players": list(table.players),
        "first": table.players[table.first],
    }


def _scholars(value: Json) -> tuple[Scholar, ...]:
    return tuple(Scholar(*item) for item in value)


def _with_numbers(value: Json) -> tuple[tuple[Any, ...], ...]:
    """Lists that begin with a scholar and go on with numbers."""
    return tuple((Scholar(*item[0]), *item[1:]) for item in value)


def _payments(value: Json) -> tuple[Payment, ...]:
    return tuple(Payment(Scholar(*scholar), amount, bank) for scholar, amount, bank in value)


_ENCODE: dict[str, Callable[[Any], Json]] = {
    "table": _encode_table,
    "position": _encode_fields,
}

_DECODE: dict[str, Callable[[Json], Any]] = {
    "table": lambda value: make_table(
        value["edition"], value["options"], value["players"], value["first"]
    ),
    "position": lambda value: Position(**_decode_fields(value)),
    "stage": Stage,
    "cash": tuple,
    "winners": tuple,
    "palaces": lambda value: tuple(tuple(held and Scholar(*held) for held in row) for row in value),
    "applicants": lambda value: tuple(_scholars(row) for row in value),
    "unsent": lambda value: tuple(_scholars(row) for row in value),
    "island": _scholars,
    "contenders": _scholars,
    "scholar": lambda value: Scholar(*value),
    "paid": _payments,
    "payments": _payments,
    "sealed": lambda value: tuple(Sealed(seat, _with_numbers(bribes)) for seat, bribes in value),
    "bribes": _with_numbers,
    "salaries": _with_numbers,
    "sent": _with_numbers,
}


def encode_move(table: Table, seat: int, move: Move) -> dict[str, Json]:
    """The move as the game record writes it."""
    player = table.players[seat]
    match move:
        case Bribe(bribes):
            pairs = [[table.names[scholar], amount] for scholar, amount in bribes]
            return {"player": player, "type": "bribe", "bribes": pairs}
        case Place(placements):
            pairs = [[table.names[scholar], area] for scholar, area in placements]
            return {"player": player, "type": "place", "placements": pairs}
        case Judge(winner):
            return {"player": player, "type": "judge", "winner": table.names[winner]}
        case Send(scholars):
            sent = [[table.names[scholar], table.players[palace]] for scholar, palace in scholars]
            return {"player": player, "type": "send", "scholars": sent}
        case Default():
            return {"player": player, "type": "default"}


def decode_move(table: Table, value: Json) -> tuple[int, Move]:
    """The seat and the move of a record's move.

    What doesn't have the form of a move is refused with `IllegalMove` (`type`). A name that is
    only not at this table is left to `step`, as `UNKNOWN_SEAT` or `UNKNOWN_SCHOLAR`, so that
    codes keep their order.
    """
    if not isinstance(value, dict):
        raise _malformed('A move is an object such as {"player": …, "type": "default"}.')
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in _MOVES:
        raise _malformed(f"The type of a move must be one of {', '.join(_MOVES)}.")
    keys, read = _MOVES[kind]
    if value.keys() != keys or not isinstance(value["player"], str):
        raise _malformed(
            f"A move of the type {kind} has exactly the keys {', '.join(sorted(keys))}, "
            "and the player is a colour."
        )
    return _seat_of(table, value["player"]), read(table, value)


def _read_bribe(table: Table, value: Json) -> Move:
    pairs = _pairs(value["bribes"], int, "bribes", "a scholar and an amount, a whole number")
    scholars = table.scholars
    return Bribe(tuple([(scholars.get(name, UNKNOWN_SCHOLAR), amount) for name, amount in pairs]))


def _read_place(table: Table, value: Json) -> Move:
    pairs = _pairs(value["placements"], int, "placements", "a scholar and an area, by its salary")
    scholars = table.scholars
    return Place(tuple([(scholars.get(name, UNKNOWN_SCHOLAR), area) for name, area in pairs]))


def _read_judge(table: Table, value: Json) -> Move:
    if not isinstance(value["winner"], str):
        raise _malformed("The winner must be the name of a scholar.")
    return Judge(table.scholars.get(value["winner"], UNKNOWN_SCHOLAR))


def _read_send(table: Table, value: Json) -> Move:
    pairs = _pairs(value["scholars"], str, "scholars", "a scholar and a colour")
    scholars = table.scholars
    return Send(
        tuple([(scholars.get(name, UNKNOWN_SCHOLAR), _seat_of(table, to)) for name, to in pairs])
    )


def _seat_of(table: Table, player: str) -> int:
    try:
        return table.players.index(player)
    except ValueError:
        return UNKNOWN_SEAT


_MOVES: dict[str, tuple[frozenset[str], Callable[[Table, Json], Move]]] = {
    "bribe": (frozenset({"player", "type", "bribes"}), _read_bribe),
    "place": (frozenset({"player", "type", "placements"}), _read_place),
    "judge": (frozenset({"player", "type", "winner"}), _read_judge),
    "send": (frozenset({"player", "type", "scholars"}), _read_send),
    "default": (frozenset({"player", "type"}), lambda _table, _value: Default()),
}


def _pairs[Second](
    value: Json, second: type[Second], key: str, form: str
) -> list[tuple[str, Second]]:
    """The value itself, which is a list of pairs, each a list of a text and a `second`."""
    if not isinstance(value, list):
        raise _no_pairs(key, form)
    for pair in value:
        # `type(...) is` and not `isinstance`: true is no number here.
        if (
            not isinstance(pair, list)
            or len(pair) != 2
            or type(pair[0]) is not str
            or type(pair[1]) is not second
        ):
            raise _no_pairs(key, form)
    return value


def _no_pairs(key: str, form: str) -> IllegalMove:
    return _malformed(f"The {key} must be a list of pairs: {form}.")


def _malformed(message: str) -> IllegalMove:
    return IllegalMove("type", message)
