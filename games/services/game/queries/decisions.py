"""The decisions of a game: whose they were, and who or what played, and why.

A decision is that of a seat in a phase.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Cause, Game, Move, Seat, Sitting, User
from games.presentation.text.words import day_and_hour, to_the_minute
from games.services.game.position import Position, read_position
from games.services.game.replay import StoredEvent
from games.table_events import (
    SeatAbsent,
    SeatGivenBack,
    SeatReopened,
    SeatReturned,
    SubstituteSat,
)

BY_HAND: Final = (Cause.PLAYER, Cause.SUBSTITUTE)
PLAYED_FOR: Final = (Cause.CLOCK, Cause.MODERATOR, Cause.TABLE, Cause.HOST)
"""The causes of moves that were played for a player who was waited for, or had been."""

ABSENT: Final = (SeatAbsent.__name__, SeatReopened.__name__)
"""The kinds of events after which nobody is waited for."""

PRESENT: Final = (SeatReturned.__name__, SeatGivenBack.__name__, SubstituteSat.__name__)
"""Those after which somebody is, again."""

MOST: Final = 50
"""How many decisions are listed."""

_WHY: Final = {
    Cause.CLOCK: gettext_lazy(
        "The deadline passed without a move, so the default move was played."
    ),
    Cause.COMPUTER: gettext_lazy(
        "A computer player made this move, because the player was absent."
    ),
    Cause.RULES: gettext_lazy("There was only one choice, so it was made automatically."),
    Cause.MODERATOR: gettext_lazy("A moderator ended the wait before the deadline."),
    Cause.TABLE: gettext_lazy("The players voted to end the wait before the deadline."),
    Cause.HOST: gettext_lazy("The host ended the wait before the deadline."),
    Cause.PLAYER: gettext_lazy("The player made this move."),
    Cause.SUBSTITUTE: gettext_lazy("The player made this move."),
}
"""Why a move was made, by its cause, where the player was there."""


class DecisionLine(NamedTuple):
    """A decision in one line: whose it was, and who played or is to move.

    `move` is that of which a moderator may say that it was our fault, None for any other.
    """

    seat: int
    phase_no: int
    who: str
    colour: str
    colour_text: str
    when: str
    why: str
    move: int | None = None


def read_decisions(game: Game, zone: str) -> list[DecisionLine]:
    """The decisions of a game that are open, and those that were not made by hand, latest first."""
    position = read_position(game, None)
    moves = game.moves.exclude(cause__in=(*BY_HAND, Cause.RULES)).exclude(
        cause=Cause.COMPUTER, seat__computer_player__gt=""
    )
    played = moves.select_related("seat").order_by("-pk")[:MOST]
    rows = _absences(game)
    open_now = [seat for seat in position.seats if is_open(game, seat)]
    return [
        *(line_of(position, seat, None, rows, zone) for seat in open_now),
        *(line_of(position, move.seat, move, rows, zone) for move in played),
    ]


def made_by_the_clock(moves: QuerySet[Move]) -> QuerySet[Move]:
    """Those of these moves that the clock made and that stand, the latest first."""
    return moves.filter(cause=Cause.CLOCK, abandoned=False).order_by("-pk")


def own_moves(game: Game, user: User) -> QuerySet[Move]:
    """The moves that were played at seats that somebody has or had, the latest first."""
    played = game.moves.filter(seat__sittings__user=user, cause__in=PLAYED_FOR)
    return played.distinct().order_by("-pk")


def latest_played_for(game: Game, user: User, most: int) -> list[Move]:
    """Those of the latest moves at somebody's seats that were made while they sat there."""
    latest = own_moves(game, user).select_related("seat")[:most]
    return [move for move in latest if was_played_for(move, user)]


def was_played_for(move: Move, user: User) -> bool:
    """Whether this person sat there when the move was made."""
    sittings = Sitting.objects.filter(seat=move.seat_id, user=user)
    return any(_sat(sitting, move) for sitting in sittings)


def read_own_decisions(game: Game, user: User, zone: str) -> list[DecisionLine]:
    """The decisions in which something was played for this person, the latest first."""
    moves = list(own_moves(game, user).select_related("seat")[:MOST])
    if not moves:
        return []
    sittings = list(Sitting.objects.filter(seat__game=game, user=user))
    position, rows = read_position(game, user), _absences(game)
    return [
        line_of(position, move.seat, move, rows, zone, own=True)
        for move in moves
        if any(_sat(sitting, move) for sitting in sittings)
    ]


def is_open(game: Game, seat: Seat) -> bool:
    """Whether it is this seat's turn, and a person's."""
    is_due = seat.deadline_at is not None or seat.seconds_left is not None
    return is_due and seat.to_move_phase == game.phase_no and seat.user is not None


def _sat(sitting: Sitting, move: Move) -> bool:
    ended = sitting.ended_at
    was_there = sitting.began_at <= move.at and (ended is None or move.at <= ended)
    return sitting.seat_id == move.seat_id and was_there


def absences(rows: Iterable[StoredEvent]) -> list[StoredEvent]:
    """The events in which players became absent, left or came back."""
    return [row for row in rows if row.kind in {*ABSENT, *PRESENT}]


def _absences(game: Game) -> list[StoredEvent]:
    """The same, from the database."""
    return list(game.events.filter(kind__in=(*ABSENT, *PRESENT)).order_by("seq"))


def line_of(
    position: Position,
    seat: Seat,
    move: Move | None,
    rows: Sequence[StoredEvent],
    zone: str,
    *,
    own: bool = False,
) -> DecisionLine:
    """A decision in one line: that of a `move`, or the open one of the seat."""
    number, at = seat.drawn_number, timezone.now() if move is None else move.at
    name = position.holders.at(at)[number]
    at_once = move is not None and _was_absent(move, number, rows)
    return DecisionLine(
        number,
        position.game.phase_no if move is None else move.phase_no,
        name,
        position.people.colour(number),
        position.people.colour_text(number),
        "" if move is None else day_and_hour(to_the_minute(move.at), zone),
        _why(move, at_once=at_once, own=own),
        move.pk if move is not None and not at_once and _may_go(position.game, move) else None,
    )


def _may_go(game: Game, move: Move) -> bool:
    """Whether it is a move of the clock that can be taken back."""
    return move.cause == Cause.CLOCK and not move.abandoned and game.status == Game.Status.RUNNING


def _was_absent(move: Move, number: int, rows: Sequence[StoredEvent]) -> bool:
    """Whether nobody was waited for at this move: the player had been absent before.

    A miss that made the player absent is of the same instant. A move that had a deadline was
    waited for.
    """
    marks = [row for row in rows if row.payload["seat"] == number and row.at <= move.at]
    if move.deadline_at is not None:
        marks = [row for row in marks if row.at < move.at]
    return bool(marks) and marks[-1].kind in ABSENT


def _why(move: Move | None, *, at_once: bool, own: bool) -> str:
    """Who or what played, and why, in a sentence: about the player, or to them."""
    if move is None:
        return _("This decision is still open.")
    text = str(_WHY[Cause(move.cause)])
    if move.cause == Cause.CLOCK and at_once:
        text = _("The player was absent, so the default move was played at once.")
        if own:
            text = _("You were absent, so the default move was played at once.")
    return f"{text} {_('It was undone when the game was rewound.')}" if move.abandoned else text
