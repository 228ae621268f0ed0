"""The scene of the front page: a few moves of a game in which somebody breaks a promise.

The engine plays them, and the pages of games draw them, so what strangers see is the game itself.
"""

from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from games.engine import view
from games.engine.codec import Json
from games.engine.record import play, read_record
from games.presentation.board.board import Board, Fresh, board
from games.presentation.text.words import People, money

NORA, PIET, ANNA = range(3)
NAMES: Final = (
    pgettext_lazy("a player on the front page", "Nora"),
    pgettext_lazy("a player on the front page", "Piet"),
    pgettext_lazy("a player on the front page", "Anna"),
)

PROMISED: Final = 10_000
PAID: Final = 1_000
OUTBID_BY: Final = 2_000

RECORD: Final[dict[str, Json]] = {
    "format": "intrigue-record/1",
    "edition": "mayfair-2005",
    "options": {},
    "players": ["green", "red", "blue"],
    "first": "green",
    "position": {
        "round": 3,
        "palaces": {
            "green": {"6000": "blue-doctor-1", "3000": "red-priest-1"},
            "red": {"1000": "blue-priest-1", "10000": "green-scientist-1"},
            "blue": {"6000": "green-doctor-1", "3000": "red-scientist-1"},
        },
        "applicants": {
            "green": ["red-clerk-1", "blue-clerk-1"],
            "red": ["blue-scientist-1"],
            "blue": ["green-priest-1"],
        },
        "island": ["green-clerk-1", "red-doctor-1"],
    },
    "moves": [
        {"player": "red", "type": "bribe", "bribes": [["red-clerk-1", PAID]]},
        {"player": "blue", "type": "bribe", "bribes": [["blue-clerk-1", OUTBID_BY]]},
        {"player": "green", "type": "place", "placements": [["blue-clerk-1", 10_000]]},
    ],
    "promises": [
        {
            "after": 0, "player": "red", "type": "offer", "id": 1, "to": "green",
            "form": "pay", "scholar": "red-clerk-1", "least": PROMISED,
        },
        {"after": 0, "player": "green", "type": "accept", "id": 1},
    ],
}  # fmt: skip
"""Nora's turn: Piet and Anna both have a clerk at her door, and Piet has promised her money."""


class Picture(NamedTuple):
    """A position, and what has just happened in words."""

    board: Board
    caption: str


def scene() -> list[Picture]:
    """The promise, the bribes and what came of them, in the reader's language."""
    record = read_record(RECORD)
    begun, _paid, both_paid, hired = (made.state for made in play(record))
    people = People(record.table, [str(name) for name in NAMES])
    last = _("Piet promised {promised} and paid {paid}, so Nora sends his scholar away.")
    shown = [
        (begun, Fresh(), _("Piet promises Nora {promised} for a job in her palace.")),
        (both_paid, BROKEN, _("Piet pays {paid}. Anna pays {more} and makes no promises.")),
        (hired, BROKEN, last),
    ]
    amounts = {"promised": money(PROMISED), "paid": money(PAID), "more": money(OUTBID_BY)}
    return [
        Picture(_still(board(people, view(state, None), fresh)), caption.format(**amounts))
        for state, fresh, caption in shown
    ]


BROKEN: Final = Fresh(broke=frozenset({PIET}))


def _still(drawn: Board) -> Board:
    """The position without who is to move: nobody who looks is."""
    return drawn._replace(palaces=[one._replace(to_move=False) for one in drawn.palaces])
