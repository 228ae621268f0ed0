"""The engine of Intrigue: pure functions on plain immutable data, standard library only.

new_game(edition, options, players, first) -> Step(state, events)
view(state, seat) -> View          what a seat may know and choose
legal(state, seat) -> Choice       the choices alone
step(state, seat, move) -> Step    one move, or IllegalMove
default_move(state, seat) -> Move  what the clock plays
encode, decode                     states as JSON
"""

from games.engine.checks import check
from games.engine.choices import BribeChoice, Choice, JudgeChoice, PlaceChoice, SendChoice, legal
from games.engine.codec import (
    decode,
    decode_event,
    decode_move,
    encode,
    encode_event,
    encode_move,
)
from games.engine.editions import COLOURS, EDITIONS, Edition
from games.engine.errors import BadRecord, BadSetup, IllegalMove
from games.engine.events import Event, apply, replay
from games.engine.moves import Bribe, Default, Judge, Move, Place, Send
from games.engine.rules import Step, default_move, new_game, step
from games.engine.state import BRIBING, Payment, Scholar, Stage, State, Table, to_move, winners
from games.engine.view import View, look_back, rival_bribes, view, view_event

__all__ = [
    "BRIBING",
    "COLOURS",
    "EDITIONS",
    "BadRecord",
    "BadSetup",
    "Bribe",
    "BribeChoice",
    "Choice",
    "Default",
    "Edition",
    "Event",
    "IllegalMove",
    "Judge",
    "JudgeChoice",
    "Move",
    "Payment",
    "Place",
    "PlaceChoice",
    "Scholar",
    "Send",
    "SendChoice",
    "Stage",
    "State",
    "Step",
    "Table",
    "View",
    "apply",
    "check",
    "decode",
    "decode_event",
    "decode_move",
    "default_move",
    "encode",
    "encode_event",
    "encode_move",
    "legal",
    "look_back",
    "new_game",
    "replay",
    "rival_bribes",
    "step",
    "to_move",
    "view",
    "view_event",
    "winners",
]
