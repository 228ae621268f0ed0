"""Moves deadlines: whatever moves one does it here (docs/play-over-days.md, 2).

Everybody in the phase keeps the time they had: who is to move now, who will be later and shares
the deadline of the phase, and those for whom the negotiation time still runs. `to_move` sets a
deadline for the first time.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.models import Cause, Seat, User
from games.services.game import talk_time, to_move
from games.services.game.deadlines import Calendar
from games.services.game.writer import Writer
from games.services.refused import Refused
from games.table_events import DeadlineMoved, TalkMoved

type Change = Callable[[datetime, Calendar, datetime], datetime]
"""The new deadline for one, by the seat's calendar, for a decision that is open since then."""


class Moved(NamedTuple):
    """A moved deadline: a seat's, or the end of the negotiation time, which is that of `seats`.

    `number` is that of the event.
    """

    seats: list[Seat]
    number: int
    before: datetime
    after: datetime

    @property
    def person(self) -> User | None:
        """The person whose deadline it is; None if it is the table's."""
        return self.seats[0].user if len(self.seats) == 1 else None


def open_deadlines(writer: Writer) -> dict[Seat, datetime]:
    """The seats for which the game waits now, each with its deadline.

    Those of people, and of computer players that wait for a reply.
    """
    return {
        seat: seat.deadline_at
        for seat in writer.waiting()
        if seat.deadline_at is not None
        and seat.to_move_phase == writer.game.phase_no
        and not seat.is_played_at_once()
    }


def move(
    writer: Writer,
    change: Change,
    cause: Cause,
    why: str = "moved",
    *,
    to: Mapping[Seat, datetime] | None = None,
    remind_anew: bool = True,
) -> list[Moved]:
    """Move the deadlines of the phase, record why, and say what was moved.

    `change` moves the deadlines of all who are to move now or later in the phase, and the end of
    the negotiation time; what it leaves as it is is no event. With `to`, only these seats, of those
    who are to move now, get another deadline: that one. `remind_anew`: reminders are counted from
    now on. A deadline that comes earlier than it did can be missed no more (days 3).
    """
    game, now, calendars = writer.game, writer.now, to_move.calendars_of(writer)
    to_move.set_phase_deadlines(writer, calendars)
    opened_at = game.phase_opened_at or now
    for number, seat in writer.seats.items():
        if seat.phase_deadline_at is not None:
            seat.phase_deadline_at = change(seat.phase_deadline_at, calendars[number], opened_at)
        if seat.reply_until is not None:
            seat.reply_until = change(seat.reply_until, calendars[number], opened_at)
    moved = []
    if to is None:
        moved, to = (
            _move_negotiation_time(writer, change, cause, why),
            _changed(writer, change, calendars),
        )
    for seat, after in to.items():
        before = seat.deadline_at or after
        seat.full_time = seat.full_time and after >= before
        seat.deadline_set_at = now if remind_anew else seat.deadline_set_at
        to_move.set_deadline(seat, after, now)
        number = writer.record(DeadlineMoved(seat.drawn_number, before, after, why), cause)
        moved.append(Moved([seat], number, before, after))
    return moved


def _changed(
    writer: Writer, change: Change, calendars: Mapping[int, Calendar]
) -> dict[Seat, datetime]:
    """The deadlines that a change moves; after a pause they are all given anew."""
    after = {
        seat: change(before, calendars[seat.drawn_number], seat.deadline_set_at or writer.now)
        for seat, before in open_deadlines(writer).items()
    }
    return {
        seat: at
        for seat, at in after.items()
        if at != seat.deadline_at or seat.seconds_left is not None
    }


def _move_negotiation_time(writer: Writer, change: Change, cause: Cause, why: str) -> list[Moved]:
    game, before = writer.game, writer.game.talk_until
    if before is None:
        return []
    after = change(before, talk_time.calendar_of(game), game.phase_opened_at or writer.now)
    if after == before:
        return []
    talk_time.set_end(writer, after)
    for seat in writer.seats.values():
        seat.deadline_version += 1  # what a moderator saw is not so any more
    number = writer.record(TalkMoved(before, after, why), cause)
    seats = talk_time.waits_for(writer.state, writer.seats, game)
    return [Moved(seats, number, before, after)]


def give_time_back(writer: Writer, paused_at: datetime, cause: Cause) -> None:
    """Give everybody in the phase the play time that they had left at a pause that ends now.

    Where nobody who is to move has any left, as after a rewind, the phase begins anew.
    """
    game, calendars = writer.game, to_move.calendars_of(writer)
    for seat in writer.waiting():
        if seat.seconds_left is not None:
            left = timedelta(seconds=seat.seconds_left)
            seat.deadline_at = calendars[seat.drawn_number].after(paused_at, left)
    if game.talk_seconds_left is not None and game.is_going_on:
        left = timedelta(seconds=game.talk_seconds_left)
        talk_time.set_end(writer, talk_time.calendar_of(game).after(paused_at, left))

    def left_again(at: datetime, calendar: Calendar, _since: datetime) -> datetime:
        return calendar.like(at, calendar.after(writer.now, calendar.play_time(paused_at, at)))

    moved = move(writer, left_again, cause, "pause")
    if not moved or game.is_negotiation_time:
        to_move.open_phase(writer)


def extend(
    writer: Writer, time: timedelta, cause: Cause, *, only: Seat | None = None
) -> list[Moved]:
    """Give everybody in the phase more play time: after their deadline, or from now on.

    With `only`, this seat and those who are to move later. `Refused` where nobody is to move.
    """
    now, waiting = writer.now, _refuse_unless_to_move(writer, only)

    def later(at: datetime, calendar: Calendar, _since: datetime) -> datetime:
        return calendar.move(at, time, since=now)

    if only is None:
        return move(writer, later, cause)
    after = later(waiting[only], to_move.calendars_of(writer)[only.drawn_number], now)
    return move(writer, later, cause, to={only: after})


def set_deadline(
    writer: Writer, after: datetime, cause: Cause, *, only: Seat | None = None
) -> list[Moved]:
    """Set the deadline of everybody to move, or the end of the negotiation time, ahead of now.

    With `only`, of this seat. What that adds to their time, those who are to move later in the
    phase have more, too. `Refused` where nobody is to move.
    """
    waiting = _refuse_unless_to_move(writer, only)
    if after <= writer.now:
        raise Refused(_("The deadline must be in the future."))
    if writer.game.is_negotiation_time:
        return move(writer, lambda *_: after, cause)
    to = dict.fromkeys(waiting if only is None else [only], after)
    return move(writer, as_much_more(writer, to), cause, to=to)


def as_much_more(writer: Writer, to: Mapping[Seat, datetime]) -> Change:
    """The change for those who are to move later: as much more time as these seats get."""
    now, calendars = writer.now, to_move.calendars_of(writer)
    more = max(
        calendars[seat.drawn_number].play_time(max(seat.deadline_at or now, now), after)
        for seat, after in to.items()
    )
    return lambda at, calendar, _since: calendar.move(at, more, since=now)


def _refuse_unless_to_move(writer: Writer, only: Seat | None) -> dict[Seat, datetime]:
    """The open deadlines; `Refused` where it is nobody's turn, or not that of `only`."""
    waiting = open_deadlines(writer)
    if only is not None and only not in waiting:
        raise Refused(_("It's not this seat's turn."))
    if not waiting and writer.game.talk_until is None:
        raise Refused(_("It's nobody's turn right now."))
    return waiting
