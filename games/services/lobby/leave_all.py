"""Leaving all tables at once: for somebody who may not play any more, for a while or for good."""

import logging
from contextlib import suppress
from datetime import datetime

from django.db import transaction

from games.models import Game, User
from games.services.game.writer import Writer
from games.services.lobby import tables
from games.services.refused import Refused

logger = logging.getLogger(__name__)


def leave_all_tables(person: User, now: datetime) -> None:
    """Leave the tables that wait for players, and be absent in the games that run.

    They may not play already, so that they can neither sit down nor come back meanwhile, and the
    writer marks them absent wherever it goes on. Each game has a transaction of its own, and one
    that fails stops no other: there it happens when the game goes on, as in one that is parked.
    """
    waiting = Game.objects.filter(status=Game.Status.WAITING, seats__user=person)
    for game_id in list(waiting.values_list("pk", flat=True)):
        with suppress(Refused):  # it has just started: then it is one of those below
            tables.leave(game_id=game_id, user=person)
    seated = Game.objects.in_play().filter(seats__user=person, seats__absent_since=None)
    for game_id in list(seated.values_list("pk", flat=True)):
        _go_on(game_id, now)


def _go_on(game_id: int, now: datetime) -> None:
    try:
        with transaction.atomic(durable=True):
            game = Game.objects.lock(game_id)
            if game.is_in_play:
                writer = Writer(game, now)
                writer.go_on()
                writer.commit()
    except Exception:
        logger.exception("Game %s cannot go on without somebody who may not play", game_id)
