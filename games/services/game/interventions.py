"""What is done to a running game and is no move: by moderators, a vote of the table, the clock.

Each is one step of a `Writer`, notes what happened in the log and gives the number of that event;
whoever calls has settled whether it may be done, emails, and commits.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.models import Cause, Game, Seat, Sitting, User
from games.services import audit, live
from games.services.game import absence, notes, talk_time, to_move
from games.services.game.deadlines import Calendar
from games.services.game.seats import begin_anew
from games.services.game.writer import Writer
from games.services.people import blocks
from games.services.refused import Refused
from games.table_events import (
    DeadlineMoved,
    DefaultCalled,
    GameAbandoned,
    GameCancelled,
    GamePaused,
    GameResumed,
    HousePlayerSat,
    SeatGivenBack,
    SeatReopened,
    SeatReturned,
)


def pause(writer: Writer, until: datetime | None, cause: Cause) -> int:
    """Stop the time of a game, until an instant or until somebody resumes it."""
    if writer.game.paused_at is not None:
        raise Refused(_("The game is already paused."))
    if until is not None and until <= writer.now:
        raise Refused(_("The end of the pause must be in the future."))
    writer.game.paused_at, writer.game.paused_until = writer.now, until
    return writer.record(GamePaused(until), cause)


def resume(writer: Writer, cause: Cause) -> int:
    """Let time pass again; everybody in the phase has what was left of their time."""
    game = writer.game
    if game.paused_at is None:
        raise Refused(_("The game isn't paused."))
    number = writer.record(GameResumed(), cause)
    give_time_back(writer, game.paused_at, cause)
    game.paused_at = game.paused_until = None
    return number


def give_time_back(writer: Writer, paused_at: datetime, cause: Cause) -> None:
    """Give everybody in the phase the play time that they had left at the pause.

    Where nobody who is asked has any left, as after a rewind, the phase begins anew.
    """
    talk_time.record_pause(writer, paused_at, cause)
    asked = [
        seat
        for seat in writer.waiting()
        if seat.seconds_left is not None and not seat.is_played_for()
    ]
    if not asked:
        to_move.open_phase(writer.game, writer.seats.values(), writer.now)
        return
    calendars = to_move.calendars_of(writer.game, writer.seats, writer.days_off)
    _move_phase(
        writer,
        calendars,
        lambda at, calendar, _since: calendar.move(
            at, calendar.play_time(paused_at, writer.now), since=at
        ),
    )
    for seat in asked:
        calendar, left = calendars[seat.drawn_number], timedelta(seconds=seat.seconds_left or 0)
        before = calendar.after(paused_at, left)
        after = calendar.like(before, calendar.after(writer.now, left))
        to_move.give_deadline(seat, after, writer.now)
        writer.record(DeadlineMoved(seat.drawn_number, before, after, "pause"), cause)


def waiting_people(writer: Writer) -> list[Seat]:
    """The seats whose person has a deadline now."""
    return [
        seat
        for seat in writer.waiting()
        if seat.deadline_at is not None and not seat.is_played_for()
    ]


class Moved(NamedTuple):
    """A deadline that was moved: of one seat, or the end of the talk, which waits for `seats`.

    `number` is that of the event.
    """

    seats: list[Seat]
    number: int
    before: datetime
    after: datetime

    @property
    def person(self) -> User | None:
        """Whose deadline it is; None if it is the table's."""
        return self.seats[0].user if len(self.seats) == 1 else None


type Change = Callable[[datetime, Calendar, datetime], datetime]
"""The new deadline for one, by the seat's calendar, for a question that is open since then."""


def move_deadlines(
    writer: Writer,
    change: Change,
    cause: Cause,
    why: str = "moved",
    *,
    only: Seat | None = None,
    asked_again: bool = True,
) -> list[Moved]:
    """Move the deadlines of the phase: of all who are asked, and of those who are asked later.

    With `only`, of all who are asked this seat's alone. `asked_again`: reminders are counted from
    now on. What the change leaves as it is is no event.
    """
    calendars = to_move.calendars_of(writer.game, writer.seats, writer.days_off)
    _move_phase(writer, calendars, change)
    moved = [] if only is not None else _move_talk(writer, change, cause, why)
    for seat in waiting_people(writer):
        before = seat.deadline_at
        if before is None or only not in {None, seat} or seat.to_move_phase != writer.game.phase_no:
            continue
        after = change(before, calendars[seat.drawn_number], seat.deadline_set_at or writer.now)
        if after != before:
            (to_move.give_deadline if asked_again else to_move.put_off)(seat, after, writer.now)
            event = DeadlineMoved(seat.drawn_number, before, after, why)
            moved.append(Moved([seat], writer.record(event, cause), before, after))
    return moved


