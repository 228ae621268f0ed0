"""Makes games as if people had played, for the demo, previews, the gallery and tests."""

from datetime import datetime
from typing import Final
from uuid import uuid4

from django.db import transaction

from games.engine import Move
from games.engine.ledger import Status
from games.models import Game, Seat, User
from games.services.chat.promises import reply_to_offer
from games.services.game import moves
from games.services.game.offers import stored_offers
from games.services.lobby import tables
from games.services.lobby.settings import TableSettings

SEED: Final = 5
"""The seed by which seats are drawn, so that the same people always sit in the same seats."""


def open_table(
    settings: TableSettings, host: User, *others: User, now: datetime, seed: int | None = None
) -> Game:
    """A table at which these people sit; the game has started if they fill it.

    Seats are drawn and computer players play by the `seed`; None for a random one.
    """
    with transaction.atomic(durable=True):
        game = tables.make(settings, host=host, now=now)
        if seed is not None:
            Game.objects.filter(pk=game.pk).update(seed=seed)
        if others:
            tables.seat(Game.objects.lock(game.pk), others, now)
    game.refresh_from_db()
    return game


def start_with_computer_players(
    game: Game, host: User, computer_player: str, now: datetime
) -> None:
    """Let computer players take the free seats of the host's table; the game starts."""
    tables.start_with_computer_players(
        game_id=game.pk, user=host, computer_player=computer_player, now=now
    )
    game.refresh_from_db()


def submit(game: Game, user: User, move: Move, now: datetime) -> None:
    """Submit a move for this player, who is to move."""
    moves.submit_moves(
        game_id=game.pk,
        user=user,
        phase_no=game.phase_no,
        token=uuid4(),
        moves=[move],
        now=now,
    )
    game.refresh_from_db()


def seated(game: Game) -> list[tuple[Seat, User]]:
    """The players who are not absent, in order of the seats."""
    present = game.seats.filter(absent_since=None).select_related("user")
    return [(seat, seat.user) for seat in present if seat.user is not None]


def people_to_move(game: Game) -> list[tuple[Seat, User]]:
    """The players who are to move, in order of the seats."""
    return [(seat, user) for seat, user in seated(game) if seat.deadline_at is not None]


def decline_offers(game: Game, now: datetime) -> None:
    """Let people decline whatever they are offered: then no computer player waits for them."""
    game.refresh_from_db()
    while (offered := _first_offered(game)) is not None:
        person, made_at = offered
        reply_to_offer(
            game_id=game.pk, user=person, made_at=made_at, given=Status.DECLINED, now=now
        )
        game.refresh_from_db()


def _first_offered(game: Game) -> tuple[User, int] | None:
    """Somebody who is offered something, and the number of the event that made the offer."""
    people = {seat.drawn_number: user for seat, user in seated(game)}
    offers = stored_offers(game, game.decoded().table)
    for made_at, entry in zip(offers.made, offers.ledger, strict=True):
        if entry.status is Status.OPEN and entry.other in people:
            return people[entry.other], made_at
    return None
