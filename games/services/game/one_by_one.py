"""Changes many games, each in a transaction of its own: one that is stuck stops only itself."""

import time
from collections.abc import Callable
from copy import copy
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.query import RawQuerySet

from games.models import Game
from games.services import site_state
from games.services.game import failures


def change_all(
    games: QuerySet[Game],
    change: Callable[[Game], object],
    now: datetime,
    until: float,
    most: int | None = None,
) -> int:
    """Change these games, which the change takes out of them, one by one; how many were changed.

    One that somebody else has locked is left for another time. What goes wrong at one is stored
    with it, and it is passed over. Takes no more after `until` on the monotonic clock, than `most`,
    nor when the clock stands still by now.
    """
    left = _first_unlocked(games)
    changed = 0
    while time.monotonic() < until and changed != most:
        game, went_well = _change_next(left, change, now)
        if game is None:
            break
        if went_well:
            changed += 1
        else:
            games = games.exclude(pk=game.pk)
            left = _first_unlocked(games)
    return changed


def _first_unlocked(games: QuerySet[Game]) -> "RawQuerySet[Game]":
    """The first of these games that nobody else has locked, locked; anew whenever it is read.

    Building this statement for each game would take a quarter of the time of a default.
    """
    ordered = games if games.ordered else games.order_by("pk")
    first = ordered.select_for_update(skip_locked=True, no_key=True)[:1]
    with transaction.atomic():  # Django builds no lock outside of one.
        return Game.objects.raw(*first.query.sql_with_params())


def _change_next(
    left: "RawQuerySet[Game]", change: Callable[[Game], object], now: datetime
) -> tuple[Game | None, bool]:
    """Change the next game; return its id, None for none, and whether that went well."""
    as_read = None
    try:
        with transaction.atomic(durable=True):
            game = next(left.iterator(), None)
            if game is None or site_state.clock_is_stopped():
                return None, False
            as_read = copy(game)
            change(game)
    except Exception as failure:
        if as_read is None:
            raise
        failures.pass_over(as_read, failure, now)
        return as_read, False
    return game, True
