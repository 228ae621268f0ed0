"""What players do about their seat in a running game: step aside, come back, take over, days off.

The request with the same `token` does it once: later it changes nothing, whatever was done since.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Cause, DaysOff, Game, Seat, SecretsRevealed, Sitting, User
from games.services import live
from games.services.game import absence, notes, once, talk_time, to_move
from games.services.game.hours import ONE_DAY
from games.services.game.private_offers import belong
from games.services.game.read_seats import Days
from games.services.game.writer import Writer
from games.services.people import blocks, conditions, joining, sanctions
from games.services.refused import Refused
from games.table_events import SeatReturned, SubstituteSat
from games.zones import zone_of


def step_aside(*, game_id: int, user: User, now: datetime, token: UUID | None = None) -> None:
    """Leave one's seat to a substitute; until one sits, the table's computer player plays for it.

    One's orders, drafts and notes are void. One may come back until then. Stepping aside twice is
    no error.
    """
    with _writing(game_id, user, now, token) as writer:
        if writer is None:
            return
        seat = _own_seat(writer, user)
        if seat.absent_since is None:
            absence.mark_absent(writer, seat, Cause.PLAYER)


def come_back(*, game_id: int, user: User, now: datetime, token: UUID | None = None) -> None:
    """Take one's absent seat again. Moves that were played stand. Twice is no error."""
    with _writing(game_id, user, now, token) as writer:
        if writer is None:
            return
        seat = _own_seat(writer, user)
        if seat.absent_since is not None:
            sanctions.refuse_who_may_not_play(User.objects.get(pk=user.pk), now)
            begin_anew(seat)
            writer.record(SeatReturned(seat.drawn_number), Cause.PLAYER)


def take_over(
    *, game_id: int, number: int, user: User, now: datetime, token: UUID | None = None
) -> None:
    """Sit down as a substitute at an absent seat, or at one whose player has no account any more.

    Refused to a person who sits or has sat at this table, has seen its secrets, does not play with
    somebody there, or of whom the table asks more. The leaver's orders are void already; their
    drafts and notes are from now on.
    """
    with _writing(game_id, user, now, token, is_newcomer=True) as writer:
        if writer is None:
            return
        if writer.game.closed_to_newcomers:
            raise Refused(_("This table isn't taking new players."))
        seat = writer.seats.get(number)
        if seat is None or not seat.wants_substitute():
            raise Refused(_("This seat doesn't need a substitute right now."))
        if Sitting.objects.filter(seat__game=game_id, user=user).exists():
            raise Refused(
                _(
                    "You have, or used to have, a seat at this table, so the substitute must be "
                    "someone else."
                )
            )
        refuse_after_revealed_secrets(writer.game, user)
        blocks.refuse_at_odds(writer.game, user, leaves=seat)
        conditions.refuse_unless_met(writer.game, user, now)
        Sitting.objects.filter(seat=seat, ended_at=None).update(ended_at=now)
        if seat.user is not None:
            notes.void(writer.game, seat.user)
        Sitting.objects.create(seat=seat, user=user, began_at=now)
        belong(writer.game, number, user)
        live.people_concerned([seat.user_id, user.pk])
        writer.seat_substitute(seat, user)
        begin_anew(seat)
        seat.days_off_left = writer.game.days_off
        seat.days_off.all().delete()
        writer.record(SubstituteSat(number), Cause.SUBSTITUTE)


def begin_anew(seat: Seat) -> None:
    """Begin anew with a player at a seat: no misses, and the full time for their next move."""
    seat.absent_since = None
    seat.ready_phase = 0
    seat.missed = []
    seat.reply_until = None
    to_move.forget_deadlines([seat])


def say_ready(
    *, game_id: int, user: User, ready: bool, now: datetime, token: UUID | None = None
) -> None:
    """Say that one needs no more negotiation time, or take it back; twice is no error.

    `Refused` to players whom the bribes of this turn don't concern.
    """
    with _writing(game_id, user, now, token) as writer:
        if writer is None:
            return
        game = writer.game
        if not game.is_negotiation_time or not game.is_going_on:
            raise Refused(_("There's no negotiation time right now."))
        people = talk_time.concerned(writer.state, writer.seats, game)
        own = next((one.seat for one in people if one.seat.user_id == user.pk), None)
        if own is None:
            raise Refused(
                _("You aren't involved in this turn's bribes, so nobody is waiting for you.")
            )
        own.ready_phase = game.phase_no if ready else 0


