"""Setting, changing and withdrawing standing orders (docs/play-over-days.md, 5)."""

from datetime import datetime
from typing import assert_never
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import Scholar, view
from games.engine.errors import BadOrder
from games.engine.order_codec import encode_order
from games.engine.orders import (
    HighestBribes,
    PayAbove,
    PayAmount,
    PayMinimum,
    PayNothing,
    SendThese,
    refuse_order,
)
from games.engine.orders import Order as EngineOrder
from games.models import Game, Order, Seat, User
from games.presentation.board.refusals import order_refused
from games.presentation.text.words import People
from games.services.game import once
from games.services.game.writer import Writer
from games.services.refused import Refused


def leave_order(
    *,
    game_id: int,
    user: User,
    scholar: Scholar | None,
    order: EngineOrder,
    wait_if_addressed: bool,
    now: datetime,
    token: UUID | None = None,
) -> None:
    """Set an order, or change the one there is. Where its decision is due now, it is carried out.

    In a paused game that happens when the game goes on. The request with the same `token` sets it
    once, also if it was carried out, changed or withdrawn meanwhile.
    `scholar` is whom a bribe is for. `Refused` with a sentence for what cannot be ordered.
    """
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if once.is_done(user, token):
            return
        once.mark_done(user, token, now)
        seat = _own_seat(game, user)
        state = game.decoded()
        try:
            refuse_order(view(state, seat.drawn_number), scholar, order)
        except BadOrder as reason:
            raise Refused(order_refused(People(state.table, []), reason)) from reason
        Order.objects.update_or_create(
            seat=seat,
            kind=_kind_of(order),
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


def withdraw_order(*, game_id: int, user: User, order_id: int) -> None:
    """Take an order back. One that is gone already is no error."""
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        Order.objects.filter(pk=order_id, seat=_own_seat(game, user)).delete()


def _kind_of(order: EngineOrder) -> Order.Kind:
    match order:
        case SendThese():
            return Order.Kind.SENDING
        case HighestBribes():
            return Order.Kind.DECISION
        case PayAmount() | PayMinimum() | PayAbove() | PayNothing():
            return Order.Kind.BRIBE
        case _:
            assert_never(order)


def _own_seat(game: Game, user: User) -> Seat:
    if not game.is_in_play:
        raise Refused(_("This game isn't running."))
    seat = game.seats.filter(user=user).first()
    if seat is None:
        raise Refused(_("You don't have a seat at this table."))
    if seat.absent_since is not None:
        raise Refused(_("You're marked absent: return to your seat before you set orders."))
    return seat
