"""The standing orders of a seat, as the writer uses them (docs/play-over-days.md, 5)."""

import logging
from collections.abc import Callable, Iterable
from typing import NamedTuple, assert_never

from games.engine import (
    Bribe,
    BribeChoice,
    Default,
    Judge,
    JudgeChoice,
    Move,
    Place,
    PlaceChoice,
    Send,
    SendChoice,
    State,
    Table,
    View,
)
from games.engine.errors import BadOrder
from games.engine.ledger import Status
from games.engine.order_codec import decode_order
from games.engine.orders import (
    HighestBribes,
    Orders,
    SendThese,
    may_order,
    move_at_deadline,
    move_of_orders,
)
from games.models import Game, Order, Seat
from games.services.game.offers import Offers
from games.services.game.read_seats import Seats
from games.services.people.mentions import is_mentioned

logger = logging.getLogger(__name__)

type MayPlay = Callable[[Move], bool]
"""Whether no binding promise forbids a move that is legal otherwise."""


class DeadlineMove(NamedTuple):
    """What is played for a seat whose player does nothing by the deadline.

    `ordered` says that the player's orders cover all of it and can be played as they are; else it
    is a default.
    """

    move: Move
    ordered: bool


class StandingOrders:
    """What one seat has ordered. `used` collects the rows to be deleted with the commit."""

    def __init__(self, table: Table, rows: list[Order]) -> None:
        self.table = table
        self.rows = rows
        self.used: list[Order] = []

    def move_now(self, view: View, may_play: MayPlay, offers: Offers) -> Move | None:
        """What the orders play now; None where the player decides, or wants to decide first.

        An order that waits where its player is addressed is only delayed by it. `may_play` says
        whether binding promises allow a move, as everywhere here.
        """
        if any(
            row.wait_if_addressed and _is_addressed(row, offers)
            for row in self._orders_for_decision(view)
        ):
            return None
        return self._ordered(view, may_play)

    def deadline_move(self, view: View, may_play: MayPlay) -> DeadlineMove:
        """What is played at the deadline: orders as far as they go, else the default.

        The clock plays it, and the page and the emails announce it. The seat must be to move.
        """
        ordered = self._ordered(view, may_play)
        if ordered is not None:
            return DeadlineMove(ordered, ordered=True)
        nearest = move_at_deadline(view, self._orders())
        if view.default is not None and not may_play(nearest):
            nearest = view.default  # which breaks no promise
        return DeadlineMove(nearest, ordered=False)

    def fail(self, view: View, may_play: MayPlay) -> bool:
        """Whether orders for the whole decision can't be played as they are: the player decides.

        Not where there is no decision.
        """
        orders = self._orders_for_decision(view)
        needed = len(view.choice.scholars) if isinstance(view.choice, BribeChoice) else 1
        return len(orders) >= needed and self._ordered(view, may_play) is None

    def _ordered(self, view: View, may_play: MayPlay) -> Move | None:
        move = move_of_orders(view, self._orders())
        return move if move is not None and may_play(move) else None

    def use_up(self, seat: int, move: Move, after: State) -> None:
        """The seat has moved: drop the orders that this was about.

        An order for decisions holds for all that are due in the turn, up to the sending.
        """
        match move:
            case Bribe(bribes):
                paid_for = {self.table.names[scholar] for scholar, _ in bribes}
                self._drop(lambda row: row.scholar in paid_for)
            case Send():
                self._drop(lambda row: row.kind != Order.Kind.BRIBE)
            case Place() | Judge():
                if not after.applicants[seat]:
                    self._drop(lambda row: row.kind == Order.Kind.DECISION)
            case Default():
                raise ValueError("The default move must be resolved before it is played.")
            case _:
                assert_never(move)

    def drop_impossible(self, view: View) -> None:
        """Drop what can never be carried out: a bribe for a scholar who is gone."""
        possible = {view.table.names[one.scholar] for one in may_order(view).bribes}
        self._drop(lambda row: row.kind == Order.Kind.BRIBE and row.scholar not in possible)

    def drop_all(self) -> None:
        self._drop(lambda row: True)

    def _drop(self, is_dropped: Callable[[Order], bool]) -> None:
        self.used += [row for row in self.rows if is_dropped(row)]
        self.rows = [row for row in self.rows if not is_dropped(row)]

    def _orders_for_decision(self, view: View) -> list[Order]:
        """The orders that are about the seat's decision."""
        match view.choice:
            case BribeChoice(scholars):
                names = {view.table.names[scholar] for scholar in scholars}
                return [row for row in self.rows if row.scholar in names]
            case SendChoice():
                return [row for row in self.rows if row.kind == Order.Kind.SENDING]
            case None:
                return []
            case PlaceChoice() | JudgeChoice():
                return [row for row in self.rows if row.kind == Order.Kind.DECISION]
            case _:
                assert_never(view.choice)

    def _orders(self) -> Orders:
        bribes, decision, sending = {}, None, None
        for row in self.rows:
            match decode_order(self.table, row.formula):
                case HighestBribes() as order:
                    decision = order
                case SendThese() as order:
                    sending = order
                case order:
                    bribes[self.table.scholars[row.scholar]] = order
        return Orders(bribes, decision, sending)


