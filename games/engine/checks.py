"""The validator: a move is legal if and only if the choice allows it."""

from collections.abc import Callable
from typing import Any

from games.engine.choices import BribeChoice, Choice, JudgeChoice, PlaceChoice, SendChoice
from games.engine.errors import IllegalMove
from games.engine.moves import Bribe, Judge, Move, Place, Send
from games.engine.state import Scholar, Table


def check(table: Table, choice: Choice, move: Move) -> None:
    """Refuse a move that the choice does not allow, with `IllegalMove`; accept exactly the rest.

    The codes come in the order of the game record: type, contenders or scholars, amount, cash,
    area, palace. A `Default` move is not a choice: resolve it with `default_move` first.
    """
    expected, check_move = _CHECKS[type(choice)]
    if not isinstance(move, expected):
        raise IllegalMove("type", f"What is asked for now is {EXPECTED_MOVE[type(choice)]}.")
    check_move(table, choice, move)


EXPECTED_MOVE = {
    BribeChoice: "a bribe for each of one's contenders",
    PlaceChoice: "each scholar to be hired and its area",
    JudgeChoice: "the winner of the conflict",
    SendChoice: "the scholars to be sent and their palaces",
}


def _check_bribes(table: Table, choice: BribeChoice, move: Bribe) -> None:
    bribes = move.bribes
    if sorted([scholar for scholar, _ in bribes]) != sorted(choice.scholars):
        raise IllegalMove(
            "contenders",
            f"Exactly one bribe is due for each of {_names(table, choice.scholars)}.",
        )
    for scholar, amount in bribes:
        if amount == 0 and scholar in choice.may_pass:
            continue
        if amount < choice.minimum or amount % choice.unit:
            raise IllegalMove("amount", _amount_rule(table, choice, scholar), scholar)
    cash = choice.cash
    for scholar, amount in bribes:
        if amount > choice.highest(cash):
            raise IllegalMove("cash", _cash_rule(table, choice, scholar, cash), scholar, cash)
        cash = max(cash - amount, 0)


def _amount_rule(table: Table, choice: BribeChoice, scholar: Scholar) -> str:
    rule = f"The bribe for {table.names[scholar]} must be a multiple of {choice.unit}"
    if scholar in choice.may_pass:
        return f"{rule} from {choice.minimum} on, or 0 to pass."
    return f"{rule} and at least {choice.minimum}."


def _cash_rule(table: Table, choice: BribeChoice, scholar: Scholar, cash: int) -> str:
    highest = choice.highest(cash)
    limit = "must be exactly" if highest == choice.minimum else "can be at most"
    or_pass = ", or 0 to pass" if scholar in choice.may_pass else ""
    return (
        f"When {table.names[scholar]} is paid for, {cash} is left: "
        f"the bribe {limit} {highest}{or_pass}."
    )


def _check_placements(table: Table, choice: PlaceChoice, move: Place) -> None:
    hired = [scholar for scholar, _ in move.placements]
    one_of_each = len(hired) == len(choice.conflicts)
    for conflict in choice.conflicts:
        one_of_each = one_of_each and len([one for one in hired if one in conflict]) == 1
    if not one_of_each:
        groups = "; ".join(_names(table, conflict, " or ") for conflict in choice.conflicts)
        raise IllegalMove("contenders", f"Exactly one scholar each must be hired of: {groups}.")
    areas = [area for _, area in move.placements]
    if len(set(areas)) != len(areas) or not set(areas).issubset(choice.open_areas):
        open_areas = ", ".join(map(str, choice.open_areas))
        raise IllegalMove("area", f"Each scholar needs an area of its own; open are {open_areas}.")


def _check_judgement(table: Table, choice: JudgeChoice, move: Judge) -> None:
    if move.winner not in choice.winners:
        raise IllegalMove(
            "contenders", f"The winner must be one of {_names(table, choice.winners)}."
        )


def _check_sending(table: Table, choice: SendChoice, move: Send) -> None:
    sent = move.scholars
    scholars = {scholar for scholar, _ in sent}
    if (
        len(sent) != choice.count
        or len(scholars) != choice.count
        or not scholars.issubset(choice.scholars)
    ):
        number = "1 scholar" if choice.count == 1 else f"{choice.count} different scholars"
        raise IllegalMove(
            "scholars", f"Exactly {number} must be sent, of {_names(table, choice.scholars)}."
        )
    palaces = {palace for _, palace in sent}
    if not palaces.issubset(choice.palaces):
        raise IllegalMove(
            "palace", f"Scholars go to the palaces of others: {_colours(table, choice.palaces)}."
        )
    if choice.distinct and len(palaces) != len(sent):
        raise IllegalMove(
            "palace", f"Each must go to a different palace, of {_colours(table, choice.palaces)}."
        )


_CHECKS: dict[type, tuple[type, Callable[[Table, Any, Any], None]]] = {
    BribeChoice: (Bribe, _check_bribes),
    PlaceChoice: (Place, _check_placements),
    JudgeChoice: (Judge, _check_judgement),
    SendChoice: (Send, _check_sending),
}


def _colours(table: Table, seats: tuple[int, ...]) -> str:
    return ", ".join(table.players[seat] for seat in seats)


def _names(table: Table, scholars: tuple[Scholar, ...], between: str = ", ") -> str:
    return between.join(table.names[scholar] for scholar in scholars)
