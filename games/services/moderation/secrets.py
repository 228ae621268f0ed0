"""Revealing secrets: a moderator sees what is secret in a running game, once, and it is logged.

Each look has a reason and a row of its own, which the table reads when the game is over. Who has
looked may not take a seat there.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine import State, view
from games.engine.errors import BadOrder
from games.engine.order_codec import decode_order
from games.models import Draft, Game, Note, Order, Seat, SecretsRevealed
from games.presentation.board.orders import order_text
from games.presentation.text.words import People, listed, moment, money
from games.services.game.unreadable import state_of
from games.services.moderation.actions.requests import ActionRequest, write_audit_line
from games.services.people.display_names import is_read_by_stranger, seat_names
from games.services.refused import Refused
from games.services.roles import refuse_unless_may

THINGS: Final[dict[str, Promise]] = {
    "balances": gettext_lazy("money and sealed bribes"),
    "orders": gettext_lazy("standing orders"),
    "notes": gettext_lazy("notes and drafts"),
}
"""What may be looked at, by the fields of `SecretsRevealed`."""


class Typed(NamedTuple):
    """A draft: whose, and what is typed, by the names of its fields."""

    name: str
    fields: dict[str, str]


@dataclass
class Secrets:
    """What is shown, in sentences; None for what was not chosen.

    `unreadable` says that the game's state cannot be read, and with it neither money nor orders.
    """

    balances: list[str] | None = None
    orders: list[str] | None = None
    notes: list[tuple[str, str]] | None = None
    drafts: list[Typed] = field(default_factory=list)
    unreadable: bool = False


class Look(NamedTuple):
    """That a moderator has looked: what at and when, and why."""

    text: str
    reason: str


def reveal_secrets(request: ActionRequest, *, game_id: int, things: Iterable[str]) -> Secrets:
    """Show these `THINGS` of a running game, and leave it in writing that they were looked at.

    `Refused` at tables of one's own, and where nothing is secret: before the start and at the end.
    """
    chosen = [thing for thing in THINGS if thing in set(things)]
    if not chosen:
        raise Refused(_("Please choose what you need to see."))
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        refuse_unless_may(request.moderator, game)
        if game.status != Game.Status.RUNNING:
            raise Refused(_("Only a running game has secrets."))
        SecretsRevealed.objects.create(
            game=game,
            moderator=request.moderator,
            reason=request.reason,
            at=request.now,
            **dict.fromkeys(chosen, True),
        )
        write_audit_line("secrets.reveal", request, game=game, after={"secrets": chosen})
        return _open(game, chosen)


def looks_at(game: Game, zone: str) -> list[Look]:
    """Who looked at the secrets of a game that is over, in order; none while it is going on."""
    if not game.is_over:
        return []
    return [_look(row, zone) for row in game.secrets_revealed.order_by("pk")]


def _look(row: SecretsRevealed, zone: str) -> Look:
    things = [str(text) for thing, text in THINGS.items() if getattr(row, thing)]
    text = _("{moment}: a moderator looked at {things}.")
    reason = "" if is_read_by_stranger() else row.reason  # it may name somebody
    return Look(text.format(moment=moment(row.at, zone), things=listed(things)), reason)


def _open(game: Game, chosen: list[str]) -> Secrets:
    found = Secrets()
    seats = list(game.seats.select_related("user").filter(number__isnull=False))
    state = state_of(game)
    found.unreadable = state is None
    if "balances" in chosen and state is not None:
        found.balances = list(_balances(state, seats))
    if "orders" in chosen and state is not None:
        found.orders = list(_orders(state, seats))
    if "notes" in chosen:
        notes = Note.objects.filter(game=game).select_related("user").order_by("user__name")
        found.notes = [(note.user.name, note.text) for note in notes]
        drafts = Draft.objects.filter(game=game).select_related("user").order_by("user__name", "pk")
        found.drafts = [Typed(draft.user.name, draft.fields) for draft in drafts]
    return found


def _balances(state: State, seats: list[Seat]) -> Iterator[str]:
    people = People(state.table, seat_names(seats))
    for seat in seats:
        number = seat.drawn_number
        seen = view(state, number)
        text = _("{name} has {amount}.")
        yield text.format(name=people.name(number), amount=money(seen.cash[number] or 0))
        for scholar, amount in seen.own_sealed:
            text = _("{name} has submitted a sealed bribe of {amount} for {scholar}.")
            yield text.format(
                name=people.name(number), amount=money(amount), scholar=people.scholar(scholar)
            )


def _orders(state: State, seats: list[Seat]) -> Iterator[str]:
    people = People(state.table, seat_names(seats))
    rows = Order.objects.filter(seat__in=seats).order_by("seat__number", "pk")
    names = {seat.pk: people.name(seat.drawn_number) for seat in seats}
    for row in rows:
        text = _("{name}: {order}")
        yield text.format(name=names[row.seat_id], order=_order_text(people, row))


def _order_text(people: People, row: Order) -> str:
    try:
        order = decode_order(people.table, row.formula)
    except BadOrder:
        return _("an order that can't be read.")
    return order_text(people, people.table.scholars.get(row.scholar), order)