def orders_at(table: Table, seats: Seats, only: Seat | None = None) -> dict[int, StandingOrders]:
    """The orders at a table, or `only` those of one seat, by the id of the seat.

    A seat without orders is not there, and where nobody has any, nothing is read.
    """
    wanted = seats.with_orders if only is None else seats.with_orders & {only.pk}
    if not wanted:
        return {}
    sitting = {seat.pk: seat for seat in seats.rows}
    found: dict[int, StandingOrders] = {}
    for row in Order.objects.filter(seat__in=wanted):
        row.seat = sitting[row.seat_id]
        standing = found.setdefault(row.seat_id, StandingOrders(table, []))
        kept = standing.rows if _is_readable(table, row) else standing.used
        kept.append(row)
    return found


def _is_readable(table: Table, row: Order) -> bool:
    """Whether an order can be read. One that can't, as of another release, is dropped."""
    try:
        decode_order(table, row.formula)
    except BadOrder:
        logger.warning("Order %s can't be read", row.pk)
        return False
    return row.kind != Order.Kind.BRIBE or row.scholar in table.scholars


def delete_used(orders: Iterable[StandingOrders]) -> None:
    """Delete the orders that were executed or cannot be any more."""
    if ids := [row.pk for standing in orders for row in standing.used]:
        Order.objects.filter(pk__in=ids).delete()


def _is_addressed(row: Order, offers: Offers) -> bool:
    """Whether the player was addressed in the chat or by an offer since the order was set.

    An offer that the player hasn't replied to counts too, but not a computer player's.
    """
    game, user = row.seat.game, row.seat.user
    since = game.messages.filter(at__gt=row.made_at).exclude(author=user)
    return user is not None and (
        is_mentioned(user, since, game) or _has_new_offer(row, offers, game)
    )


def _has_new_offer(row: Order, offers: Offers, game: Game) -> bool:
    """Whether an offer counts: only each player's first in a phase, so no order waits for ever.

    Whatever has become of that first one, and whether it came before the order was set. An offer
    whose event isn't written yet is made at this moment.
    """
    me = row.seat.drawn_number
    to_me = {
        seq: entry
        for seq, entry in zip(offers.made, offers.ledger, strict=True)
        if entry.other == me
    }
    if not to_me:
        return False
    people = set(game.seats.filter(user__isnull=False).values_list("number", flat=True))
    written = {one.seq: one for one in game.events.filter(seq__in=to_me)}
    first: dict[tuple[int, int], int] = {}
    for seq, entry in sorted(to_me.items()):
        phase = written[seq].phase_no if seq in written else game.phase_no
        first.setdefault((entry.by, phase), seq)
    return any(
        to_me[seq].status is Status.OPEN
        and by in people
        and (seq not in written or written[seq].at > row.made_at)
        for (by, _phase), seq in first.items()
    )
