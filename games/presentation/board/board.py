"""The position in shapes that a template can draw."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from games.engine import Event, Scholar, View
from games.engine.events import (
    BribesPaid,
    SalaryPaid,
    ScholarBanished,
    ScholarHired,
    ScholarsSent,
)
from games.presentation.text.words import People, colour_text, money, occupation_text, scholar_name
from games.table_events import TableEvent

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
    and is not opened yet. `came` where it came here since the reader's last visit, `fresh` where
    it did or paid since, `promised` where a promise about it is still to be kept.
    """

    name: str
    key: str
    colour: str
    occupation: str
    contends: bool
    paid: str
    amount: str
    sealed: bool
    came: bool
    fresh: bool
    promised: bool

    @property
    def has_mark(self) -> bool:
        """Whether there is anything to say about it besides its name."""
        return bool(self.paid) or self.sealed or self.fresh or self.promised


class Area(NamedTuple):
    """An area of a palace: `salary` for people, `key` without grouping, and who holds it.

    `fresh` where somebody came or went since the reader's last visit.
    """

    salary: str
    key: str
    resident: BoardScholar | None
    contested: bool
    fresh: bool

    @property
    def short(self) -> str:
        """The salary in thousands, for small drawings."""
        return self.key.removesuffix("000")


class Palace(NamedTuple):
    """A player's palace and what the reader may know of the player.

    `away` says of an absent player since when, and who plays; "" for everybody else.
    `earned` where the bank has paid the player salaries since the reader's last visit, `broke`
    where the player has not kept a promise to the reader since the reader's last move.
    """

    owner: str
    colour: str
    colour_text: str
    letter: str
    active: bool
    to_move: bool
    own: bool
    won: bool
    earned: bool
    broke: bool
    cash: str
    away: str
    areas: list[Area]
    applicants: list[BoardScholar]
    unsent: list[BoardScholar]


class Occupation(NamedTuple):
    """An occupation for the legend: its name, and the name of its emblem."""

    name: str
    key: str


class Fresh(NamedTuple):
    """What has happened on the board since the reader's last visit: scholars and places.

    `hired` has palaces and salaries, `earned` the seats that the bank paid, `broke` those that
    haven't kept a promise to the reader since the reader's last move.
    """

    banished: frozenset[Scholar] = frozenset()
    sent: frozenset[tuple[Scholar, int]] = frozenset()
    hired: frozenset[tuple[int, int]] = frozenset()
    paid_for: frozenset[Scholar] = frozenset()
    earned: frozenset[int] = frozenset()
    broke: frozenset[int] = frozenset()


def fresh_in(events: Iterable[Event | TableEvent]) -> Fresh:
    """What these events changed on the board."""
    banished: set[Scholar] = set()
    sent: set[tuple[Scholar, int]] = set()
    hired: set[tuple[int, int]] = set()
    paid_for: set[Scholar] = set()
    earned: set[int] = set()
    for event in events:
        match event:
            case ScholarBanished():
                banished.add(event.scholar)
            case ScholarsSent():
                sent.update(event.sent)
            case ScholarHired():
                hired.add((event.palace, event.area))
            case BribesPaid():
                paid_for.update(payment.scholar for payment in event.payments)
            case SalaryPaid(salaries=(_, *_)):
                earned.add(event.seat)
            case _:
                pass  # nothing on the board, or where it was
    return Fresh(
        frozenset(banished),
        frozenset(sent),
        frozenset(hired),
        frozenset(paid_for),
        frozenset(earned),
    )


class Board(NamedTuple):
    """The whole position: palaces clockwise, the island, and what the emblems mean.

    `hides_money` while the others' money is secret.
    """

    round: int
    rounds: int
    palaces: list[Palace]
    island: list[BoardScholar]
    occupations: list[Occupation]
    hides_money: bool


def board(
    people: People,
    view: View,
    fresh: Fresh | None = None,
    away: Mapping[int, str] | None = None,
    promised: Collection[Scholar] = (),
) -> Board:
    """The position as the seat of this view may see it.

    `away` has a text for each absent seat; `promised` are the scholars that promises still to be
    kept are about.
    """
    drawing = _Drawing(people, view, fresh or Fresh(), away or {}, promised)
    return Board(
        round=view.round,
        rounds=view.table.edition.rounds,
        palaces=[drawing.palace(seat) for seat in range(len(view.table.players))],
        island=[drawing.scholar(one, came=one in drawing.fresh.banished) for one in view.island],
        occupations=[
            Occupation(occupation_text(key), key) for key in view.table.edition.occupations
        ],
        hides_money=None in view.cash,
    )


class _Drawing:
    """Draws one view."""

    def __init__(
        self,
        people: People,
        view: View,
        fresh: Fresh,
        away: Mapping[int, str],
        promised: Collection[Scholar],
    ) -> None:
        self.people = people
        self.view = view
        self.fresh = fresh
        self.away = away
        self.promised = promised
        # Among the scholars in palaces and at doors, twins are told apart by their numbers.
        housed = {scholar for palace in view.palaces for scholar in palace if scholar is not None}
        self.out = housed.union(*view.applicants)
        self.paid = {
            payment.scholar: payment for payment in view.paid if payment.scholar in view.contenders
        }

    def palace(self, seat: int) -> Palace:
        view, colour = self.view, self.people.colour(seat)
        cash = view.cash[seat]
        return Palace(
            owner=self.people.name(seat),
            colour=colour,
            colour_text=colour_text(colour),
            letter=str(LETTERS[colour]),
            active=view.active == seat,
            to_move=seat in view.to_move,
            own=view.seat == seat,
            won=seat in view.winners,
            earned=seat in self.fresh.earned,
            broke=seat in self.fresh.broke,
            cash="" if cash is None else money(cash),
            away=self.away.get(seat, ""),
            areas=[self.area(seat, place) for place in range(len(view.table.edition.areas))],
            applicants=[
                self.scholar(one, came=(one, seat) in self.fresh.sent)
                for one in view.applicants[seat]
            ],
            unsent=[self.scholar(one) for one in view.unsent[seat]],
        )

    def area(self, seat: int, place: int) -> Area:
        view = self.view
        salary = view.table.edition.areas[place]
        holds = view.palaces[seat][place]
        return Area(
            salary=money(salary),
            key=str(salary),
            resident=None if holds is None else self.scholar(holds),
            contested=view.active == seat and view.area == salary,
            fresh=(seat, salary) in self.fresh.hired,
        )

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
            came=came,
            fresh=came or (payment is not None and scholar in self.fresh.paid_for),
            promised=scholar in self.promised,
        )
