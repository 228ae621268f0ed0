"""People who have made so many of their moves in time, for tests."""

from datetime import datetime

from django.utils import timezone

from games.models import Cause, Game, Miss, Move, User
from games.services.lobby import tables
from tests.support.tables import table_settings

FIRST_PHASE = 1000
"""Far from the phases of what is really played there."""


def has_played(user: User, moved: int, missed: int = 0, at: datetime | None = None) -> Game:
    """Let somebody have moved in time so often, and missed so many deadlines, in a game alone."""
    at = at or timezone.now()
    game = tables.open_table(host=user, settings=table_settings(size=3), now=at)
    tables.start_with_computer_players(
        game_id=game.pk, user=user, computer_player="default", now=at
    )
    seat, phases = game.seats.get(user=user), range(FIRST_PHASE, FIRST_PHASE + moved + missed)
    Move.objects.bulk_create(
        Move(game=game, phase_no=no, seat=seat, user=user, move={}, cause=Cause.PLAYER, at=at)
        for no in phases[:moved]
    )
    Miss.objects.bulk_create(
        Miss(user=user, seat=seat, phase_no=no, at=at) for no in phases[moved:]
    )
    return game
