"""Promises as JSON values, as the game record names them (docs/record-format.md), and back."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from games.engine.codec import Json
from games.engine.errors import BadPromise, quoted
from games.engine.ledger import Entry, Ledger, Status
from games.engine.promises import (
    Condition,
    Deed,
    GiveArea,
    Hire,
    IfBribed,
    Keep,
    Pay,
    PayAtMost,
    PlaceIn,
    Promise,
    SendNobody,
    SendScholar,
    Verdict,
    Win,
)
from games.engine.state import Scholar, Table


class Offered(NamedTuple):
    """An offer of a record: the next one, made by `by`, before the move of the number `after`.

    `private` says that not everybody at the table knew of it.
    """

    after: int
    by: int
    promise: Promise
    private: bool = False


class Replied(NamedTuple):
    """A reply of `seat` to the offer `id`, before the move of the number `after`."""

    after: int
    seat: int
    id: int
    status: Status


REPLIES: Final = {"accepted": "accept", "declined": "decline", "withdrawn": "withdraw"}
"""The reply, as a record calls it, that gives an offer each status."""

_STATUS_AFTER: Final = {reply: Status(status) for status, reply in REPLIES.items()}

_FORMS: dict[str, type[Any]] = {
    "hire": Hire,
    "win": Win,
    "place": PlaceIn,
    "keep": Keep,
    "send-nobody": SendNobody,
    "send": SendScholar,
    "pay": Pay,
    "pay-at-most": PayAtMost,
    "give-area": GiveArea,
}
_FORM_OF = {deed: form for form, deed in _FORMS.items()}

_MAY_LACK: dict[type, frozenset[str]] = {
    PlaceIn: frozenset({"area", "least"}),
    SendNobody: frozenset({"occupation"}),
    SendScholar: frozenset({"occupation"}),
    Pay: frozenset({"scholar"}),
}
"""Which terms may be left out; they are None then."""


def decode_promise_entry(table: Table, value: Json) -> Offered | Replied:
    """An entry of a record's `promises`; `BadPromise` for what is none."""
    if not isinstance(value, dict):
        raise BadPromise("An offer or reply is a JSON object.")
    after, kind = _number(table, value, "after"), value.get("type")
    seat = _seat(table, value, "player")
    if isinstance(kind, str) and kind in _STATUS_AFTER:
        _refuse_other_keys(value, {"after", "player", "type", "id"})
        return Replied(after, seat, _number(table, value, "id"), _STATUS_AFTER[kind])
    if kind != "offer":
        raise BadPromise("The type must be offer, accept, decline or withdraw.")
    private = value.get("private", False)
    if not isinstance(private, bool):
        raise BadPromise("private must be true or false.")
    return Offered(after, seat, decode_promise(table, seat, value), private)


def encode_promise_entry(
    table: Table, before: Ledger, after: Ledger, moves: int
) -> dict[str, Json]:
    """The entry of a record's `promises` for one offer or one reply.

    `before` and `after` are the ledgers around it; so many moves had been made.
    """
    if len(after) > len(before):
        made = after[-1]
        offered = {"after": moves, "player": table.players[made.by], "type": "offer", "id": made.id}
        return offered | encode_promise(table, made.by, made.promise)
    [entry] = [new for old, new in zip(before, after, strict=True) if old.status != new.status]
    seat = entry.by if entry.status is Status.WITHDRAWN else entry.other
    reply = REPLIES[entry.status.value]
    return {"after": moves, "player": table.players[seat], "type": reply, "id": entry.id}


def decode_promise(table: Table, by: int, value: Mapping[str, Json]) -> Promise:
    """The promise of an offer that the seat `by` makes."""
    other = _seat(table, value, "to")
    promiser = _seat(table, value, "promiser") if "promiser" in value else by
    if promiser not in (by, other):
        raise BadPromise("The promiser must be one of the two players.")
    extra = {"after", "player", "type", "id", "to", "promiser", "if", "private"}
    deed = _deed(table, value, extra)
    condition = _condition(table, value["if"]) if "if" in value else None
    return Promise(promiser, other if promiser == by else by, deed, condition)


def _condition(table: Table, value: Json) -> Condition:
    if not isinstance(value, dict):
        raise BadPromise("A condition is a JSON object: a bribe, or the other player's promise.")
    if "bribe" in value:
        _refuse_other_keys(value, {"bribe", "least"})
        return IfBribed(_scholar(table, value, "bribe"), _number(table, value, "least"))
    return _deed(table, value, set())


