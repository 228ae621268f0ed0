"""A board that fits into a line of a list: who holds which area, and whose turn it is."""

from typing import NamedTuple

from games.engine import View
from games.presentation.board.board import LETTERS
from games.presentation.text.words import People


class SmallArea(NamedTuple):
    """An area: the colour and letter of who holds it, "" where nobody does."""

    colour: str
    letter: str


class SmallPalace(NamedTuple):
    """A palace: its seat, the areas from the least to the best, and how many stand at its door."""

    colour: str
    letter: str
    active: bool
    own: bool
    areas: list[SmallArea]
    applicants: int


class SmallBoard(NamedTuple):
    """The palaces clockwise, the round, and who the reader's opponents are, with their colours."""

    round: int
    rounds: int
    palaces: list[SmallPalace]
    opponents: list[tuple[str, str]]


def small_board(people: People, view: View) -> SmallBoard:
    """The position as the seat of this view may see it."""

    def area(owner: int | None) -> SmallArea:
        colour = "" if owner is None else people.colour(owner)
        return SmallArea(colour, str(LETTERS[colour]) if colour else "")

    seats = range(len(view.table.players))
    return SmallBoard(
        round=view.round,
        rounds=view.table.edition.rounds,
        palaces=[
            SmallPalace(
                *area(seat)[:2],
                active=view.active == seat,
                own=view.seat == seat,
                areas=[area(holds and holds.owner) for holds in view.palaces[seat]],
                applicants=len(view.applicants[seat]),
            )
            for seat in seats
        ],
        opponents=[(people.colour(seat), people.name(seat)) for seat in seats if seat != view.seat],
    )
