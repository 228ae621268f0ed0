"""Actions on a seat: missed deadlines, absence, who plays there, and who may sit down."""

from django.utils.translation import gettext as _

from games.engine.computer_players import COMPUTER_PLAYERS
from games.models import Cause, Game, Seat
from games.services.audit import Values
from games.services.game import absence, interventions
from games.services.moderation.actions.game_action import game_action
from games.services.moderation.actions.requests import GameRequest
from games.services.refused import Refused
from games.table_events import MissExcused, NewcomersRefused, NewcomersWelcome


def excuse(request: GameRequest, *, seat: int) -> None:
    """Clear a player's missed deadlines. An absent seat stays absent: mark it present."""
    with game_action("game.excuse", request) as action:
        one = action.seat(seat)
        misses = sum(one.missed)
        if not misses or one.user is None:
            raise Refused(_("This seat has no missed deadlines."))
        one.missed, one.last_miss_at = [], None
        one.misses.filter(user=one.user).delete()
        number = action.record(MissExcused(seat))
        action.notify(number, [one.user])
        action.audit(person=one.user, before={"missed": misses}, after={"missed": 0})


def mark_absent(request: GameRequest, *, seat: int) -> None:
    """Stop waiting for a player, and look for a substitute. The player gets email."""
    with game_action("game.absent", request) as action:
        one = action.seat(seat)
        if not one.is_present():
            raise Refused(_("This seat is already being played automatically."))
        number = absence.mark_absent(action.writer, one, Cause.MODERATOR)
        action.notify(number, [one.user])
        action.audit(person=one.user)


def mark_present(request: GameRequest, *, seat: int) -> None:
    """Wait for a player again. The player gets email."""
    with game_action("game.present", request) as action:
        one = action.seat(seat)
        number = interventions.return_seat(action.writer, one, Cause.MODERATOR)
        action.notify(number, [one.user])
        action.audit(person=one.user)


def replace_by_computer_player(
    request: GameRequest,
    *,
    seat: int,
    computer_player: str,
    only_absent: bool = False,
    among_many: bool = False,
) -> None:
    """Let a computer player play the seat to the end. Its player and the table get email.

    `Refused` where `only_absent` is wanted and the player has returned. If it is one seat
    `among_many`, the caller emails the player about all.
    """
    with game_action("game.house-player", request) as action:
        if computer_player not in COMPUTER_PLAYERS:
            raise Refused(_("There is no such computer player."))
        one = action.seat(seat)
        if only_absent:
            _refuse_present(one)
        left = one.user
        number = interventions.seat_computer_player(
            action.writer, one, computer_player, Cause.MODERATOR
        )
        action.notify_table(number, *([] if among_many else [left]))
        action.audit(person=left, after={"computer_player": computer_player})


def reopen_seat(
    request: GameRequest, *, seat: int, only_absent: bool = False, among_many: bool = False
) -> None:
    """Free a seat for good, and look for a substitute. Its player and the table get email.

    `Refused` where `only_absent` is wanted and the player has returned. If it is one seat
    `among_many`, the caller emails the player about all.
    """
    with game_action("game.reopen", request) as action:
        one = action.seat(seat)
        if only_absent:
            _refuse_present(one)
        left = one.user
        number = interventions.reopen_seat(action.writer, one, Cause.MODERATOR)
        action.notify_table(number, *([] if among_many else [left]))
        action.audit(person=left)


def _refuse_present(seat: Seat) -> None:
    if seat.user is not None and seat.absent_since is None:
        raise Refused(_("{name} has returned.").format(name=seat.user.name))


def give_seat_back(request: GameRequest, *, seat: int) -> None:
    """Give a freed seat back to its last player. They and the table get email."""
    sitting = interventions.left_seats(request.game_id).get(seat)
    person = None if sitting is None else sitting.user
    with game_action("game.give-back", request, newcomer=person) as action:
        one = action.seat(seat)
        computer_player = one.computer_player
        number = interventions.give_seat_back(action.writer, one, Cause.MODERATOR)
        action.notify_table(number)
        before: Values = {"computer_player": computer_player} if computer_player else {}
        action.audit(person=one.user, before=before)


def close_to_newcomers(request: GameRequest) -> None:
    """Let nobody new sit down at a game, and unlist it."""
    with game_action("game.close", request) as action:
        game = action.writer.game
        if game.closed_to_newcomers:
            raise Refused(_("The table is already closed to new players."))
        game.closed_to_newcomers, game.listed = True, False
        action.explain(action.record(NewcomersRefused()))
        action.audit()


def open_to_newcomers(request: GameRequest) -> None:
    """Let substitutes sit down again, and look for one for each absent seat."""
    with game_action("game.open", request) as action:
        game: Game = action.writer.game
        if not game.closed_to_newcomers:
            raise Refused(_("The table is already open to new players."))
        game.closed_to_newcomers = False
        action.explain(action.record(NewcomersWelcome()))
        for seat in action.writer.seats.values():
            if seat.wants_substitute():
                absence.ask_for_substitutes(action.writer.game, seat, action.writer.now)
        action.audit()