def announce_days_off(
    *,
    game_id: int,
    user: User,
    first_day: date,
    last_day: date,
    now: datetime,
    token: UUID | None = None,
) -> None:
    """Announce days on which one does not play, both included, in one's own zone.

    They come out of the seat's budget and count for decisions that open from now on.
    """
    today = now.astimezone(zone_of(user.time_zone)).date()
    if not today <= first_day <= last_day:
        raise Refused(_("Days off can't start before today, or end before they start."))
    days = (last_day - first_day).days + 1
    with _writing(game_id, user, now, token) as writer:
        if writer is None:
            return
        seat = _own_seat(writer, user)
        if days > seat.days_off_left:
            text = ngettext(
                "You have {left} day off left, but this would use {days}.",
                "You have {left} days off left, but this would use {days}.",
                seat.days_off_left,
            )
            raise Refused(text.format(left=seat.days_off_left, days=days))
        if seat.days_off.filter(first_day__lte=last_day, last_day__gte=first_day).exists():
            raise Refused(_("You've already announced days off that overlap with these."))
        off = DaysOff.objects.create(
            seat=seat, first_day=first_day, last_day=last_day, announced_at=now
        )
        announced = Days(off.pk, first_day, last_day, now)
        writer.set_days_off(seat, [*writer.days_off[seat.pk], announced])
        seat.days_off_left -= days


def withdraw_days_off(
    *, game_id: int, user: User, days_off_id: int, now: datetime, token: UUID | None = None
) -> None:
    """Take back days off that have not begun: they count for no deadline that is set from now on.

    The budget gets back those with which none was counted yet. Not while one is to move: the
    deadline is counted with them already.
    """
    today = now.astimezone(zone_of(user.time_zone)).date()
    with _writing(game_id, user, now, token) as writer:
        if writer is None:
            return
        seat = _own_seat(writer, user)
        if writer.game.is_negotiation_time:
            raise Refused(_("You can cancel your days off once the negotiation time is over."))
        if seat.deadline_at is not None or seat.seconds_left is not None:
            raise Refused(_("It's your turn: move first, then cancel your days off."))
        announced = seat.days_off.filter(pk=days_off_id, first_day__gt=today).first()
        if announced is not None:
            spent = announced.given_until or announced.first_day - ONE_DAY
            seat.days_off_left += (announced.last_day - spent).days
            before = to_move.calendars_of(writer)[seat.drawn_number]
            kept = [days for days in writer.days_off[seat.pk] if days.pk != announced.pk]
            writer.set_days_off(seat, kept)
            after = to_move.calendars_of(writer)[seat.drawn_number]
            to_move.take_days_back(writer.game, seat, before, after)
            announced.delete()


@contextmanager
def _writing(
    game_id: int, user: User, now: datetime, token: UUID | None, *, is_newcomer: bool = False
) -> Iterator[Writer | None]:
    """The writer of a running game; what the block changes is committed at its end.

    None if the request with this token was carried out. Also while the game is paused or dormant:
    then nothing is played, but people come and go. A newcomer is locked before the game, as by
    everybody who sits down.
    """
    with transaction.atomic(durable=True):
        if is_newcomer:
            joining.lock_person(user, now)
        game = Game.objects.lock(game_id)
        if once.is_done(user, token):
            yield None
            return
        once.mark_done(user, token, now)
        if is_newcomer:
            joining.refuse_too_many_games(user)
        if not game.is_in_play:
            raise Refused(_("This game isn't running."))
        writer = Writer(game, now)
        yield writer
        writer.go_on()
        writer.commit()
        live.table_changed(game_id)


def _own_seat(writer: Writer, user: User) -> Seat:
    for seat in writer.seats.values():
        if seat.user_id == user.pk:
            return seat
    raise Refused(_("You don't have a seat at this table."))


def refuse_after_revealed_secrets(game: Game, user: User) -> None:
    """Refuse a person who has seen the secrets of the table."""
    if SecretsRevealed.objects.filter(game=game, moderator=user).exists():
        raise Refused(_("You've seen secret information at this table, so you can't play here."))
