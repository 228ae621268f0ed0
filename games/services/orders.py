"""Leaving, changing and withdrawing standing orders (docs/play-over-days.md, 5)."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import Scholar, Table, view
from games.engine.errors import BadOrder
from games.engine.order_codec import decode_order, encode_order
from games.engine.orders import Order as EngineOrder
from games.engine.orders import (
    OrderChoice,
    SendThese,
    may_order,
    refuse_order,
)
from games.models import Game, Order, Seat, User
from games.presentation.order_words import order_told, would_do
from games.presentation.refusals import order_refused
from games.presentation.words import People
from games.services.reading import GameReading, own_orders
from games.services.refused import Refused
from games.services.writer import Writer


def leave_order(
    *,
    game_id: int,
    user: User,
    scholar: Scholar | None,
    order: EngineOrder,
    wait_if_addressed: bool,
    now: datetime,
) -> None:
    """Leave an order, or change the one there is. Where it is asked for just now, it is executed.

    In a paused game that happens when the game goes on.
    `scholar` is whom a bribe is for. `Refused` with a sentence for what cannot be ordered.
    """
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        seat = _own_seat(game, user)
        state = game.decoded()
        try:
            refuse_order(view(state, seat.drawn_number), scholar, order)
        except BadOrder as reason:
            raise Refused(_refused(state.table, reason)) from reason
        Order.objects.update_or_create(
            seat=seat,
            kind=kind_of(scholar, order),
            scholar="" if scholar is None else state.table.names[scholar],
            defaults={
                "formula": encode_order(state.table, order),
                "wait_if_addressed": wait_if_addressed,
                "made_at": now,
            },
        )
        writer = Writer(game, now)
        writer.go_on()
        writer.commit()


def _refused(table: Table, reason: BadOrder) -> str:
    return order_refused(People(table, []), reason)


def withdraw_order(*, game_id: int, user: User, order_id: int) -> None:
    """Take an order back. One that is gone already is no error."""
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        Order.objects.filter(pk=order_id, seat=_own_seat(game, user)).delete()


def kind_of(scholar: Scholar | None, order: EngineOrder) -> Order.Kind:
    if scholar is not None:
        return Order.Kind.BRIBE
    return Order.Kind.SENDING if isinstance(order, SendThese) else Order.Kind.DECISION


def _own_seat(game: Game, user: User) -> Seat:
    if not game.is_in_play:
        raise Refused(_("This game isn't in progress."))
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise Refused(_("You don't have a seat at this table."))
    if seat.absent_since is not None:
        raise Refused(_("You're marked as absent: return first, then leave orders."))
    return seat


class OrderLine(NamedTuple):
    """An order that was left, in words, and what it would do now."""

    id: int
    told: str
    now: str


class OrderPlace(NamedTuple):
    """An own scholar who waits at a door and has no order yet; `name` is the one of the record."""

    told: str
    name: str


class OrdersReading(NamedTuple):
    """What the reader may order, and what they have ordered.

    `at_doors` are the scholars for whom an order would be useful: they will be asked about.
    """

    choice: OrderChoice
    lines: list[OrderLine]
    at_doors: list[OrderPlace]


def read_orders(reading: GameReading) -> OrdersReading:
    """The standing orders of the reader's own seat."""
    rows = own_orders(reading.seat) if reading.seat is not None else []
    choice = may_order(reading.view)
    palaces = {one.scholar: one.palace for one in choice.bribes}
    lines = [_line(reading, row, palaces) for row in rows]
    return OrdersReading(choice, lines, _at_doors(reading, choice, rows))


def _at_doors(reading: GameReading, choice: OrderChoice, rows: list[Order]) -> list[OrderPlace]:
    view = reading.view
    ordered = {row.scholar for row in rows}
    asked = view.contenders if view.choice is not None else ()
    at_doors = [
        (one.scholar, one.palace, view.table.names[one.scholar])
        for one in choice.bribes
        if one.scholar in view.applicants[one.palace] and one.scholar not in asked
    ]
    people = reading.people._replace(among=tuple(scholar for scholar, _palace, _name in at_doors))
    return [
        OrderPlace(
            _("{your_scholar} at {owner}'s palace").format(
                your_scholar=people.your_scholar(scholar), owner=people.name(palace)
            ),
            name,
        )
        for scholar, palace, name in at_doors
        if name not in ordered
    ]


def _line(reading: GameReading, row: Order, palaces: Mapping[Scholar, int]) -> OrderLine:
    table = reading.view.table
    order = decode_order(table, row.formula)
    scholar = table.scholars.get(row.scholar)
    palace = None if scholar is None else palaces.get(scholar)
    told = order_told(reading.people, scholar, order, palace)
    if row.wait_if_addressed:
        told += " " + _("If someone mentions you, it waits until the deadline.")
    return OrderLine(row.pk, told, would_do(reading.people, reading.view, scholar, order))
