"""What players do in a running game."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import IllegalMove
from games.engine import Move as EngineMove
from games.models import Cause, Game, Move, Seat, User
from games.presentation.board.refusals import move_refused
from games.presentation.text.words import People
from games.services.game.writer import Writer


class Outcome(NamedTuple):
    """What became of an answer: `played`, or the `reason` why not, as a sentence for the player.

    `stale` says that the game had gone on since the page was made, or is not played at all now.
    """

    played: bool
    reason: str = ""
    stale: bool = False


PLAYED = Outcome(played=True)
WENT_ON = Outcome(played=False, stale=True)


def submit_moves(
    *,
    game_id: int,
    user: User,
    phase_no: int,
    token: UUID,
    moves: Sequence[EngineMove],
    now: datetime,
) -> Outcome:
    """Play a person's answer to the question of phase `phase_no`, and all that follows by itself.

    More than one move answers neighbouring questions of one player, all or none (days 7); they
    stay separate moves. An answer counts until the default is played, even after the deadline.
    The same `token`, made with the form, is one answer however often it comes. What is refused
    writes nothing.
    """
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        used = Move.objects.filter(token=token).values_list("game_id", "seat__user_id").first()
        if used is not None:
            # No page gives a token twice: another game's or player's is made up.
            return PLAYED if used == (game_id, user.pk) else WENT_ON
        if not game.is_going_on or game.phase_no != phase_no:
            sits = game.seats.filter(user=user).exists()
            return WENT_ON if sits else _not_seated()
        writer = Writer(game, now)
        seat = next((one for one in writer.seats.values() if one.user_id == user.pk), None)
        if seat is None:
            return _not_seated()
        if seat.deadline_at is None:
            return WENT_ON
        if illegal := _play_all(writer, seat, moves, token):
            return Outcome(played=False, reason=illegal)
        writer.go_on()
        writer.commit()
    return PLAYED


def _play_all(writer: Writer, seat: Seat, moves: Sequence[EngineMove], token: UUID) -> str:
    """Play these moves of a seat, of which the first has the token; why one is illegal, or ""."""
    try:
        for number, move in enumerate(moves):
            writer.play(seat, move, Cause.PLAYER, None if number else token)
    except IllegalMove as reason:
        seen = writer.view(seat)
        return move_refused(People(seen.table, []), seen.choice, reason)
    return ""


def already_played(*, game_id: int, user: User, token: UUID) -> bool:
    """Whether the form with this token has been played: the same POST came again."""
    return Move.objects.filter(game_id=game_id, seat__user=user, token=token).exists()


def _not_seated() -> Outcome:
    return Outcome(played=False, reason=_("You don't have a seat at this table."))
