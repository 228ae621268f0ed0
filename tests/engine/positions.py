"""Random positions and random moves in the words of the record, for Hypothesis and for seeds."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from games.engine import COLOURS, EDITIONS, State, encode_move, view
from games.engine.record import FORMAT
from tests.engine.playouts import random_options, wild_move
from tests.engine.presets import PRESETS

Record = dict[str, Any]

RANDOM = st.randoms(use_true_random=False)
"""A Random whose choices Hypothesis makes, and makes simpler when a test fails."""


def random_record(chance: Random) -> Record:
    """A record with a position anywhere in a game, legal but often far from any real game."""
    edition = chance.choice(tuple(EDITIONS))
    preset = PRESETS[edition]
    options = random_options(edition, chance)
    players = chance.sample(COLOURS, chance.randint(3, 5))
    active = chance.choice(players)
    position: dict[str, Any] = {
        "round": chance.randint(1, options.get("rounds", preset["rounds"])),
        "active": active,
        "cash": random_cash(chance, players, preset["unit"], options.get("broke", preset["broke"])),
        "palaces": {player: {} for player in players},
        "applicants": {player: [] for player in players},
        "island": [],
    }
    for scholar in all_scholars(players, preset["occupations"]):
        put_somewhere(chance, position, preset["areas"], scholar)
    return {
        "format": FORMAT,
        "edition": edition,
        "options": options,
        "players": players,
        "first": chance.choice(players),
        "position": position,
        "moves": [],
    }


def all_scholars(players: list[str], occupations: tuple[str, ...]) -> list[str]:
    return [f"{p}-{o}-{number}" for p in players for o in occupations for number in (1, 2)]


def random_cash(chance: Random, players: list[str], unit: int, broke: str) -> dict[str, int]:
    """Small purses, so that people run out of money; now and then no round sum."""
    least = -3 if broke == "debt" else 0
    cash = {player: unit * chance.randint(least, 6) for player in players}
    if chance.random() < 0.2:
        cash[chance.choice(players)] = unit * 5 // 2
    return cash


def put_somewhere(chance: Random, position: dict[str, Any], areas: list[int], scholar: str) -> None:
    """To the active player's door or palace, to another's, to the island, or nowhere (unsent)."""
    colour, occupation, _ = scholar.split("-")
    palaces = position["palaces"]
    owner = position["active"] if chance.random() < 0.7 else chance.choice(tuple(palaces))
    where = chance.choice(("unsent", "unsent", "door", "door", "palace", "island"))
    if where == "island":
        position["island"].append(scholar)
    elif where == "unsent" or owner == colour:
        return
    elif where == "door":
        position["applicants"][owner].append(scholar)
    elif not any(occupation in resident for resident in palaces[owner].values()):
        area = str(chance.choice(areas))
        palaces[owner].setdefault(area, scholar)


def legal_move(state: State, seat: int, chance: Random) -> Record:
    """A move made of what the view of this seat offers."""
    choice = view(state, seat).choice
    assert choice is not None
    return encode_move(state.table, seat, wild_move(choice, chance))


def near_move(state: State, seat: int, chance: Random) -> Any:
    """A legal move with one or two things changed: often illegal, in every way there is."""
    move = legal_move(state, seat, chance)
    for _ in range(chance.randint(1, 2)):
        if isinstance(move, dict):
            move = chance.choice(CHANGES)(state, move, chance)
    return move


def other_player(state: State, move: Record, chance: Random) -> Any:
    return {**move, "player": chance.choice((*state.table.players, "pink", 3, None))}


def other_type(state: State, move: Record, chance: Random) -> Any:
    kinds = ("bribe", "place", "judge", "send", "default", "resign", None, [])
    return {**move, "type": chance.choice(kinds)}


def other_keys(state: State, move: Record, chance: Random) -> Any:
    if not move or chance.random() < 0.5:
        return {**move, "note": "please"}
    gone = chance.choice(tuple(move))
    return {key: value for key, value in move.items() if key != gone}


def other_form(state: State, move: Record, chance: Random) -> Any:
    return chance.choice((None, 5, "default", [move], {}, {"player": "red"}))


def other_pairs(state: State, move: Record, chance: Random) -> Any:
    """One pair too many, one too few, another order, or no list of pairs."""
    for key, value in move.items():
        if isinstance(value, list):
            pairs = [*value]
            chance.shuffle(pairs)
            odd = (pairs, pairs[1:], pairs + pairs[:1], [*pairs, ["x"]], {}, None, [[]])
            return {**move, key: chance.choice(odd)}
    return {**move, "winner": chance.choice((None, ["red-clerk-1"], 1))}


def other_scholar(state: State, move: Record, chance: Random) -> Any:
    names = (*state.table.scholars, "pink-clerk-1", "red-clerk-3", "")
    nearby = [state.table.names[scholar] for scholar in state.contenders]
    name = chance.choice(nearby or names) if chance.random() < 0.5 else chance.choice(names)
    if "winner" in move:
        return {**move, "winner": name}
    return changed_pair(move, 0, name, chance)


def other_value(state: State, move: Record, chance: Random) -> Any:
    """Another amount, area or palace."""
    unit = state.table.edition.unit
    money = chance.choice((*state.cash, 0, unit, -unit, 10**30))
    near = money + unit * chance.randint(-2, 2)
    odd = (near, near, near, near + 1, unit // 2, True, float(unit), str(unit), None)
    palaces = (*state.table.players, "pink")
    areas = (*state.table.edition.areas, 2000)
    values = {"bribes": odd, "placements": (*areas, *odd[4:]), "scholars": (*palaces, 1, None)}
    for key, possible in values.items():
        if key in move:
            return changed_pair(move, 1, chance.choice(possible), chance)
    return move


def changed_pair(move: Record, at: int, value: Any, chance: Random) -> Record:
    for key, pairs in move.items():
        if isinstance(pairs, list) and all(isinstance(p, list) and len(p) == 2 for p in pairs):
            changed = [[*pair] for pair in pairs]
            if changed:
                chance.choice(changed)[at] = value
            return {**move, key: changed}
    return move


CHANGES = (
    other_player,
    other_type,
    other_keys,
    other_form,
    other_pairs,
    other_scholar,
    other_scholar,
    other_value,
    other_value,
    other_value,
)
