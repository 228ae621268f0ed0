"""Actions on a table that waits for players, whose host is gone or doesn't start the game."""

from uuid import uuid4

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine.computer_players import COMPUTER_PLAYERS
from games.models import Game, Message, Seat
from games.services.lobby import tables
from games.services.moderation.actions.game_action import lock
from games.services.moderation.actions.messages import write_to_table
from games.services.moderation.actions.requests import GameRequest, write_audit_line
from games.services.refused import Refused


def give_to_another_host(
    request: GameRequest, *, host_id: int | None = None, leaves: bool = False
) -> None:
    """Give a waiting table to another player there; with `leaves` its host loses the seat.

    Without `host_id` to whoever has sat there the longest. The table reads why, and gets email.
    """
    with transaction.atomic(durable=True):
        game = _lock_waiting(request)
        others = game.seats.exclude(user=game.host).filter(user__isnull=False).order_by("pk")
        chosen = others if host_id is None else others.filter(user=host_id)
        seat = chosen.select_related("user").first()
        if seat is None:
            raise Refused(_("Only a player who has a seat at this table can be the host."))
        # Whoever loses the seat gets the email too.
        write_to_table(game, request, request.reason, uuid4(), Message.Act.HANDED_OVER)
        _hand_over(game, seat, request, leaves=leaves)


def start_with_computer_players(
    request: GameRequest, *, computer_player: str, leaves: bool = False
) -> None:
    """Fill the free seats of a waiting table with computer players of one kind, and start.

    With `leaves` the host's seat is one of these. The table reads why, and gets email.
    """
    with transaction.atomic(durable=True):
        game = _lock_waiting(request)
        if computer_player not in COMPUTER_PLAYERS:
            raise Refused(_("There is no such computer player."))
        if game.seats.filter(agreed_settings__isnull=False).exists():
            raise Refused(
                _("The game can start once everyone at the table has agreed to the new settings.")
            )
        write_to_table(game, request, request.reason, uuid4(), Message.Act.STARTED)
        if leaves:
            seat = game.seats.exclude(user=game.host).select_related("user").order_by("pk").first()
            if seat is None:
                raise Refused(_("Nobody else has a seat at this table. Close the table instead."))
            _hand_over(game, seat, request, leaves=True)
        free = game.size - game.seats.count()
        tables.start_against(game, [computer_player] * free, request.now)
        write_audit_line(
            "game.start", request, game=game, after={"computer_player": computer_player}
        )


def _lock_waiting(request: GameRequest) -> Game:
    game = lock(request)
    if game.status != Game.Status.WAITING:
        raise Refused(_("This table isn't waiting for players."))
    return game


def _hand_over(game: Game, seat: Seat, request: GameRequest, *, leaves: bool) -> None:
    """Make who sits there the host of a locked table."""
    before, after = game.host, seat.user
    if before == after or after is None:
        raise Refused(_("This player is already the host."))
    if not after.may_play(request.now) or after.is_muted(request.now):
        raise Refused(_("This person is muted, suspended or banned."))
    tables.hand_over(game, after)
    if leaves and before is not None:
        tables.stand_up(game, before)
    write_audit_line(
        "game.host",
        request,
        game=game,
        person=before,
        before={"name": before.name} if before is not None else {},
        after={"name": after.name},
    )
