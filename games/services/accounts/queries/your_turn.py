"""The games that wait for a person, the nearest deadline first: for the head of every page."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from games.models import Game, Seat, User


class WaitingGame(NamedTuple):
    """A game in which it is somebody's turn.

    `version` rises whenever their deadline there changes; it was set at `deadline_set_at`.
    """

    token: str
    name: str
    deadline_at: datetime
    version: int
    deadline_set_at: datetime | None
    game_id: int
    seat_number: int
    move_seconds: int

    @property
    def has_deadline(self) -> bool:
        """Whether its `deadline_at` is one: a game without deadlines has a far day instead."""
        return self.move_seconds < Game.NO_DEADLINES.total_seconds()

    def get_absolute_url(self) -> str:
        return f"/tables/{self.token}/"


def waiting_games(user: User) -> list[WaitingGame]:
    """The games in which it is this person's turn. One query; never a parked game."""
    to_move = Seat.objects.filter(user=user, deadline_at__isnull=False, absent_since=None)
    going_on = to_move.filter(
        game__status=Game.Status.RUNNING, game__parked_at=None, game__paused_at=None
    )
    rows: Iterable[tuple[Any, ...]] = going_on.order_by("deadline_at", "pk").values_list(
        "game__token",
        "game__name",
        "deadline_at",
        "deadline_version",
        "deadline_set_at",
        "game",
        "number",
        "game__move_seconds",
    )
    return [WaitingGame(*row) for row in rows]