def _deed(table: Table, value: Mapping[str, Json], extra: set[str]) -> Deed:
    form = value.get("form")
    if not isinstance(form, str) or form not in _FORMS:
        raise BadPromise(f"The form of a promise must be one of {', '.join(_FORMS)}.")
    kind = _FORMS[form]
    terms = set(kind._fields)
    _refuse_other_keys(value, extra | terms | {"form"}, terms - _MAY_LACK.get(kind, frozenset()))
    read = {"scholar": _scholar, "occupation": _occupation}
    deed: Deed = kind(
        **{
            term: read.get(term, _number)(table, value, term) if term in value else None
            for term in kind._fields
        }
    )
    return deed


def encode_promise(table: Table, by: int, promise: Promise) -> dict[str, Json]:
    """The terms of an offer that `by` makes, as a record writes them."""
    other = promise.to if by == promise.seat else promise.seat
    terms: dict[str, Json] = {"to": table.players[other]}
    if by != promise.seat:
        terms["promiser"] = table.players[promise.seat]
    terms |= _encode_deed(table, promise.deed)
    condition = promise.condition
    if isinstance(condition, IfBribed):
        terms["if"] = {"bribe": table.names[condition.scholar], "least": condition.least}
    elif condition is not None:
        terms["if"] = _encode_deed(table, condition)
    return terms


def encode_ledger(table: Table, ledger: Ledger) -> list[Json]:
    """The whole ledger as JSON, for a table that stores it."""
    return [
        {
            "by": entry.by,
            "promise": encode_promise(table, entry.by, entry.promise),
            "made_in": list(entry.made_in),
            "status": entry.status.value,
            "condition": entry.condition.value,
            "verdict": entry.verdict.value,
            "accepted_in": None if entry.accepted_in is None else list(entry.accepted_in),
        }
        for entry in ledger
    ]


def decode_ledger(table: Table, value: list[Any]) -> Ledger:
    """The ledger that `encode_ledger` wrote."""
    return tuple(
        Entry(
            number,
            one["by"],
            decode_promise(table, one["by"], one["promise"]),
            tuple(one["made_in"]),
            Status(one["status"]),
            Verdict(one["condition"]),
            Verdict(one["verdict"]),
            None if one["accepted_in"] is None else tuple(one["accepted_in"]),
        )
        for number, one in enumerate(value, start=1)
    )


def _encode_deed(table: Table, deed: Deed) -> dict[str, Json]:
    terms = {key: term for key, term in deed._asdict().items() if term is not None}
    if "scholar" in terms:
        terms["scholar"] = table.names[terms["scholar"]]
    if "occupation" in terms:
        terms["occupation"] = table.edition.occupations[terms["occupation"]]
    return {"form": _FORM_OF[type(deed)], **terms}


def _refuse_other_keys(
    value: Mapping[str, Json], known: set[str], needed: Iterable[str] = ()
) -> None:
    for key in sorted(set(needed) - value.keys()):
        raise BadPromise(f"{quoted(key)} is missing.")
    for key in value:
        if key not in known:
            raise BadPromise(f"There is no key {quoted(key)} here: {', '.join(sorted(known))}.")


def _number(_table: Table, value: Mapping[str, Json], key: str) -> int:
    number: Any = value.get(key)
    if type(number) is not int or number < 0:
        raise BadPromise(f"{quoted(key)} must be a whole number from 0 on.")
    return number


def _seat(table: Table, value: Mapping[str, Json], key: str) -> int:
    if value.get(key) not in table.players:
        raise BadPromise(f"{quoted(key)} must be one of {', '.join(table.players)}.")
    return table.players.index(value[key])


def _scholar(table: Table, value: Mapping[str, Json], key: str) -> Scholar:
    name = value.get(key)
    if not isinstance(name, str) or name not in table.scholars:
        example = next(iter(table.scholars))
        raise BadPromise(f"{quoted(key)} must name a scholar of this table, such as {example}.")
    return table.scholars[name]


def _occupation(table: Table, value: Mapping[str, Json], key: str) -> int:
    occupations = table.edition.occupations
    if value.get(key) not in occupations:
        raise BadPromise(f"{quoted(key)} must be one of {', '.join(occupations)}.")
    return occupations.index(value[key])
