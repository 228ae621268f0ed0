"""Time for players whom email could not reach when their turn came (docs/play-over-days.md, 11).

For every player, whether email reached them or not: so it says nothing about a person.
"""

from datetime import datetime, timedelta

from games.models import Cause, EmailOutage, Seat
from games.services.game import deadlines, moved_deadlines, to_move
from games.services.game.deadlines import Calendar
from games.services.game.writer import Writer
from games.table_events import DeadlineMoved

WHY = "email"


def put_off(writer: Writer) -> None:
    """Move the deadlines of a running game that email that is or was down has to move.

    A player whose turn came meanwhile has a quarter of the time to move once it is back. A deadline
    that comes while it is down moves, by at most one time to move for each seat and phase. Neither
    can be missed then.
    """
    if not writer.read.email_outage:
        return
    outages = list(EmailOutage.objects.all())
    calendars = to_move.calendars_of(writer)
    to = {}
    for seat, before in moved_deadlines.open_deadlines(writer).items():
        after = _deadline_of(writer, seat, before, calendars[seat.drawn_number], outages)
        if after > before:
            to[seat] = after
    if to:
        change = moved_deadlines.as_much_more(writer, to)
        moved_deadlines.move(writer, change, Cause.CLOCK, WHY, to=to, remind_anew=False)
    for seat in to:
        seat.full_time = False
    for seat in writer.seats.values():
        if any(outage.is_over and outage.holds(seat.to_move_since) for outage in outages):
            seat.to_move_since = None


def _deadline_of(
    writer: Writer, seat: Seat, before: datetime, calendar: Calendar, outages: list[EmailOutage]
) -> datetime:
    """The deadline of a seat as these outages leave it: the latest that follows from any."""
    found = [before]
    for outage in outages:
        if outage.until is not None and outage.holds(seat.to_move_since):
            # While the game was paused it was no use to anybody that email was back.
            back_at = max(outage.until, seat.deadline_set_at or outage.until)
            found.append(calendar.like(before, deadlines.least_deadline(calendar, back_at)))
        elif outage.until is None and before <= writer.now:
            left = calendar.pace.move_time - _given(writer, seat, calendar)
            found.append(
                deadlines.without_email(before, left=left, now=writer.now, calendar=calendar)
            )
    return max(found)


def _given(writer: Writer, seat: Seat, calendar: Calendar) -> timedelta:
    """How much time the clock has given this decision already, for email or for an outage."""
    moved = writer.game.events.filter(
        kind=DeadlineMoved.__name__, phase_no=writer.game.phase_no, cause=Cause.CLOCK,
        payload__seat=seat.drawn_number,
    )  # fmt: skip
    return sum(
        (
            calendar.play_time(*map(datetime.fromisoformat, (event["before"], event["after"])))
            for event in moved.values_list("payload", flat=True)
        ),
        timedelta(),
    )
