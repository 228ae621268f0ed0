"""Makes it a seat's turn, with deadline, reminder and email, and ends its turn again."""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime

from games.engine import to_move
from games.models import Cause, DaysOff, Game, Seat
from games.services.game import deadlines, reminders
from games.services.game.deadlines import Calendar, Deadline
from games.services.game.locked_game import LockedGame
from games.table_events import DeadlineMoved, WaitBegan
from games.zones import zone_of


def set_deadlines(writer: LockedGame, *, cut_short: bool) -> None:
    """Give each seat that is newly to move a deadline, and take it from those no longer to move.

    Its player gets email.

    The game's own deadline becomes the earliest of theirs; None where nobody is
    to move. In a game that does not go on there are none; while it is paused, each seat to move
    keeps what was left of its time, and so does the negotiation time. During that time nobody is
    to move, and the game's deadline is its end. Where moves that play themselves were `cut_short`,
    nobody's turn begins yet: the game is due at once, and goes on.
    """
    game, seats = writer.game, writer.seats
    if game.is_negotiation_time:
        _keep_talk_if_stopped(writer)
        forget_deadlines(seats.values())
        game.deadline_at = game.talk_until
        return
    waiting = to_move(writer.state)
    newly = {
        number for number in waiting if game.is_going_on and _is_newly_to_move(game, seats[number])
    }
    calendars = calendars_of(writer) if newly or game.paused_at is not None else {}
    if newly:
        set_phase_deadlines(writer, calendars)
    for number, seat in seats.items():
        if number not in waiting or not game.is_going_on:
            _end_turn(writer, seat, calendars.get(number) if number in waiting else None)
        elif number in newly and (cut_short or seat.is_played_at_once()):
            seat.deadline_at = writer.now  # the rest of a long row, which the clock goes on with
            seat.seconds_left, seat.to_move_phase = None, 0
        elif number in newly and seat.reply_until is not None:
            _begin_wait(writer, seat, seat.reply_until)
        elif number in newly:
            _begin_turn(writer, seat, calendars[number])
            _spend_days_off(writer, seat)
            writer.email("your_turn", seat, deadline_version=seat.deadline_version)
    times = [seat.deadline_at for seat in seats.values() if seat.deadline_at is not None]
    game.deadline_at = min(times, default=None)


def _keep_talk_if_stopped(writer: LockedGame) -> None:
    """Keep the rest of the negotiation time while the game doesn't go on; nobody is reminded."""
    game = writer.game
    if game.is_going_on or game.talk_until is None:
        return
    left = Calendar(deadlines.pace_of(game)).play_time(writer.now, game.talk_until)
    game.clock = game.clock.keep_talk(left)
    for seat in writer.seats.values():
        seat.remind_at = None


def _is_newly_to_move(game: Game, seat: Seat) -> bool:
    """Whether the turn of a seat to move has not begun in this phase, or nobody plays there."""
    is_to_move = seat.deadline_at is not None and seat.to_move_phase == game.phase_no
    return not is_to_move or seat.is_played_at_once()


def calendars_of(writer: LockedGame) -> dict[int, Calendar]:
    """The play time of each seat, by its number; without days off announced in time.

    That is before the phase opened.
    """
    pace = deadlines.pace_of(writer.game)
    opened_at = writer.game.phase_opened_at
    return {
        number: Calendar(
            pace,
            [
                (off.first_day, off.last_day)
                for off in writer.days_off[seat.pk]
                if (opened_at is None or off.announced_at <= opened_at)
                and off.last_day <= deadlines.LAST_DAY
            ],
            UTC if seat.user is None else zone_of(seat.user.time_zone),
        )
        for number, seat in writer.seats.items()
    }


def _spend_days_off(writer: LockedGame, seat: Seat) -> None:
    """Store the days off with which its deadline is counted, and up to which day (days 10)."""
    if seat.deadline_at is None or not writer.days_off[seat.pk] or seat.user is None:
        return
    opened_at = writer.game.phase_opened_at
    last = seat.deadline_at.astimezone(zone_of(seat.user.time_zone)).date()
    for off in writer.days_off[seat.pk]:
        counts = opened_at is None or off.announced_at <= opened_at
        until = min(off.last_day, last)
        if counts and off.first_day <= until and until > (off.given_until or date.min):
            DaysOff.objects.filter(pk=off.pk).update(given_until=until)


