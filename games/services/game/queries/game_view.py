"""What a person may read of a game. Everything goes through the engine's `view`."""

from datetime import date, datetime
from typing import Final, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, prefetch_related_objects
from django.db.models.functions import JSONObject
from django.utils.translation import gettext as _

from games.engine import Move, View, view
from games.models import DaysOff, Game, Order, Seat, User
from games.presentation.board.board import Board, board
from games.presentation.board.money_panel import MoneyPanel, money_panel
from games.presentation.board.question import Question, facts, question
from games.presentation.board.turn_summary import AskedOf, asked_of_all
from games.presentation.text.tables import house_name
from games.presentation.text.words import People, day_and_hour, moment
from games.services.game.queries.log import Reader
from games.services.game.standing_orders import StandingOrders
from games.services.people.display_names import (
    names_in_order,
    seat_names,
    seat_person_id,
    with_names,
)

DAYS_OFF: Final = ArraySubquery(
    DaysOff.objects.filter(seat=OuterRef("pk"))
    .order_by("first_day", "pk")
    .values(days=JSONObject(pk="pk", first_day="first_day", last_day="last_day"))
)


class Days(NamedTuple):
    """Days off that somebody has announced, both included; `pk` is that of the row."""

    pk: int
    first_day: date
    last_day: date


class Waiting(NamedTuple):
    """A seat that is asked, and until when its player is waited for."""

    name: str
    deadline_at: datetime | None


class Sitter(NamedTuple):
    """Who sits at a seat, and what everybody may know of it.

    `away` says of an absent one since when, and who plays; "" for all others.
    """

    number: int
    name: str
    person_id: int | None
    colour: str
    own: bool
    house: bool
    absent: bool
    away: str
    awaited: bool
    played_by: str
    may_take_over: bool
    unreachable: bool
    days_off: list[Days]


class GameView(NamedTuple):
    """A started game as one person may see it; `seat` is their own, None for a spectator.

    `asked` is what everybody may know of the questions to all who are awaited, in the order of
    `waiting`. `names_in_order` holds for each seat the names of those who sat there, the first one
    first. `before` is the game at the reader's last visit, of which `last_seen` is the last event;
    None and 0 where that is not asked for, or there was none.
    """

    seat: Seat | None
    view: View
    people: People
    board: Board
    question: Question | None
    facts: list[str]
    money_panel: MoneyPanel | None
    deadline_at: datetime | None
    asked: list[AskedOf]
    waiting: list[Waiting]
    sitters: list[Sitter]
    seats: list[Seat]
    names_in_order: list[list[str]]
    before: View | None = None
    last_seen: int = 0

    @property
    def away(self) -> dict[int, str]:
        """For which seats nobody is waited, with since when and who plays."""
        return _away_of(self.sitters)

    @property
    def reader(self) -> Reader:
        """For whom the log and the history are told."""
        return Reader(self.view.seat, self.people, self.names_in_order)


def read_game(game: Game, user: User | None) -> GameView:
    """The position of a started game, as `user` (None: nobody who sits there) may see it."""
    seats = list[Seat](with_names(game.seats.select_related("user")).annotate(off=DAYS_OFF))
    own = next((seat for seat in seats if user is not None and seat.user == user), None)
    number = own.number if own is not None else None
    seen = view(game.decoded(), number)
    if not game.is_going_on:
        seen = seen._replace(awaited=(), defaults=())  # nobody is asked while it rests
    people = People(seen.table, seat_names(seats))
    sitters = [_sitter(game, seat, people, seen, own, user) for seat in seats]
    return GameView(
        seat=own,
        view=seen,
        people=people,
        board=board(people, seen, away=_away_of(sitters)),
        question=question(people, seen, _deadline_move(own, seen)),
        facts=facts(people, seen),
        money_panel=money_panel(people, seen),
        deadline_at=_deadline_of(own) if own is not None else None,
        asked=asked_of_all(people, seen),
        waiting=[
            Waiting(people.name(number), _deadline_of(seats[number])) for number in seen.awaited
        ],
        sitters=sitters,
        seats=seats,
        names_in_order=[names_in_order(seat) for seat in seats],
    )


def _deadline_move(own: Seat | None, seen: View) -> Move | None:
    """What is played for the reader's own seat if they do nothing; None where it is not asked."""
    if own is None or seen.choice is None:
        return None
    return StandingOrders(seen.table, own_orders(own)).deadline_move(seen).move


def own_orders(own: Seat) -> list[Order]:
    """The orders of the reader's own seat; nobody else's are ever read. One query for a page."""
    prefetch_related_objects([own], "orders")
    return list(own.orders.all())


def _deadline_of(seat: Seat) -> datetime | None:
    """Until when somebody is waited for; None where nobody is, though the seat is asked."""
    return None if seat.is_played_for() else seat.deadline_at


def _sitter(
    game: Game, seat: Seat, people: People, seen: View, own: Seat | None, user: User | None
) -> Sitter:
    running = game.status == Game.Status.RUNNING
    return Sitter(
        number=seat.drawn_number,
        name=people.name(seat.drawn_number),
        person_id=seat_person_id(seat),
        colour=seat.colour,
        own=seat == own,
        house=bool(seat.house_player),
        absent=running and seat.wants_substitute(),
        away=_away(game, seat, user) if running and seat.wants_substitute() else "",
        awaited=seat.number in seen.awaited,
        played_by=played_by(game),
        may_take_over=game.is_in_play
        and not game.closed_to_newcomers
        and seat.wants_substitute()
        and own is None
        and user is not None,
        unreachable=running
        and seat.user is not None
        and seat.user.is_unreachable
        and not seat.wants_substitute(),
        days_off=_days_off(seat),
    )


def _away_of(sitters: list[Sitter]) -> dict[int, str]:
    return {sitter.number: sitter.away for sitter in sitters if sitter.absent}


def _away(game: Game, seat: Seat, reader: User | None) -> str:
    """Since when nobody is waited for at a seat, on the reader's clock, and who plays there."""
    if game.resting_since is not None:
        return _("Nobody plays here: the game is dormant.")
    who = {"who": played_by(game)}
    if seat.user is None or seat.absent_since is None:
        if game.closed_to_newcomers:
            return _("Empty seat: {who} plays here.").format(**who)
        return _("Empty seat: {who} plays here, and a substitute is wanted.").format(**who)
    since = seat.absent_since
    who["moment"] = (
        moment(since, "UTC") if reader is None else day_and_hour(since, reader.time_zone)
    )
    if game.closed_to_newcomers:
        return _("Absent since {moment}: {who} plays.").format(**who)
    text = _("Absent since {moment}: {who} plays, and a substitute is wanted.")
    return text.format(**who)


def played_by(game: Game) -> str:
    """Who plays for absent seats, in words."""
    if game.absent_player == "default":
        return _("the clock")
    return _("the house player {name}").format(name=house_name(game.absent_player))


def _days_off(seat: Seat) -> list[Days]:
    return [
        Days(
            row["pk"],
            date.fromisoformat(row["first_day"]),
            date.fromisoformat(row["last_day"]),
        )
        for row in vars(seat)["off"]
    ]
