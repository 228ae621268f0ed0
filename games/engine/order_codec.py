"""Orders as JSON values. Scholars have the names of the game record, palaces their colours."""

from collections.abc import Mapping
from typing import Any, Final

from games.engine.codec import Json
from games.engine.errors import BadOrder
from games.engine.orders import (
    HighestBribes,
    Order,
    PayAbove,
    PayAmount,
    PayMinimum,
    PayNothing,
    SendThese,
)
from games.engine.state import Table

_KINDS: Final[Mapping[str, tuple[type[Order], Mapping[str, type]]]] = {
    "amount": (PayAmount, {"amount": int}),
    "minimum": (PayMinimum, {}),
    "above": (PayAbove, {"more": int, "limit": int, "then_limit": bool}),
    "nothing": (PayNothing, {}),
    "highest": (HighestBribes, {}),
    "send": (SendThese, {"scholars": list}),
}


def encode_order(table: Table, order: Order) -> dict[str, Json]:
    """The order as a JSON object; `kind` says which it is."""
    kind = next(kind for kind, (made, _) in _KINDS.items() if isinstance(order, made))
    if isinstance(order, SendThese):
        pairs = [[table.names[one], table.players[palace]] for one, palace in order.scholars]
        return {"kind": kind, "scholars": pairs}
    return {"kind": kind, **{key: getattr(order, key) for key in _KINDS[kind][1]}}


def decode_order(table: Table, value: Json) -> Order:
    """The order of this object; `BadOrder` where it is none. Doesn't check that it may be set."""
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in _KINDS:
        raise BadOrder(
            "format", f"An order must be an object of one of the kinds {', '.join(_KINDS)}."
        )
    made, types = _KINDS[kind]
    fields = {key: part for key, part in value.items() if key != "kind"}
    # `type(...) is` and not `isinstance`: true is no number here.
    if fields.keys() != types.keys() or any(type(fields[key]) is not types[key] for key in types):
        parts = ", ".join(f"{key} ({kind.__name__})" for key, kind in types.items()) or "nothing"
        raise BadOrder("format", f"An order of the kind {kind} must hold: {parts}.")
    if made is SendThese:
        return SendThese(tuple(_sent(table, pair) for pair in fields["scholars"]))
    order: Order = made(**fields)
    return order


def _sent(table: Table, pair: Any) -> Any:
    match pair:
        case [str(name), str(colour)] if name in table.scholars and colour in table.players:
            return table.scholars[name], table.players.index(colour)
    raise BadOrder(
        "format", "What is sent must be pairs of a scholar's name and a palace's colour."
    )
