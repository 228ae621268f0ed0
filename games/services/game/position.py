"""Where a started game stands for one person: what the form of their decision needs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial

from games.engine import Move, State, View
from games.engine.binding import may_play, view_within
from games.engine.ledger import Ledger
from games.engine.owed import Undone, undone_by_moves
from games.models import Game, Order, Seat, User
from games.presentation.board.board import Board, board
from games.presentation.text.words import People
from games.services.game.holders import Holders
from games.services.game.offers import Offers, promised, stored_offers
from games.services.game.private_offers import PrivateLedger, ledgers_of
from games.services.game.queries.log import Reader
from games.services.game.read_seats import Seats, read_seats
from games.services.game.standing_orders import MayPlay, StandingOrders, orders_at
from games.services.people.display_names import seat_names


@dataclass(frozen=True)
class Position:
    """A started game as one person may see it; `seat` is their own, None for a spectator.

    `orders` are their own standing orders; nobody else's are ever read for a page. `offers` are
    all offers and promises made in front of all, `private` those made in threads that the reader
    may know. `view` leaves out choices that a binding promise forbids, and of those that it can't
    leave out, `may_play` says whether the reader may make them. `undone_by` says
    which promises moves of the reader would break, or leave without their condition.
    """

    game: Game
    read: Seats
    seat: Seat | None
    view: View
    people: People
    holders: Holders
    orders: list[Order]
    offers: Offers
    private: list[PrivateLedger]
    may_play: MayPlay
    undone_by: Callable[[Sequence[Move]], Undone]

    @property
    def known(self) -> Ledger:
        """All offers and promises that the reader may know."""
        return known_of(self.offers, self.private)

    @cached_property
    def board(self) -> Board:
        """The board, without a word on who is absent."""
        return board(self.people, self.view, promised=promised(self.known))

    @property
    def seats(self) -> list[Seat]:
        """All seats by number."""
        return self.read.rows

    @property
    def reader(self) -> Reader:
        """The reader of the log and the history."""
        return Reader(self.view.seat, self.people, self.holders, self.people.zone)

    def people_after(self, seq: int) -> People:
        """The people by the names of those who sat there after the event with this number."""
        return self.people.then(self.holders.after(seq))

    @property
    def deadline_at(self) -> datetime | None:
        """The reader's own deadline; None if they are not to move."""
        return None if self.seat is None else deadline_of(self.seat)

    @property
    def is_to_move(self) -> bool:
        """Whether the reader has a decision to make now."""
        return self.view.choice is not None and self.deadline_at is not None

    @property
    def names_to_move(self) -> list[str]:
        """The names of all who are to move, in the order in which they decide."""
        return [self.people.name(number) for number in self.view.to_move]

    def deadline_move(self) -> Move | None:
        """What is played for the reader if they do nothing; None if they have no choice to make."""
        if self.seat is None or self.view.choice is None:
            return None
        return self._standing.deadline_move(self.view, self.may_play).move

    @property
    def orders_fail(self) -> bool:
        """Whether the reader's orders for their present decision can't be played as they are."""
        return self._standing.fail(self.view, self.may_play)

    @property
    def _standing(self) -> StandingOrders:
        return StandingOrders(self.view.table, self.orders)


def read_position(game: Game, user: User | None) -> Position:
    """The position of a started game, as `user` (None: nobody with a seat there) may see it."""
    return position_of(game, game.decoded(), read_seats(game), user)


def position_of(
    game: Game,
    state: State,
    seats: Seats,
    user: User | None,
    orders: Mapping[int, StandingOrders] | None = None,
) -> Position:
    """The same from what was read already; without `orders`, the person's own are read."""
    own = next((seat for seat in seats.rows if user is not None and seat.user_id == user.pk), None)
    offers = stored_offers(game, state.table)
    seen = view_within(offers.ledger, state, None if own is None else own.number)
    if not game.is_going_on or game.is_negotiation_time:
        seen = seen._replace(to_move=(), defaults=())  # nobody is to move
    left: list[Order] = []
    if own is not None:
        held = orders_at(state.table, seats, only=own) if orders is None else orders
        left = held[own.pk].rows if own.pk in held else []
    zone = "UTC" if user is None else user.time_zone
    people = People(seen.table, seat_names(seats.rows), zone=zone, reader=seen.seat)
    people = people._replace(has_deadlines=game.has_deadlines)
    holders = Holders(game, seats.rows, seats.sat)
    private = ledgers_of(game, state.table, None if own is None else own.number, seats)
    number = -1 if own is None else own.drawn_number
    within = partial(may_play, offers.ledger, state, number)
    undone_by = partial(undone_by_moves, known_of(offers, private), state, number)
    return Position(
        game, seats, own, seen, people, holders, left, offers, private, within, undone_by
    )


def known_of(offers: Offers, private: list[PrivateLedger]) -> Ledger:
    return (*offers.ledger, *(one for row in private for one in row.offers.ledger))


def deadline_of(seat: Seat) -> datetime | None:
    """The deadline of a seat; None where its player is absent or not to move."""
    return None if seat.is_played_at_once() else seat.deadline_at
