"""A locked game that is being changed: what is known of it, and what is still to be written."""

from datetime import datetime
from typing import Any

from games.engine import Event as EngineEvent
from games.engine import encode_event, to_move
from games.engine.events import BribesPaid
from games.models import Cause, Event, Game, Move, OutboxEmail, Seat, User
from games.services import outbox
from games.services.game.read_seats import Days, read_seats
from games.services.game.replay import mover_of
from games.services.game.standing_orders import StandingOrders, orders_at
from games.table_events import TableEvent, encode_table_event


class LockedGame:
    """A locked game at the instant `now`; the `Writer` plays on in it and writes it.

    Its fields are for reading. Nothing is written before the writer commits.
    """

    def __init__(self, game: Game, now: datetime) -> None:
        self.game = game
        self.now = now
        self.state = game.decoded()
        # After the lock: it sees what the change before this one has left.
        self.read = read = read_seats(game)
        self.seats: dict[int, Seat] = {seat.drawn_number: seat for seat in read.rows}
        self.days_off = read.days_off
        self.orders = orders_at(self.state.table, read)
        self.next_seq = read.last_event + 1
        self.events: list[Event] = []
        self.moves: list[Move] = []
        self._emails: list[OutboxEmail] = []

    def waiting(self) -> list[Seat]:
        """The seats to move, in bribing order."""
        return [self.seats[number] for number in to_move(self.state)]

    def record(self, event: TableEvent, cause: Cause) -> int:
        """Record something that happened at the table and is no move; the number of the event."""
        return self._record(encode_table_event(event), cause)

    def record_played(self, event: EngineEvent, cause: Cause) -> int:
        """Record an event of the engine; the number of the event.

        `cause` made the move; what follows from it by the rules alone has no other cause.
        """
        decided = mover_of(event) is not None and not self.opens_bribes(event)
        return self._record(encode_event(event), cause if decided else Cause.RULES)

    def opens_bribes(self, event: EngineEvent) -> bool:
        """Whether sealed bribes are opened: the rules pay them, whoever decided on them before."""
        sealed = self.state.table.edition.bribing == "simultaneous"
        return sealed and isinstance(event, BribesPaid)

    def _record(self, fields: dict[str, Any], cause: Cause) -> int:
        seq = self.next_seq
        self.events.append(
            Event(
                game=self.game,
                seq=seq,
                phase_no=self.game.phase_no,
                kind=fields.pop("kind"),
                payload=fields,
                cause=cause,
                at=self.now,
            )
        )
        self.next_seq += 1
        return seq

    def email(self, kind: str, seat: Seat, **about: Any) -> None:
        """Write an email to the person at a seat, if there is one; the rest as `outbox.email`."""
        self.email_person(kind, seat.user, **about)

    def email_person(self, kind: str, person: User | None, **about: Any) -> None:
        """Write an email to somebody who sits here, or did."""
        email = outbox.email(kind, game=self.game, person=person, now=self.now, **about)
        self._emails.append(email)

    def orders_of(self, seat: Seat) -> StandingOrders:
        """The standing orders of a seat, which may be none."""
        return self.orders.get(seat.pk) or StandingOrders(self.state.table, [])

    def drop_orders(self, seat: Seat | None = None) -> None:
        """Void the standing orders of a seat, or all at the table."""
        for standing in self.orders.values() if seat is None else [self.orders_of(seat)]:
            standing.drop_all()

    def seat_substitute(self, seat: Seat, user: User) -> None:
        """Seat a substitute: their moves are a substitute's from now on."""
        seat.user = user
        self.read.by_substitute.add(seat.pk)
        self.set_days_off(seat, [])

    def set_days_off(self, seat: Seat, days_off: list[Days]) -> None:
        """Let these days off count at a seat from now on, in order."""
        self.days_off[seat.pk] = days_off
