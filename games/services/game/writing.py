"""What a part of the writer may use of it: a locked game that is being advanced."""

from datetime import datetime
from typing import Protocol

from games.engine import State
from games.models import Cause, Game, Seat
from games.services.game.offers import Offers
from games.services.game.read_seats import AllDaysOff
from games.table_events import TableEvent


class Writing(Protocol):
    """The `Writer`, for the modules that it calls itself."""

    game: Game
    now: datetime
    state: State
    seats: dict[int, Seat]
    days_off: AllDaysOff
    offers: Offers
    next_seq: int

    def record(self, event: TableEvent, cause: Cause) -> int:
        """Record something that happened at the table and is no move; the number of the event."""

    def email(self, kind: str, seat: Seat, **about: int) -> None:
        """Write an email to the person at a seat, if there is one."""

    def orders_fail(self, seat: Seat) -> bool:
        """Whether the orders of a seat that is asked can't be played any more as they are."""
