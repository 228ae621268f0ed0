"""Moves of players in a running game."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.engine import IllegalMove
from games.engine import Move as EngineMove
from games.models import Cause, Game, Move, Seat, User
from games.presentation.board.decision import second_thoughts
from games.presentation.board.refusals import move_refused
from games.presentation.text.words import listed, moment
from games.services.game.position import Position, position_of
from games.services.game.writer import Writer
from games.services.sql import Columns, select, table


class Outcome(NamedTuple):
    """The outcome of submitted moves: `played`, or the `reason` why not, as a sentence.

    `stale` says that the game had moved on since the page was made, or is not played at all now.
    """

    played: bool
    reason: str = ""
    stale: bool = False


PLAYED = Outcome(played=True)
WENT_ON = Outcome(played=False, stale=True)
NOTHING_SUBMITTED = Outcome(played=False)


class Turn:
    """A player at a table that nobody else can change meanwhile; from `at_table`.

    `position` is the game as the player sees it: once a move was played, with what came of it.
    """

    def __init__(self, game: Game, user: User, now: datetime) -> None:
        self.game = game
        self.user = user
        self.writer = Writer(game, now)
        self.token: UUID | None = None
        self.outcome = NOTHING_SUBMITTED
        self.position = self._position()

    def _position(self) -> Position:
        writer = self.writer
        return position_of(self.game, writer.state, writer.read, self.user, writer.orders)

    def submit(self, moves: Sequence[EngineMove], phase_no: int, token: UUID) -> None:
        """Play the player's decision of phase `phase_no`, and all that follows by itself.

        More than one move makes neighbouring decisions of one player, all or none (days 7); they
        stay separate moves. A move counts until the default is played, even after the deadline.
        The same `token`, made with the form, is one move however often it comes. What is refused
        writes nothing.
        """
        self.token = token
        self.outcome = self._played(moves, phase_no, token)
        if self.outcome.played:
            self.writer.go_on()
            self.writer.commit()
            self.position = self._position()
        elif self.outcome.stale and already_played(
            game_id=self.game.pk, user=self.user, token=token
        ):
            self.outcome = PLAYED

    def _played(self, moves: Sequence[EngineMove], phase_no: int, token: UUID) -> Outcome:
        seat = self.position.seat
        if seat is None:
            return Outcome(played=False, reason=_("You don't have a seat at this table."))
        if self.game.is_going_on and self.game.is_negotiation_time:
            return Outcome(played=False, reason=no_moves_yet(self.game, self.user), stale=True)
        going_on = self.game.is_going_on and self.game.phase_no == phase_no
        if not going_on or seat.deadline_at is None:
            return WENT_ON
        reason = self._play_all(seat, moves, token)
        return Outcome(played=False, reason=reason) if reason else PLAYED

    def _play_all(self, seat: Seat, moves: Sequence[EngineMove], token: UUID) -> str:
        """Play these moves of a seat, the first with the token; return why one is illegal."""
        try:
            for number, move in enumerate(moves):
                self.writer.play(seat, move, Cause.PLAYER, None if number else token)
        except IllegalMove as reason:
            position = self._position()
            return move_refused(position.people, position.view.choice, reason)
        return ""


def warnings_of(
    position: Position, moves: Sequence[EngineMove], *, sends_unseen: bool = False
) -> list[str]:
    """What the player has to read before they make these moves; nothing of most.

    `sends_unseen` says that they include a sending that the player may have overlooked.
    """
    undone = position.undone_by(moves)
    return second_thoughts(position.people, position.view, moves, undone, sends_unseen=sends_unseen)


def no_moves_yet(game: Game, reader: User) -> str:
    """A sentence that nobody moves during the negotiation time, with its end."""
    text = _(
        "Negotiations are open until {moment}, or until everyone involved is ready. Your move "
        "wasn't accepted, because nobody can move before they end."
    )
    return text.format(moment=moment(game.talk_until or game.created_at, reader.time_zone))


@contextmanager
def at_table(user: User, now: datetime, **which: int | str) -> Iterator[Turn]:
    """The turn of a person at a started table, which is locked until the block ends.

    `which` names the table by `pk` or `token`; `Game.DoesNotExist` if none has started with it.
    """
    turn = None
    try:
        with transaction.atomic(durable=True):
            turn = Turn(_locked(which), user, now)
            yield turn
    except IntegrityError:
        # No page gives a token twice: another game's or player's is made up.
        if turn is None or turn.token is None:
            raise
        if not Move.objects.filter(token=turn.token).exists():
            raise
        turn.outcome = WENT_ON


# Whoever posts a move waits for this: it takes a quarter of the CPU time that the ORM takes.
_GAME: Final = Columns(Game, "game")
_STARTED_GAME: Final = {
    key: f"""
SELECT {_GAME.sql} FROM {table(Game)} game
WHERE game.{column} = %({key})s AND game.state IS NOT NULL
FOR NO KEY UPDATE
"""  # noqa: S608 - only names of our own table and columns
    for key, column in (("pk", "id"), ("token", "token"))
}


def _locked(which: Mapping[str, int | str]) -> Game:
    [key] = which
    for row in select(_STARTED_GAME[key], which):
        return _GAME.read(row)
    raise Game.DoesNotExist


def submit_moves(
    *,
    game_id: int,
    user: User,
    phase_no: int,
    token: UUID,
    moves: Sequence[EngineMove],
    now: datetime,
) -> Outcome:
    """Play moves that were made without a form; see `Turn.submit`."""
    with at_table(user, now, pk=game_id) as turn:
        turn.submit(moves, phase_no, token)
    return turn.outcome


def already_played(*, game_id: int, user: User, token: UUID) -> bool:
    """Whether the form with this token has been played: the same POST came again."""
    return Move.objects.filter(game_id=game_id, seat__user=user, token=token).exists()


def done_and_next(position: Position, done: str) -> str:
    """The message after a move was played: what the player did, and what comes next."""
    names = listed(position.names_to_move) if position.names_to_move else ""
    if position.game.status == Game.Status.FINISHED:
        text = _("Your move is in: {done}. The game is over.")
    elif position.deadline_at is not None:
        text = _("Your move is in: {done}. You have another decision to make.")
    elif not names:
        text = _("Your move is in: {done}. Negotiations are open now.")
    else:
        text = _("Your move is in: {done}. Next to move: {names}.")
    return text.format(done=done, names=names)
