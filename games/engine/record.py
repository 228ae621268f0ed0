"""The game record `intrigue-record/1`: reading, writing and playing it (docs/record-format.md)."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from games.engine.codec import Json, decode_move
from games.engine.editions import LARGEST_NUMBER
from games.engine.errors import BadRecord, BadSetup, IllegalMove, quoted
from games.engine.promise_codec import Offered, Replied
from games.engine.record_promises import PromisesOfRecord, read_promises
from games.engine.rules import Step, refuse_if_over, start, step
from games.engine.state import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    Position,
    Scholar,
    State,
    Table,
    make_table,
    opening,
    to_move,
    winners,
)
from games.engine.view import View

FORMAT = "intrigue-record/1"
REQUIRED = ("format", "edition", "players", "first", "moves")
OPTIONAL = frozenset(
    {
        "options", "position", "promises", "name",
        "source", "comment", "expect", "states", "illegal_move",
    }
)  # fmt: skip


class Record(NamedTuple):
    """A record that can be played: where it starts, and its moves as they were handed in.

    `promises` is None where the record doesn't have that key.
    """

    table: Table
    position: Position
    moves: list[Json]
    promises: list[Offered | Replied] | None = None


def read_record(value: Json) -> Record:
    """The record of a JSON value; `BadRecord` with a sentence for what is no record."""
    if not isinstance(value, dict):
        raise BadRecord("A record is a JSON object.")
    _refuse_bad_keys(value)
    options = value.get("options", {})
    if not isinstance(options, dict):
        raise BadRecord("The options must be an object, {} for none.")
    players = value["players"]
    if not isinstance(players, list) or not all(isinstance(player, str) for player in players):
        raise BadRecord(
            f"The players must be a list of {FEWEST_PLAYERS} to {MOST_PLAYERS} colours."
        )
    if not isinstance(value["moves"], list):
        raise BadRecord("The moves must be a list.")
    try:
        table = make_table(value["edition"], options, players, value["first"])
    except BadSetup as reason:
        raise BadRecord(str(reason)) from reason
    position, promises = read_position(table, value.get("position", {})), None
    if "promises" in value:
        promises = read_promises(table, value["promises"], len(value["moves"]))
    return Record(table, position, value["moves"], promises)


def _refuse_bad_keys(value: dict[str, Json]) -> None:
    if value.get("format") != FORMAT:
        raise BadRecord(f'The format must be "{FORMAT}".')
    missing = [key for key in REQUIRED if key not in value]
    if missing:
        raise BadRecord(f"The record lacks {', '.join(missing)}.")
    for key in value:
        if key not in OPTIONAL and key not in REQUIRED and not key.startswith("x-"):
            known = ", ".join((*REQUIRED, *sorted(OPTIONAL), "keys that begin with x-"))
            raise BadRecord(f"A record has no key {quoted(key)}; it may have {known}.")
    if not isinstance(value.get("name", ""), str):
        raise BadRecord("The name must be text.")


def read_position(table: Table, value: Json) -> Position:
    """The position of a record; `BadRecord` for one that cannot be."""
    if not isinstance(value, dict) or not value.keys() <= set(Position._fields):
        raise BadRecord(f"A position may have the keys {', '.join(Position._fields)}.")
    at_start = opening(table)
    if not value:
        return at_start
    number = value.get("round", 1)
    if type(number) is not int or not 1 <= number <= table.edition.rounds:
        raise BadRecord(f"The round must be from 1 to {table.edition.rounds}.")
    active = value.get("active", table.players[table.first])
    if active not in table.players:
        raise BadRecord(f"The active player must be one of {', '.join(table.players)}.")
    position = Position(
        round=number,
        active=table.players.index(active),
        cash=_cash(table, at_start.cash, value.get("cash", {})),
        palaces=_palaces(table, value.get("palaces", {})),
        applicants=_applicants(table, value.get("applicants", {})),
        island=_scholars(table, value.get("island", []), "The island"),
    )
    _refuse_impossible(table, position)
    return position


def _cash(table: Table, cash: tuple[int, ...], value: Json) -> tuple[int, ...]:
    debts = table.edition.broke == "debt"
    given = list(cash)
    for seat, money in _by_player(table, value, "The cash"):
        if type(money) is not int or not abs(money) <= LARGEST_NUMBER:
            raise BadRecord(
                f"Cash must be a whole number from {-LARGEST_NUMBER} to {LARGEST_NUMBER}."
            )
        if money < 0 and not debts:
            raise BadRecord("Cash below 0 is possible only with the option broke: debt.")
        given[seat] = money
    return tuple(given)


def _palaces(table: Table, value: Json) -> tuple[tuple[Scholar | None, ...], ...]:
    areas = table.edition.areas
    rows: list[list[Scholar | None]] = [[None] * len(areas) for _ in table.players]
    for seat, held in _by_player(table, value, "The palaces"):
        known = {str(salary): place for place, salary in enumerate(areas)}
        if not isinstance(held, dict) or not held.keys() <= known.keys():
            raise BadRecord(f"A palace has the areas {', '.join(known)}.")
        for area, name in held.items():
            if name is not None:
                rows[seat][known[area]] = _scholar(table, name, "An area")
    return tuple(tuple(row) for row in rows)


def _applicants(table: Table, value: Json) -> tuple[tuple[Scholar, ...], ...]:
    rows: list[tuple[Scholar, ...]] = [()] * len(table.players)
    for seat, names in _by_player(table, value, "The applicants"):
        rows[seat] = _scholars(table, names, "Each player's applicants")
    return tuple(rows)


def _by_player(table: Table, value: Json, what: str) -> Iterator[tuple[int, Json]]:
    if not isinstance(value, dict) or not value.keys() <= set(table.players):
        raise BadRecord(f"{what} must be an object with keys of {', '.join(table.players)}.")
    return ((table.players.index(player), part) for player, part in value.items())


def _scholars(table: Table, value: Json, what: str) -> tuple[Scholar, ...]:
    if not isinstance(value, list):
        raise BadRecord(f"{what} must be a list of scholars.")
    return tuple(_scholar(table, name, what) for name in value)


def _scholar(table: Table, name: Json, what: str) -> Scholar:
    if isinstance(name, str) and name in table.scholars:
        return table.scholars[name]
    example = next(iter(table.scholars))
    raise BadRecord(f"{what} must name scholars of this table, such as {example}.")


def _refuse_impossible(table: Table, position: Position) -> None:
    placed = list(position.island)
    for owner, (row, waiting) in enumerate(zip(position.palaces, position.applicants, strict=True)):
        residents = [scholar for scholar in row if scholar is not None]
        placed += (*residents, *waiting)
        if any(scholar.owner == owner for scholar in (*residents, *waiting)):
            raise BadRecord("No scholar can be in or before its owner's palace.")
        if len({scholar.occupation for scholar in residents}) != len(residents):
            raise BadRecord("A palace cannot employ two scholars of one occupation.")
    if len(set(placed)) != len(placed):
        raise BadRecord("A scholar can be in one place only.")


def play(record: Record, promises: PromisesOfRecord | None = None) -> Iterator[Step]:
    """Every step of the record in order, the start first; binding `promises` are respected.

    Ends with `IllegalMove` at the first move that is not legal, counted from 0: as many moves were
    played before it.
    """
    play_next = play_move if promises is None else promises.play_move
    last = start(record.table, record.position)
    yield last
    for move in record.moves:
        last = play_next(last.state, move)
        yield last


def play_move(state: State, move: Json) -> Step:
    """The step that a record's move makes; `IllegalMove` with the first code that applies."""
    refuse_if_over(state)
    seat, decoded = decode_move(state.table, move)
    return step(state, seat, decoded)


