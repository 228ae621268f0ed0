"""The host's means in a running game: more time for everybody who is to move.

A pause needs the table's consent: `services.game.votes`. Before the start, see
`services.lobby.tables`.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Cause, Game, Seat, User
from games.services import audit
from games.services.game import moved_deadlines, talk_time
from games.services.game.replay import EventRow
from games.services.game.writer import Writer
from games.services.refused import Refused
from games.table_events import DeadlineMoved, TalkMoved

MOST_TIMES: Final = 3
"""The number of phases of a game in which the host may give more time, in each of them once."""

MOVED: Final = (DeadlineMoved.__name__, TalkMoved.__name__)
"""The events by which time is given."""

ONE_HOUR: Final = timedelta(hours=1)


class Hosting(NamedTuple):
    """The extra time that the host may give now.

    `most_hours` may be given to those who are to move, 0 where no time can be given now;
    `times_left` is in how many phases of the game that can be done.
    """

    most_hours: int
    times_left: int


def read_hosting(
    game: Game, seats: list[Seat], rows: Iterable[EventRow], user: User | None
) -> Hosting | None:
    """The extra time that `user` may give as host; None for others, and if no other person plays.

    `rows` are all events of the game.
    """
    if not game.is_going_on or user is None or not _is_host(game, seats, user):
        return None
    present = [seat for seat in seats if seat.is_present()]
    if len(present) < 2:
        return None
    phases = {row.phase_no for row in rows if row.kind in MOVED and row.cause == Cause.HOST}
    to_move = [seat for seat in present if seat.deadline_at]
    if game.talk_until is not None:
        to_move = talk_time.waits_for(game.decoded(), dict(enumerate(seats)), game)
    others_are_to_move = any(seat.user != user for seat in to_move)
    possible = len(phases) < MOST_TIMES and game.phase_no not in phases and others_are_to_move
    return Hosting(_most_hours(game) if possible else 0, MOST_TIMES - len(phases))


def give_time(*, game_id: int, user: User, phase_no: int, time: timedelta, now: datetime) -> None:
    """Give everybody who is to move in this phase more time. The others of them are emailed.

    Only the host may, who sits there and is present: at most one time to move of the table, once
    a phase and in at most `MOST_TIMES` phases of a game, and not where the host alone is to move.
    """
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        if not game.is_going_on:
            raise Refused(_("This game isn't running."))
        writer = Writer(game, now)
        if not _is_host(game, writer.seats.values(), user):
            raise Refused(_("Only a host who is still playing can give extra time."))
        if game.phase_no != phase_no:
            raise Refused(
                _(
                    "The game has moved on since you opened this page. Please check that you "
                    "still want to do this."
                )
            )
        _refuse_too_much(game, time)
        _refuse_where_nobody_else_is_to_move(writer, user)
        for moved in moved_deadlines.extend(writer, time, Cause.HOST):
            _email_and_audit(writer, moved, user)
        writer.go_on()
        writer.commit()


def _is_host(game: Game, seats: Iterable[Seat], user: User) -> bool:
    """Whether somebody hosts the table, and still plays there."""
    plays = any(seat.user_id == user.pk and seat.is_present() for seat in seats)
    return plays and game.host_id == user.pk


def _most_hours(game: Game) -> int:
    return timedelta(seconds=game.move_seconds) // ONE_HOUR


def _refuse_too_much(game: Game, time: timedelta) -> None:
    most = _most_hours(game)
    if most < 1:
        raise Refused(_("At tables with less than an hour per move, only a vote can add time."))
    if not ONE_HOUR <= time <= most * ONE_HOUR:
        raise Refused(_("You can add between 1 and {most} hours.").format(most=most))
    by_host = game.events.filter(kind__in=MOVED, cause=Cause.HOST)
    phases = set(by_host.values_list("phase_no", flat=True))
    if game.phase_no in phases:
        raise Refused(_("You've already given extra time for this move. Call a vote to add more."))
    if len(phases) >= MOST_TIMES:
        text = _(
            "You've already given extra time {most} times in this game. Call a vote to add more."
        )
        raise Refused(text.format(most=MOST_TIMES))


def _refuse_where_nobody_else_is_to_move(writer: Writer, host: User) -> None:
    to_move = list(moved_deadlines.open_deadlines(writer))
    to_move += talk_time.waits_for(writer.state, writer.seats, writer.game)
    if to_move and all(seat.user in (None, host) for seat in to_move):
        raise Refused(
            _(
                "You can't give extra time when you're the only one who still has to move. Call "
                "a vote instead."
            )
        )


def _email_and_audit(writer: Writer, moved: moved_deadlines.Moved, host: User) -> None:
    for seat in moved.seats:
        if seat.user != host:
            writer.email("table_news", seat, about=moved.number)
    audit.write(
        "game.extra-time",
        now=writer.now,
        who=audit.HOST,
        game=writer.game,
        person=moved.person,
        before={"at": moved.before},
        after={"at": moved.after},
    )
