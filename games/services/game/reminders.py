"""When a player is reminded next: of their question, or of the end of the time for talk."""

from datetime import datetime

from django.db import transaction

from games.models import Game, Seat, User
from games.services.game.deadlines import Reminder, next_reminder
from games.services.game.hours import QuietHours


def following(seat: Seat, game: Game, now: datetime) -> Reminder | None:
    """The next reminder of a seat that is due after `now`, by the hours of its player; if any."""
    deadline_set_at, ends = seat.deadline_set_at, seat.deadline_at
    if game.talk_until is not None:
        deadline_set_at, ends = game.phase_opened_at, game.talk_until
    if ends is None:
        return None
    quiet = QuietHours.of(seat.user, game)
    return next_reminder(
        deadline_set_at=deadline_set_at or now, deadline_at=ends, after=now, quiet=quiet
    )


def plan_again(person: User, now: datetime) -> None:
    """Move the reminders that a person is still to get, who has other quiet hours or another zone.

    One that would have been due by now comes at once.
    """
    waiting = person.seats.filter(remind_at__isnull=False).values_list("pk", "game")
    for seat_id, game_id in waiting:
        with transaction.atomic(durable=True):
            game = Game.objects.lock(game_id)
            seat = game.seats.select_related("user").get(pk=seat_id)
            if seat.user_id != person.pk or seat.remind_at is None:
                continue
            reminder = following(seat, game, now)
            seat.remind_at = now if reminder is None else reminder.at
            seat.save(update_fields=["remind_at"])
