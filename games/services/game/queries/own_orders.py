"""The standing orders of one's own seat, as its player reads them."""

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.engine import Scholar
from games.engine.order_codec import decode_order
from games.engine.orders import OrderChoice, may_order
from games.models import Order
from games.presentation.board.orders import order_text, would_do
from games.presentation.board.promise_hints import order_warning
from games.services.game.position import Position
from games.services.public_ids import public_id


class OrderLine(NamedTuple):
    """A standing order in words, and what it would do now; `warning` may be ""."""

    id: str
    text: str
    now: str
    warning: str


class OrderPlace(NamedTuple):
    """An own scholar who waits at a door and has no order yet; `name` is the one of the record."""

    text: str
    name: str


class OwnOrders(NamedTuple):
    """What the reader may order, and what they have ordered.

    `at_doors` are the scholars for whom an order would be useful: their bribes will come up.
    """

    choice: OrderChoice
    lines: list[OrderLine]
    at_doors: list[OrderPlace]


def read_orders(position: Position) -> OwnOrders:
    """The standing orders of the reader's own seat."""
    choice = may_order(position.view)
    palaces = {one.scholar: one.palace for one in choice.bribes}
    lines = [_line(position, row, palaces) for row in position.orders]
    return OwnOrders(choice, lines, _at_doors(position, choice))


def _at_doors(position: Position, choice: OrderChoice) -> list[OrderPlace]:
    view = position.view
    ordered = {row.scholar for row in position.orders}
    deciding_for = view.contenders if view.choice is not None else ()
    at_doors = [
        (one.scholar, one.palace, view.table.names[one.scholar])
        for one in choice.bribes
        if one.scholar in view.applicants[one.palace] and one.scholar not in deciding_for
    ]
    people = position.people._replace(among=tuple(scholar for scholar, _palace, _name in at_doors))
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


def _line(position: Position, row: Order, palaces: Mapping[Scholar, int]) -> OrderLine:
    table = position.view.table
    order = decode_order(table, row.formula)
    scholar = table.scholars.get(row.scholar)
    palace = None if scholar is None else palaces.get(scholar)
    people = position.people._replace(reader=position.view.seat)
    text = order_text(people, scholar, order, palace)
    if row.wait_if_addressed:
        text += " " + _(
            "If someone mentions you or makes you an offer, the order waits until the deadline."
        )
    return OrderLine(
        public_id("order", row.pk),
        text,
        would_do(position.people, position.view, scholar, order, position.may_play),
        order_warning(position.people, position.view, position.known, scholar, order),
    )
