"""What a player's form sends: made from the state by the engine alone, without a page."""

from uuid import uuid4

from games.engine import Bribe, Judge, Move, Place, Send, State, view
from games.engine.forced import sending_after


def fields(state: State, seat: int, phase_no: int) -> dict[str, str]:
    """The default move of a seat that is to move, as the form of the game's page sends it.

    It is one move: where the sending could be decided in the same form, it is left for later.
    """
    seen = view(state, seat)
    assert seen.default is not None
    told = {"phase_no": str(phase_no), "token": str(uuid4())}
    if (later := sending_after(seen)) is not None:
        pairs = zip(later.scholars, later.palaces, strict=False)
        told |= _of(Send(tuple(pairs)[: later.count]), state) | {"send-later": "on"}
    return told | _of(seen.default, state)


def _of(move: Move, state: State) -> dict[str, str]:
    names = state.table.names
    match move:
        case Bribe(bribes):
            paid = {names[scholar]: str(amount) for scholar, amount in bribes}
            return paid | {"first": names[bribes[0][0]]}
        case Place(placements):
            occupations = state.table.edition.occupations
            told = {}
            for scholar, area in placements:
                occupation = occupations[scholar.occupation]
                told |= {f"{occupation}-winner": names[scholar], f"{occupation}-area": str(area)}
            return told
        case Judge(winner):
            return {"winner": names[winner]}
        case Send(sent):
            told = {}
            for place, (scholar, palace) in enumerate(sent, 1):
                told[f"send-scholar-{place}"] = names[scholar]
                told[f"send-palace-{place}"] = state.table.players[palace]
            return told
    raise AssertionError(move)