def adjudicate(value: Json, *, with_steps: bool = False) -> tuple[dict[str, Json], int]:
    """The result of one record as docs/record-format.md says, and how many moves were played."""
    name = value.get("name") if isinstance(value, dict) else None
    result: dict[str, Json] = {"name": name if isinstance(name, str) else None}
    try:
        record = read_record(value)
    except BadRecord as reason:
        return bad_record(result["name"], str(reason), with_steps=with_steps), 0
    promises = None if record.promises is None else PromisesOfRecord(record.promises)
    states: list[Json] = []
    moves = -1
    try:
        for made in play(record, promises):
            moves += 1
            last = made.state
            if with_steps:
                states.append(record_state(last))
            if promises is not None:
                promises.follow(made, moves)
    except IllegalMove as refusal:
        result["error"] = {"move": moves, "code": refusal.code, "message": refusal.message}
    except BadRecord as reason:
        return bad_record(result["name"], str(reason), with_steps=with_steps), moves
    result["final"] = record_state(last)
    if promises is not None:
        result["promises"] = promises.verdicts()
    return (result | {"states": states} if with_steps else result), moves


def bad_record(name: str | None, message: str, *, with_steps: bool = False) -> dict[str, Json]:
    """The result of a record that is bad itself."""
    error = {"move": None, "code": "record", "message": message}
    result: dict[str, Json] = {"name": name, "error": error, "final": None}
    return result | {"states": []} if with_steps else result


def record_state(state: State) -> dict[str, Json]:
    """The state as the game record writes it."""
    return _written(state, to_move(state), winners(state))


def record_view(view: View) -> dict[str, Json]:
    """The state as one seat sees it: the money it knows, and what it has sealed."""
    names = view.table.names
    written = _written(view, view.to_move, view.winners)
    cash = zip(view.table.players, view.cash, strict=True)
    sealed = {names[scholar]: amount for scholar, amount in view.own_sealed}
    return written | {
        "cash": {player: money for player, money in cash if money is not None},
        "sealed": sealed,
    }


def _written(
    state: State | View, waiting: Iterable[int], winning: Iterable[int]
) -> dict[str, Json]:
    table = state.table
    players = table.players
    return {
        "round": state.round,
        "active": None if state.active is None else players[state.active],
        "stage": state.stage.value,
        "waiting": sorted(players[seat] for seat in waiting),
        "cash": dict(zip(players, state.cash, strict=True)),
        "palaces": {
            player: {
                str(salary): None if held_by is None else table.names[held_by]
                for salary, held_by in zip(table.edition.areas, row, strict=True)
            }
            for player, row in zip(players, state.palaces, strict=True)
        },
        "applicants": _names(table, state.applicants),
        "unsent": _names(table, state.unsent),
        "island": sorted(table.names[scholar] for scholar in state.island),
        "winners": sorted(players[seat] for seat in winning),
    }


def _names(table: Table, rows: Iterable[Iterable[Scholar]]) -> dict[str, Json]:
    return {
        player: sorted(table.names[scholar] for scholar in row)
        for player, row in zip(table.players, rows, strict=True)
    }


def write_record(table: Table, moves: list[Json], **more: Any) -> dict[str, Json]:
    """A record of a game that began at the set-up; `more` are further keys, such as `name`."""
    return {
        "format": FORMAT,
        "edition": table.edition.id,
        "options": dict(table.options),
        "players": list(table.players),
        "first": table.players[table.first],
        "moves": moves,
        **more,
    }