def _move_talk(writer: Writer, change: Change, cause: Cause, why: str) -> list[Moved]:
    game, before = writer.game, writer.game.talk_until
    number = talk_time.move(writer, change, cause, why)
    if number is None or before is None or game.talk_until is None:
        return []
    seats = talk_time.waits_for(writer.state, writer.seats, game)
    return [Moved(seats, number, before, game.talk_until)]


def set_end_of_talk(writer: Writer, after: datetime, cause: Cause) -> list[Moved]:
    """Let the time for talk end at this instant, ahead of now."""
    if after <= writer.now:
        raise Refused(_("The deadline must be in the future."))
    return _move_talk(writer, lambda _at, _calendar, _since: after, cause, "moved")


def _move_phase(writer: Writer, calendars: Mapping[int, Calendar], change: Change) -> None:
    """Move the deadlines that those who are asked later in this phase will share."""
    to_move.set_phase_deadlines(writer.game, writer.seats, calendars)
    opened_at = writer.game.phase_opened_at or writer.now
    for number, seat in writer.seats.items():
        if seat.phase_deadline_at is not None:
            seat.phase_deadline_at = change(seat.phase_deadline_at, calendars[number], opened_at)


def set_deadline(writer: Writer, seat: Seat, after: datetime, cause: Cause) -> Moved:
    """Give the open question of a seat this deadline, ahead of now.

    What that adds to its time, those who are asked later in the phase have more, too.
    """
    before, now = seat.deadline_at, writer.now
    if before is None:
        raise Refused(_("It's not this seat's turn."))
    if after <= now:
        raise Refused(_("The deadline must be in the future."))
    _give_the_others_more(writer, {seat: after})
    to_move.give_deadline(seat, after, now)
    event = DeadlineMoved(seat.drawn_number, before, after, "moved")
    return Moved([seat], writer.record(event, cause), before, after)


def put_off(writer: Writer, after: Mapping[Seat, datetime], cause: Cause, why: str) -> None:
    """Give these seats, which are asked, later deadlines; when they were asked stays.

    What that adds to their time, those who are asked later in the phase have more, too.
    """
    if after:
        _give_the_others_more(writer, after)
    for seat, at in after.items():
        event = DeadlineMoved(seat.drawn_number, seat.deadline_at or at, at, why)
        to_move.put_off(seat, at, writer.now)
        writer.record(event, cause)


def _give_the_others_more(writer: Writer, after: Mapping[Seat, datetime]) -> None:
    """Give those who are asked later in the phase as much more time as these have now."""
    now = writer.now
    calendars = to_move.calendars_of(writer.game, writer.seats, writer.days_off)
    more = max(
        calendars[seat.drawn_number].play_time(max(seat.deadline_at or now, now), at)
        for seat, at in after.items()
    )
    _move_phase(writer, calendars, lambda at, calendar, _since: calendar.move(at, more, since=now))


def extend(
    writer: Writer, time: timedelta, cause: Cause, *, only: Seat | None = None
) -> list[Moved]:
    """Give everybody in the phase more play time: after their deadline, or from now on.

    With `only`, this seat and those who are asked later. `Refused` where nobody is asked.
    """
    moved = move_deadlines(
        writer,
        lambda at, calendar, _since: calendar.move(at, time, since=writer.now),
        cause,
        only=only,
    )
    if not moved:
        raise Refused(
            _("It's nobody's turn right now.") if only is None else _("It's not this seat's turn.")
        )
    return moved


def call_default(writer: Writer, seat: Seat, cause: Cause) -> int:
    """End the wait for a seat: what it ordered is played, or the default. That is no miss."""
    if seat not in waiting_people(writer):
        raise Refused(_("It's not this seat's turn."))
    number = writer.record(DefaultCalled(seat.drawn_number), cause)
    writer.play_at_deadline(seat, cause)
    return number


