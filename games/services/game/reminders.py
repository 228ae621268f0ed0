"""When a player is reminded next: of their deadline, or of the end of the negotiation time."""

from datetime import datetime

from django.db import transaction

from games.models import Game, Seat, User
from games.services.game.deadlines import Reminder, next_reminder
from games.services.game.hours import QuietHours


def following(seat: Seat, game: Game, now: datetime) -> Reminder | None:
    """The next reminder of a seat that is due after `now`, by the hours of its player; if any."""
    ends = game.talk_until or seat.deadline_at
    if ends is None or seat.user is None:
        return None
    quiet = QuietHours.of(seat.user, game)
    return next_reminder(
        deadline_set_at=seat.deadline_set_at or now, deadline_at=ends, after=now, quiet=quiet
    )


def plan(seat: Seat, now: datetime) -> None:
    """Remind the player of a seat the next time that is due after `now`, if any."""
    reminder = following(seat, seat.game, now)
    seat.remind_at = None if reminder is None else reminder.at


def plan_again(person: User, now: datetime) -> None:
    """Move the reminders that a person is still to get, who has other quiet hours or another zone.

    One that would have been due by now comes at once. The person may be locked; the games are,
    in the order of their numbers.
    """
    waiting = (
        person.seats.filter(remind_at__isnull=False).order_by("game").values_list("pk", "game")
    )
    for seat_id, game_id in waiting:
        with transaction.atomic():
            game = Game.objects.lock(game_id)
            seat = game.seats.select_related("user").get(pk=seat_id)
            if seat.user_id != person.pk or seat.remind_at is None:
                continue
            reminder = following(seat, game, now)
            seat.remind_at = now if reminder is None else reminder.at
            seat.save(update_fields=["remind_at"])
