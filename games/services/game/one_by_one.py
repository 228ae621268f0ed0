"""Changes many games, each in a transaction of its own: one that is stuck stops only itself."""

import time
from collections.abc import Callable
from copy import copy
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from games.models import Game
from games.services import site_state
from games.services.game import failures


def change_all(
    games: QuerySet[Game], change: Callable[[Game], object], now: datetime, until: float
) -> int:
    """Change these games, which the change takes out of them, one by one; how many were changed.

    One that somebody else has locked is left for another time. What goes wrong at one is noted with
    it, and it is passed over. Takes no more after `until` on the monotonic clock, nor when the
    clock rests by now.
    """
    left = games.select_for_update(skip_locked=True, no_key=True)
    changed = 0
    while time.monotonic() < until:
        game, went_well = _change_next(left.all(), change, now)
        if game is None:
            break
        if went_well:
            changed += 1
        else:
            left = left.exclude(pk=game.pk)
    return changed


def _change_next(
    games: QuerySet[Game], change: Callable[[Game], object], now: datetime
) -> tuple[Game | None, bool]:
    """Change the first of these games; which it was, None for none, and whether that went well."""
    as_read = None
    try:
        with transaction.atomic(durable=True):
            game = games.first()
            if game is None or site_state.clock_rests():
                return None, False
            as_read = copy(game)
            change(game)
    except Exception as failure:
        if as_read is None:
            raise
        failures.pass_over(as_read, failure, now)
        return as_read, False
    return game, True