def return_seat(writer: Writer, seat: Seat, cause: Cause) -> int:
    """Wait for the person at this seat again."""
    if seat.absent_since is None or seat.user is None:
        raise Refused(_("This seat's player isn't absent."))
    if not seat.user.may_play(writer.now):
        raise Refused(_("This person is suspended or banned."))
    begin_anew(seat)
    return writer.record(SeatReturned(seat.drawn_number), cause)


def seat_computer_player(writer: Writer, seat: Seat, computer_player: str, cause: Cause) -> int:
    """Let a computer player play a seat for good, in place of whoever sits there."""
    if seat.computer_player:
        raise Refused(_("A computer player already has this seat."))
    stand_up(writer, seat)
    seat.computer_player = computer_player
    return writer.record(HousePlayerSat(seat.drawn_number), cause)


def reopen_seat(writer: Writer, seat: Seat, cause: Cause) -> int:
    """Let whoever sits here go, and look for a substitute; until then the table's choice plays."""
    if not Sitting.objects.filter(seat=seat).exists():
        raise Refused(_("This seat has always belonged to a computer player, never to a person."))
    stand_up(writer, seat)
    seat.absent_since = writer.now
    number = writer.record(SeatReopened(seat.drawn_number), cause)
    absence.ask_for_substitutes(writer.game, seat, writer.now)
    return number


def left_seats(game_id: int) -> dict[int, Sitting]:
    """The last sitting at each seat that no person has now, by the number of the seat.

    Only of people who still have an account: the seat can be given back to them.
    """
    rows = Sitting.objects.filter(seat__game=game_id, seat__user=None, seat__number__isnull=False)
    last = {
        one.seat.drawn_number: one for one in rows.select_related("seat", "user").order_by("pk")
    }
    return {number: one for number, one in last.items() if one.user is not None}


def give_seat_back(writer: Writer, seat: Seat, cause: Cause) -> int:
    """Let whoever sat here last have the seat again, as if they had never left it.

    From a computer player too; they are asked at the next decision. Their days off are as they
    were, and what is void stays so: orders, drafts and notes. `Refused` where somebody has the
    seat, or this person may not play, or not with those who sit there now.
    """
    sitting = left_seats(writer.game.pk).get(seat.drawn_number)
    person = None if sitting is None else sitting.user
    if sitting is None or person is None:
        raise Refused(_("There's nobody who could get this seat back."))
    if not person.may_play(writer.now):
        raise Refused(_("This person is suspended or banned."))
    if writer.game.seats.filter(user__in=blocks.at_odds_with([person])).exists():
        raise Refused(_("This person and one of the players now can't be seated together."))
    sitting.ended_at = None
    sitting.save(update_fields=["ended_at"])
    live.people_concerned([person.pk])
    seat.user, seat.computer_player = person, ""
    begin_anew(seat)
    return writer.record(SeatGivenBack(seat.drawn_number), cause)


def stand_up(writer: Writer, seat: Seat) -> None:
    """Take the seat from its player: their orders, drafts and notes are void."""
    writer.drop_orders(seat)
    Sitting.objects.filter(seat=seat, ended_at=None).update(ended_at=writer.now)
    if seat.user is not None:
        notes.void(writer.game, seat.user)
    seat.user, seat.computer_player = None, ""
    begin_anew(seat)


def cancel(writer: Writer, cause: Cause) -> int:
    """End the game without a winner. Nothing of it is taken away."""
    game = writer.game
    number = writer.record(GameCancelled(), cause)
    game.status = Game.Status.CANCELLED
    game.paused_at = game.paused_until = game.parked_at = game.retry_at = None
    game.dormant_since = game.talk_until = game.talk_seconds_left = None
    game.finished_at = writer.now
    writer.drop_orders()
    return number


def give_up(game: Game, now: datetime) -> None:
    """End a locked game that nobody has come back to for too long. It counts for nobody."""
    writer = Writer(game, now)
    writer.record(GameAbandoned(), Cause.CLOCK)
    game.status = Game.Status.ABANDONED
    game.dormant_since = game.paused_at = game.paused_until = None
    game.talk_until = game.talk_seconds_left = None
    game.finished_at = now
    audit.write("game.abandon", now=now, who=audit.CLOCK, game=game)
    writer.commit()


def tell_table(writer: Writer, about: int) -> None:
    """Mail everybody at the table what was done; `about` is the number of its event."""
    for seat in writer.seats.values():
        writer.email("table_news", seat, about=about)