def begin_phase(writer: LockedGame) -> None:
    """Begin the next phase: all who are to move in it have the full time."""
    writer.game.phase_no += 1
    for seat in writer.seats.values():
        seat.reply_until = None
    open_phase(writer)


def open_phase(writer: LockedGame) -> None:
    """Begin a phase, or begin it anew: everybody in it has the full time from now on."""
    writer.game.phase_opened_at = writer.now
    forget_deadlines(writer.seats.values())
    for seat in writer.seats.values():
        seat.phase_deadline_at = None
        if seat.reply_until is not None:
            seat.reply_until = deadlines.reply_deadline(writer.game, writer.now)


def forget_deadlines(seats: Iterable[Seat]) -> None:
    """Forget the deadlines of these seats, and what was left of their time in a pause."""
    for seat in seats:
        seat.deadline_at = seat.seconds_left = None


def set_phase_deadlines(writer: LockedGame, calendars: Mapping[int, Calendar]) -> None:
    """Give each seat without one its full deadline from the opening of the phase."""
    opened_at = writer.game.phase_opened_at
    for number, seat in writer.seats.items():
        if seat.phase_deadline_at is None and opened_at is not None:
            seat.phase_deadline_at = deadlines.full_deadline(calendars[number], opened_at)


def take_days_back(game: Game, seat: Seat, before: Calendar, after: Calendar) -> None:
    """Take days off back from the deadline that a seat would share later in the phase.

    `before` is its calendar with them. What else has moved that deadline stays.
    """
    opened_at, shared = game.phase_opened_at, seat.phase_deadline_at
    if opened_at is None or shared is None:
        return
    moved = before.play_time(deadlines.full_deadline(before, opened_at), shared)
    fresh = deadlines.full_deadline(after, opened_at)
    seat.phase_deadline_at = min(shared, after.move(fresh, moved, since=fresh))


def _end_turn(writer: LockedGame, seat: Seat, calendar: Calendar | None) -> None:
    """Take the deadline away. A seat with a `calendar` is still to move, but time stands still."""
    is_paused = writer.game.paused_at is not None
    if calendar is None:
        seat.seconds_left = None
    elif is_paused and seat.deadline_at is not None and not seat.is_played_at_once():
        left = calendar.play_time(writer.now, seat.deadline_at)
        seat.seconds_left = int(left.total_seconds())
    seat.deadline_at = seat.remind_at = None


def _begin_turn(writer: LockedGame, seat: Seat, calendar: Calendar) -> None:
    """Begin the turn of a seat: at the opening of the phase with its full deadline, or later."""
    game, now = writer.game, writer.now
    opened_at = game.phase_opened_at or now
    shared = seat.phase_deadline_at or deadlines.full_deadline(calendar, opened_at)
    given = _deadline(calendar, shared, opened_at, now)
    seat.to_move_phase, seat.deadline_set_at, seat.to_move_since = game.phase_no, now, now
    seat.full_time = given.full
    set_deadline(seat, given.at, now)
    if not calendar.days_off:
        return
    # The deadline of a player without days off is the earliest.
    earliest = min(one.phase_deadline_at or shared for one in writer.seats.values())
    usual = _deadline(calendar._replace(days_off=()), earliest, opened_at, now)
    if given.at != usual.at:
        moved = DeadlineMoved(seat.drawn_number, usual.at, given.at, "days_off")
        writer.record(moved, Cause.PLAYER)


def _begin_wait(writer: LockedGame, seat: Seat, until: datetime) -> None:
    """Begin the turn of a computer player that waits until then for the palace's owner to reply."""
    owner = writer.state.active
    if owner is None:
        raise ValueError("Bribes are paid at a palace whose owner decides.")
    seat.to_move_phase, seat.deadline_set_at = writer.game.phase_no, writer.now
    seat.to_move_since, seat.full_time = writer.now, False
    set_deadline(seat, until, writer.now)
    writer.record(WaitBegan(seat.drawn_number, owner, until), Cause.RULES)


def _deadline(calendar: Calendar, shared: datetime, opened_at: datetime, now: datetime) -> Deadline:
    if now <= opened_at:
        return Deadline(shared, full=True)
    return deadlines.late_deadline(calendar, shared, now)


def set_deadline(seat: Seat, deadline_at: datetime, now: datetime) -> None:
    """Give a seat that is to move this deadline, of which its player is reminded."""
    seat.deadline_at = deadline_at
    seat.deadline_version += 1
    seat.seconds_left = None
    reminders.plan(seat, now)
