"""The position in shapes that a template can show."""

from typing import NamedTuple

from games.engine import Scholar, View
from games.presentation.words import People, money, scholar_name


class Area(NamedTuple):
    """An area of a palace: its salary, and who holds it."""

    salary: str
    resident: str
    colour: str
    contested: bool


class Guest(NamedTuple):
    """A scholar at the door of a palace, at home, or on the island."""

    name: str
    colour: str


class Palace(NamedTuple):
    """A player's palace and what the reader may know of the player."""

    owner: str
    colour: str
    active: bool
    awaited: bool
    own: bool
    won: bool
    cash: str
    areas: list[Area]
    applicants: list[Guest]
    unsent: list[Guest]


class Board(NamedTuple):
    """The whole position: palaces clockwise and the island."""

    round: int
    rounds: int
    palaces: list[Palace]
    island: list[Guest]


def board(people: People, view: View) -> Board:
    """The position as the seat of this view may see it."""
    return Board(
        round=view.round,
        rounds=view.table.edition.rounds,
        palaces=[_palace(people, view, seat) for seat in range(len(view.table.players))],
        island=_guests(people, view.island),
    )


def _palace(people: People, view: View, seat: int) -> Palace:
    cash = view.cash[seat]
    return Palace(
        owner=people.name(seat),
        colour=people.colour(seat),
        active=view.active == seat,
        awaited=seat in view.awaited,
        own=view.seat == seat,
        won=seat in view.winners,
        cash="" if cash is None else money(cash),
        areas=[
            Area(
                salary=money(salary),
                resident="" if held_by is None else scholar_name(view.table, held_by),
                colour="" if held_by is None else people.colour(held_by.owner),
                contested=view.active == seat and view.area == salary,
            )
            for salary, held_by in zip(view.table.edition.areas, view.palaces[seat], strict=True)
        ],
        applicants=_guests(people, view.applicants[seat]),
        unsent=_guests(people, view.unsent[seat]),
    )


def _guests(people: People, scholars: tuple[Scholar, ...]) -> list[Guest]:
    return [
        Guest(scholar_name(people.table, scholar), people.colour(scholar.owner))
        for scholar in scholars
    ]
