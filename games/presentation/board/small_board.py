"""A board that fits into a line of a list: who holds which area, and whose turn it is."""

from typing import Final, NamedTuple

from games.engine import View
from games.presentation.board.board import LETTERS
from games.presentation.board.colours import HEX
from games.presentation.text.words import People


def _lines(colour: str, angle: int) -> str:
    line = f"repeating-linear-gradient({angle}deg,#1d1a1699 0 1px,#0000 1px 4px)"
    return f"background-color:{HEX[colour]};background-image:{line}"


STYLES: Final = {
    "red": _lines("red", 90),
    "yellow": f"background-color:{HEX['yellow']};"
    "background-image:radial-gradient(#1d1a1699 .8px,#0000 1.2px);background-size:4px 4px",
    "green": _lines("green", 45),
    "blue": _lines("blue", 0),
    "violet": _lines("violet", -45),
}
"""The tincture and the hatching of each seat, as in site.css by day."""


class SmallArea(NamedTuple):
    """An area: the colour and letter of its resident's owner, "" where nobody holds it."""

    colour: str
    letter: str

    @property
    def style(self) -> str:
        """Its colour and pattern where there is no style sheet, as in email; "" for nobody's."""
        return STYLES.get(self.colour, "")


class SmallPalace(NamedTuple):
    """A palace: its seat, the areas from the least to the best, and how many stand at its door."""

    colour: str
    letter: str
    active: bool
    own: bool
    areas: list[SmallArea]
    applicants: int

    @property
    def style(self) -> str:
        """Its colour and pattern where there is no style sheet, like an area's."""
        return STYLES[self.colour]


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
