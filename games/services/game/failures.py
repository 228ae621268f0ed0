"""Failures of games: each stops its own game, and no other.

A mistake in the game or in our code is stored with the game, which is left alone for a while and
parked in the end. Trouble of the database, and the time limit of a task, are no game's fault: they
are never stored, and clear up by themselves.
"""

import logging
import traceback
from datetime import datetime, timedelta
from typing import Final

from celery.exceptions import SoftTimeLimitExceeded
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import QuerySet
from psycopg.errors import (
    DeadlockDetected,
    DiskFull,
    LockNotAvailable,
    QueryCanceled,
    SerializationFailure,
)

from games.models import Game
from games.services import live, outbox, roles

logger = logging.getLogger(__name__)

RETRIES: Final = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=30))
"""How long a game that cannot be advanced is left alone, before it is parked."""

COLUMNS_OF_A_CHANGE: Final = ("state", "deadline_at", "attempts")
"""The columns that differ once a game was advanced, or its failure stored."""

NO_FAULT_OF_A_GAME: Final = (OperationalError, InterfaceError, SoftTimeLimitExceeded)

TROUBLE_OF_ONE_STATEMENT: Final = (
    QueryCanceled, LockNotAvailable, DeadlockDetected, SerializationFailure, DiskFull,
)  # fmt: skip
"""Trouble of the database after which the next game may do better."""

ALARM_LOCK: Final = 7_163_082_412
"""The number of the advisory lock under which alarms are raised: one that nobody else uses."""


def raise_unless_local(failure: Exception) -> None:
    """Let trouble of all games go up: a task out of time, a database that does not answer."""
    of_one_statement = isinstance(failure.__cause__, TROUBLE_OF_ONE_STATEMENT)
    if isinstance(failure, NO_FAULT_OF_A_GAME) and not of_one_statement:
        raise failure


def pass_over(as_read: Game, failure: Exception, now: datetime) -> None:
    """Store the failure of a game, which was `as_read` before; raise trouble of all games again.

    Trouble of the database is only logged: the next sweep tries again.
    """
    raise_unless_local(failure)
    logger.error("%s is passed over", as_read, exc_info=failure)
    if not isinstance(failure, NO_FAULT_OF_A_GAME):
        record_failure(as_read, failure, now)


def record_failure(as_read: Game, failure: Exception, now: datetime) -> None:
    """Leave the game alone for a while, or park it after the last retry and email the moderators.

    Does nothing where the game is not as it was read when it failed: somebody has advanced it since
    then, has stored the failure, or works on it now. Only the kind and the place of the error are
    kept: its text might reveal a secret.
    """
    places = [f"{at.filename}:{at.lineno}" for at in traceback.extract_tb(failure.__traceback__)]
    with transaction.atomic(durable=True):
        unlocked = Game.objects.select_for_update(skip_locked=True, no_key=True)
        game = unlocked.filter(pk=as_read.pk).first()
        if game is None or any(
            getattr(game, mark) != getattr(as_read, mark) for mark in COLUMNS_OF_A_CHANGE
        ):
            return
        game.error = "\n".join([*places, type(failure).__name__])
        if game.attempts < len(RETRIES):
            game.retry_at = now + RETRIES[game.attempts]
            game.attempts += 1
        elif game.status == Game.Status.RUNNING:
            _park(game, now)
        else:
            game.retry_at = now + RETRIES[-1]
        game.save()


def _park(game: Game, now: datetime) -> None:
    """Park a game; email the moderators once for all games that fail for one reason."""
    game.clock, game.deadline_at = game.clock.park(now), None
    live.table_changed(game.pk)
    with connection.cursor() as cursor:  # until the end of the transaction, one after the other
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ALARM_LOCK])
    if parked_for_the_same(game).exists():
        return
    for moderator in roles.moderators():
        outbox.enqueue("game_parked", game=game, person=moderator, now=now)


def failing_since(game: Game) -> datetime | None:
    """Since when a game hasn't gone on: it is parked, or left alone before the next try."""
    if game.parked_at is not None or game.retry_at is None:
        return game.parked_at
    return game.retry_at - sum(RETRIES[: game.attempts], timedelta())


def kind_of(game: Game) -> str:
    """The kind of the last stored error; "" for none."""
    return "".join(game.error.splitlines()[-1:])


def cause_of(game: Game) -> str:
    """The reason why a game was parked: the place where the error was raised, and its kind."""
    return "\n".join(game.error.splitlines()[-2:])


def parked_for_the_same(game: Game) -> QuerySet[Game]:
    """The other games that are parked for the same reason, the longest first."""
    parked = Game.objects.parked()
    same = parked.filter(error__endswith=cause_of(game)) if game.error else parked.none()
    return same.exclude(pk=game.pk)
