"""What is done to a running game and is no move: by moderators, a vote of the table, the clock.

Each is one step of a `Writer`, notes what happened in the log and gives the number of that event;
whoever calls has settled whether it may be done, mails, and commits.
"""

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.models import Cause, Game, Order, OutboxMail, Seat, Sitting
from games.services import absence, asking, audit, notebook
from games.services.refused import Refused
from games.services.seats import begin_anew
from games.services.writer import Writer
from games.table_events import (
    DeadlineMoved,
    DefaultCalled,
    GameAbandoned,
    GameCancelled,
    GamePaused,
    GameResumed,
    HousePlayerSat,
    SeatReopened,
    SeatReturned,
)


def pause(writer: Writer, until: datetime | None, cause: Cause) -> int:
    """Stop the time of a game, until an instant or until somebody resumes it."""
    if writer.game.paused_at is not None:
        raise Refused(_("The game is paused already."))
    if until is not None and until <= writer.now:
        raise Refused(_("The end of the pause must lie ahead."))
    writer.game.paused_at, writer.game.paused_until = writer.now, until
    return writer.note(GamePaused(until), cause)


def resume(writer: Writer, cause: Cause) -> int:
    """Let time pass again; every awaited seat has what was left of its time."""
    game = writer.game
    if game.paused_at is None:
        raise Refused(_("The game is not paused."))
    number = writer.note(GameResumed(), cause)
    note_time_given_back(writer, game.paused_at, cause)
    if all(seat.seconds_left is None for seat in writer.waiting()):
        game.phase_opened_at = writer.now  # asked for the first time after a rewind
    game.paused_at = game.paused_until = None
    return number


def note_time_given_back(writer: Writer, paused_at: datetime, cause: Cause) -> None:
    """Note the deadlines of those who have again what was left of their time at the pause."""
    for seat in writer.waiting():
        if seat.seconds_left is not None and not seat.is_played_for():
            left = timedelta(seconds=seat.seconds_left)
            moved = DeadlineMoved(seat.drawn_number, paused_at + left, writer.now + left, "pause")
            writer.note(moved, cause)


def waiting_people(writer: Writer) -> list[Seat]:
    """The seats whose person has a deadline now."""
    return [
        seat
        for seat in writer.waiting()
        if seat.deadline_at is not None and not seat.is_played_for()
    ]


def move_deadline(
    writer: Writer, seat: Seat, after: datetime, cause: Cause, why: str = "moved"
) -> int:
    """Give the open question of a seat another deadline, ahead of now."""
    before = seat.deadline_at
    if before is None:
        raise Refused(_("This seat is not asked now."))
    if after <= writer.now:
        raise Refused(_("A deadline must lie ahead."))
    asking.give_deadline(seat, after, writer.now)
    return writer.note(DeadlineMoved(seat.drawn_number, before, after, why), cause)


def extend(writer: Writer, seat: Seat, time: timedelta, cause: Cause) -> int:
    """Give a seat more time: after its deadline, or from now on where that has passed."""
    if seat.deadline_at is None:
        raise Refused(_("This seat is not asked now."))
    return move_deadline(writer, seat, max(seat.deadline_at, writer.now) + time, cause)


def call_default(writer: Writer, seat: Seat, cause: Cause) -> int:
    """End the wait for a seat: what it ordered is played, or the default. That is no miss."""
    if seat not in waiting_people(writer):
        raise Refused(_("This seat is not asked now."))
    number = writer.note(DefaultCalled(seat.drawn_number), cause)
    writer.play_what_silence_plays(seat, cause)
    return number


def return_seat(writer: Writer, seat: Seat, cause: Cause) -> int:
    """Wait for the person at this seat again."""
    if seat.absent_since is None or seat.user is None:
        raise Refused(_("Nobody is absent from this seat."))
    if not seat.user.may_play(writer.now):
        raise Refused(_("This person is suspended or banned."))
    begin_anew(seat)
    return writer.note(SeatReturned(seat.drawn_number), cause)


def seat_house_player(writer: Writer, seat: Seat, house_player: str, cause: Cause) -> int:
    """Let a house player play a seat for good, in place of whoever sits there."""
    if seat.house_player:
        raise Refused(_("A house player sits here already."))
    stand_up(writer, seat)
    seat.house_player = house_player
    return writer.note(HousePlayerSat(seat.drawn_number), cause)


def reopen_seat(writer: Writer, seat: Seat, cause: Cause) -> int:
    """Let whoever sits here go, and look for a substitute; until then the table's choice plays."""
    if seat.pk not in _held_by_people(writer.game):
        raise Refused(_("No person has ever sat here: the seat belongs to a house player."))
    stand_up(writer, seat)
    seat.absent_since = writer.now
    number = writer.note(SeatReopened(seat.drawn_number), cause)
    absence.look_for_substitute(writer, seat)
    return number


def _held_by_people(game: Game) -> set[int]:
    sittings = Sitting.objects.filter(seat__game=game)
    return set(sittings.values_list("seat_id", flat=True))


def stand_up(writer: Writer, seat: Seat) -> None:
    """Take the seat from its player: their orders, drafts and notes are void."""
    if seat.pk in writer.orders:
        writer.orders[seat.pk].drop_all()
    Sitting.objects.filter(seat=seat, ended_at=None).update(ended_at=writer.now)
    if seat.user is not None:
        notebook.void(writer.game, seat.user)
    seat.user, seat.house_player = None, ""
    begin_anew(seat)


def cancel(writer: Writer, cause: Cause) -> int:
    """End the game without a winner. Nothing of it is taken away."""
    game = writer.game
    number = writer.note(GameCancelled(), cause)
    game.status = Game.Status.CANCELLED
    game.paused_at = game.paused_until = game.parked_at = game.retry_at = None
    game.resting_since = None
    game.finished_at = writer.now
    all_orders(game).delete()
    writer.orders.clear()
    return number


def give_up(game: Game, now: datetime) -> None:
    """End a locked game that nobody has come back to for too long. It counts for nobody."""
    writer = Writer(game, now)
    writer.note(GameAbandoned(), Cause.CLOCK)
    game.status = Game.Status.ABANDONED
    game.resting_since = game.paused_at = game.paused_until = None
    game.finished_at = now
    audit.note("abandon", now=now, who=audit.CLOCK, game=game)
    writer.commit()


def all_orders(game: Game) -> QuerySet[Order]:
    return Order.objects.filter(seat__game=game)


def tell_table(writer: Writer, about: int) -> None:
    """Mail everybody at the table what was done; `about` is the number of its event."""
    for seat in writer.seats.values():
        writer.mail(OutboxMail.Kind.TABLE_NEWS, seat, about=about)
