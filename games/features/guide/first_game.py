"""The guided first game: one person against three computer players, explained stage by stage."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine.teacher import TEACHER
from games.models import Game, User
from games.services.lobby import tables
from games.services.lobby.settings import TableSettings
from games.services.people import joining

EDITION: Final = "mayfair-2005"
ROUNDS: Final = 3
"""Enough to be paid for what one won, and over in ten minutes."""

TEACHERS: Final = (TEACHER, TEACHER, TEACHER)


def begin(*, user: User, now: datetime) -> Game:
    """Open and start a guided game; the running one where the person has one already."""
    with transaction.atomic(durable=True):
        joining.lock_person(user, now)
        guided = Game.objects.in_play().filter(guided=True, seats__user=user)
        running = guided.order_by("pk").first()
        if running is not None:
            return running
        joining.refuse_too_many_games(user)
        tables.refuse_one_more(user, now, guided=True)
        game = tables.make(_settings(user), host=user, now=now, guided=True)
        tables.start_against(game, TEACHERS, now)
    return game


def end_guiding(*, game_id: int, user: User) -> None:
    """Explain nothing more until this game ends. Only its player may; closed already is no error.

    It stays a first game: it is found again, counts for nothing, and can be kept at its end.
    """
    Game.objects.filter(pk=game_id, guided=True, seats__user=user).update(guide_closed=True)


def _settings(user: User) -> TableSettings:
    return TableSettings(
        name=_("First game"),
        edition=EDITION,
        options={"rounds": ROUNDS},
        size=1 + len(TEACHERS),
        move_time=Game.NO_DEADLINES,
        time_zone=user.time_zone,
    )
