"""Interventions in a running game that are no moves: by moderators, a vote, the clock.

Each is one step of a `Writer`, records an event and returns its number; the caller has settled
whether it may be done, emails, and commits.
"""

from datetime import datetime

from django.utils.translation import gettext as _

from games.models import Cause, Clock, Game, Seat, Sitting
from games.services import audit, live
from games.services.game import absence, moved_deadlines, notes
from games.services.game.seats import begin_anew
from games.services.game.writer import Writer
from games.services.people import blocks
from games.services.refused import Refused
from games.table_events import (
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
    writer.game.clock = writer.game.clock.pause(writer.now, until)
    return writer.record(GamePaused(until), cause)


def resume(writer: Writer, cause: Cause) -> int:
    """Let time pass again; everybody in the phase has what was left of their time."""
    paused_at = writer.game.paused_at
    if paused_at is None:
        raise Refused(_("The game isn't paused."))
    number = writer.record(GameResumed(), cause)
    writer.game.clock = writer.game.clock.resume()
    moved_deadlines.give_time_back(writer, paused_at, cause)
    return number


def call_default(writer: Writer, seat: Seat, cause: Cause) -> int:
    """End the wait for a seat: what it ordered is played, or the default. That is no miss."""
    if seat not in moved_deadlines.open_deadlines(writer):
        raise Refused(_("It's not this seat's turn."))
    number = writer.record(DefaultCalled(seat.drawn_number), cause)
    if seat.reply_until is not None:
        seat.reply_until = None  # whatever it wants to play is played next
    else:
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
    """Let a computer player play a seat for good, in place of its player."""
    if seat.computer_player:
        raise Refused(_("A computer player already has this seat."))
    stand_up(writer, seat)
    seat.computer_player = computer_player
    return writer.record(HousePlayerSat(seat.drawn_number), cause)


def reopen_seat(writer: Writer, seat: Seat, cause: Cause) -> int:
    """Free a seat and look for a substitute; until then the table's computer player plays."""
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
    """Give a seat back to the person who sat there last, as if they had never left it.

    From a computer player too; their turn comes with the next decision. Their days off are as they
    were, and what is void stays so: orders, drafts and notes. `Refused` where somebody has the
    seat, or this person may not play, or not with the players there now.
    """
    sitting = left_seats(writer.game.pk).get(seat.drawn_number)
    person = None if sitting is None else sitting.user
    if sitting is None or person is None:
        raise Refused(_("There's nobody to give this seat back to."))
    if not person.may_play(writer.now):
        raise Refused(_("This person is suspended or banned."))
    if writer.game.seats.filter(user__in=blocks.at_odds_with([person])).exists():
        raise Refused(_("This person can't be seated with one of the current players."))
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
    number = writer.record(GameCancelled(), cause)
    _end(writer, Game.Status.CANCELLED)
    writer.drop_orders()
    return number


def give_up(game: Game, now: datetime) -> None:
    """End a locked game that nobody has come back to for too long. It counts for nobody."""
    writer = Writer(game, now)
    writer.record(GameAbandoned(), Cause.CLOCK)
    _end(writer, Game.Status.ABANDONED)
    audit.write("game.abandon", now=now, who=audit.CLOCK, game=game)
    writer.commit()


def _end(writer: Writer, status: Game.Status) -> None:
    game = writer.game
    game.status, game.clock, game.finished_at = status, Clock(), writer.now


def email_table(writer: Writer, about: int) -> None:
    """Email everybody at the table about it; `about` is the number of its event."""
    for seat in writer.seats.values():
        writer.email("table_news", seat, about=about)
