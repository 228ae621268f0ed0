"""The position in shapes that a template can draw."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from games.engine import Payment, Scholar, View
from games.presentation.text.words import People, colour_text, money, occupation_text, scholar_name

LETTERS: Final[Mapping[str, str | Promise]] = {
    # Translators: the letter that stands on the shield of a seat, one or two; all five differ.
    "red": pgettext_lazy("letter of red", "R"),
    "yellow": pgettext_lazy("letter of yellow", "Y"),
    "green": pgettext_lazy("letter of green", "G"),
    "blue": pgettext_lazy("letter of blue", "B"),
    "violet": pgettext_lazy("letter of violet", "V"),
}


class BoardScholar(NamedTuple):
    """A scholar somewhere on the board.

    `name` is for people, with the number where its twin is out of the house too; `key` is the
    record's name, `occupation` that of the emblem. `paid` is its bribe in the present conflict,
    "" where none was paid, `amount` the same without grouping; `sealed` where one was handed in
    and is not opened yet. `fresh` where it came here or paid since the reader's last visit.
    """

    name: str
    key: str
    colour: str
    occupation: str
    contends: bool
    paid: str
    amount: str
    sealed: bool
    fresh: bool


class Area(NamedTuple):
    """An area of a palace: `salary` for people, `key` without grouping, and who holds it.

    `fresh` where somebody came or went since the reader's last visit.
    """

    salary: str
    key: str
    resident: BoardScholar | None
    contested: bool
    fresh: bool


class Palace(NamedTuple):
    """A player's palace and what the reader may know of the player.

    `away` says that nobody is waited for here, since when, and who plays; "" where somebody is.
    """

    owner: str
    colour: str
    colour_text: str
    letter: str
    active: bool
    awaited: bool
    own: bool
    won: bool
    cash: str
    away: str
    areas: list[Area]
    applicants: list[BoardScholar]
    unsent: list[BoardScholar]


class Occupation(NamedTuple):
    """An occupation for the legend: its name, and the name of its emblem."""

    name: str
    key: str


class Board(NamedTuple):
    """The whole position: palaces clockwise, the island, and what the emblems mean."""

    round: int
    rounds: int
    palaces: list[Palace]
    island: list[BoardScholar]
    occupations: list[Occupation]


def board(
    people: People, view: View, before: View | None = None, away: Mapping[int, str] | None = None
) -> Board:
    """The position as the seat of this view may see it.

    `before` is what the reader saw at the last visit; what has changed since is `fresh`, nothing
    is where it is None. `away` says of seats for which nobody is waited how that is.
    """
    drawing = _Drawing(people, view, before, away or {})
    came = set() if before is None else set(view.island) - set(before.island)
    return Board(
        round=view.round,
        rounds=view.table.edition.rounds,
        palaces=[drawing.palace(seat) for seat in range(len(view.table.players))],
        island=drawing.scholars(view.island, came),
        occupations=[
            Occupation(occupation_text(key), key) for key in view.table.edition.occupations
        ],
    )


class _Drawing:
    """Draws one view."""

    def __init__(
        self, people: People, view: View, before: View | None, away: Mapping[int, str]
    ) -> None:
        self.people = people
        self.view = view
        self.before = before
        self.away = away
        # Among the scholars in palaces and at doors, twins are told apart by their numbers.
        housed = {scholar for palace in view.palaces for scholar in palace if scholar is not None}
        self.out = housed.union(*view.applicants)
        self.paid = {
            payment.scholar: payment for payment in view.paid if payment.scholar in view.contenders
        }
        self.seen = view.paid if before is None else _paid_before(view, before)

    def palace(self, seat: int) -> Palace:
        view, colour = self.view, self.people.colour(seat)
        cash = view.cash[seat]
        applicants = view.applicants[seat]
        came = set() if self.before is None else set(applicants) - set(self.before.applicants[seat])
        return Palace(
            owner=self.people.name(seat),
            colour=colour,
            colour_text=colour_text(colour),
            letter=str(LETTERS[colour]),
            active=view.active == seat,
            awaited=seat in view.awaited,
            own=view.seat == seat,
            won=seat in view.winners,
            cash="" if cash is None else money(cash),
            away=self.away.get(seat, ""),
            areas=[self.area(seat, place) for place in range(len(view.table.edition.areas))],
            applicants=self.scholars(applicants, came),
            unsent=self.scholars(view.unsent[seat]),
        )

    def area(self, seat: int, place: int) -> Area:
        view = self.view
        salary = view.table.edition.areas[place]
        holds = view.palaces[seat][place]
        changed = self.before is not None and self.before.palaces[seat][place] != holds
        return Area(
            salary=money(salary),
            key=str(salary),
            resident=None if holds is None else self.scholar(holds),
            contested=view.active == seat and view.area == salary,
            fresh=changed,
        )

    def scholars(
        self, scholars: Iterable[Scholar], came: Iterable[Scholar] = ()
    ) -> list[BoardScholar]:
        return [self.scholar(scholar, came=scholar in came) for scholar in scholars]

    def scholar(self, scholar: Scholar, *, came: bool = False) -> BoardScholar:
        payment = self.paid.get(scholar)
        contends = scholar in self.view.contenders
        return BoardScholar(
            name=scholar_name(self.view.table, scholar, self.out),
            key=self.view.table.names[scholar],
            colour=self.people.colour(scholar.owner),
            occupation=self.view.table.edition.occupations[scholar.occupation],
            contends=contends,
            paid="" if payment is None else money(payment.amount),
            amount="" if payment is None else str(payment.amount),
            sealed=contends and payment is None and scholar.owner in self.view.handed_in,
            fresh=came or (payment is not None and payment not in self.seen),
        )


def _paid_before(view: View, before: View) -> tuple[Payment, ...]:
    """The bribes of the present conflict that the reader has seen already."""
    now, then = [(at.round, at.active, at.contenders) for at in (view, before)]
    return before.paid if now == then else ()
