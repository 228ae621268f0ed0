"""The clock: plays defaults when deadlines pass, and reminds. Safe to run twice, late, or beside
another clock."""

import logging
import time
import traceback
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from games.models import Game, OutboxMail, Seat, User
from games.services import outbox
from games.services.writer import Writer

logger = logging.getLogger(__name__)

MOST_SECONDS: Final = 10
RETRIES: Final = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))
"""How long a game that cannot be advanced is left alone, before it is parked."""


def sweep(*, now: datetime) -> int:
    """Advance every game whose deadline has passed and write reminders; how many games advanced.

    Each game has a transaction of its own. A game that fails stops no other. Stops taking new
    games after `MOST_SECONDS`; the next sweep goes on.
    """
    until = time.monotonic() + MOST_SECONDS
    advanced = 0
    while time.monotonic() < until:
        game_id = _advance_next(now)
        if game_id is None:
            break
        advanced += 1
    _remind(now)
    return advanced


def _advance_next(now: datetime) -> int | None:
    """Advance the game that is longest overdue and that nobody else holds; its id."""
    game_id = None
    try:
        with transaction.atomic(durable=True):
            game = Game.objects.due(now).select_for_update(skip_locked=True).first()
            if game is None:
                return None
            game_id = game.pk
            advance(game, now)
    except Exception as failure:
        logger.exception("Game %s cannot be advanced", game_id)
        if game_id is None:
            raise
        note_failure(game_id, failure, now)
    return game_id


def advance(game: Game, now: datetime) -> None:
    """Play the default of each person who is due, and the moves of house players that follow."""
    writer = Writer(game, now)
    writer.play_house_players()
    seat = writer.seat_due()
    if seat is not None and seat.user is not None:
        writer.play_default(seat)
        writer.play_house_players()
    writer.commit()


def note_failure(game_id: int, failure: Exception, now: datetime) -> None:
    """Leave the game alone for a while, or park it after the last retry and tell the moderators.

    Only the kind and the place of the error are kept: its text might tell a secret.
    """
    places = [f"{at.filename}:{at.lineno}" for at in traceback.extract_tb(failure.__traceback__)]
    with transaction.atomic(durable=True):
        game = Game.objects.lock(game_id)
        game.error = "\n".join([*places, type(failure).__name__])
        if game.attempts < len(RETRIES):
            game.retry_at = now + RETRIES[game.attempts]
            game.attempts += 1
        else:
            game.parked_at, game.deadline_at = now, None
            for moderator in User.objects.filter(is_staff=True, is_active=True):
                outbox.enqueue(OutboxMail.Kind.GAME_PARKED, game=game, person=moderator, now=now)
        game.save()


def _remind(now: datetime) -> None:
    """Write the reminders that are due, each once for a deadline."""
    for seat_id, game_id in Seat.objects.reminder_due(now).values_list("pk", "game_id")[:1000]:
        with transaction.atomic(durable=True):
            game = Game.objects.lock(game_id)
            seat = Seat.objects.select_related("user").get(pk=seat_id)
            if seat.remind_at is not None and seat.remind_at <= now:
                outbox.enqueue(
                    OutboxMail.Kind.REMINDER,
                    game=game,
                    person=seat.user,
                    now=now,
                    deadline_version=seat.deadline_version,
                )
                seat.remind_at = None
                seat.save(update_fields=["remind_at"])
