"""The games that wait for a person, the nearest deadline first: for the head of every page."""

from datetime import datetime
from typing import Final, NamedTuple

from games.models import Game, Seat, User
from games.services.sql import select, table


class WaitingGame(NamedTuple):
    """A game in which somebody is awaited.

    `version` rises whenever their deadline there changes; they were asked at `deadline_set_at`.
    """

    token: str
    name: str
    deadline_at: datetime
    version: int
    deadline_set_at: datetime | None
    game_id: int
    seat_number: int

    def get_absolute_url(self) -> str:
        return f"/tables/{self.token}/"


def waiting_games(user: User) -> list[WaitingGame]:
    """The games in which this person is awaited. One query; never a parked game."""
    return [WaitingGame(*row) for row in select(_WAITING, {"user": user.pk})]


_WAITING: Final = f"""
SELECT game.token, game.name, seat.deadline_at, seat.deadline_version, seat.deadline_set_at,
    game.id, seat.number
FROM {table(Seat)} seat JOIN {table(Game)} game ON game.id = seat.game_id
WHERE seat.user_id = %(user)s AND seat.deadline_at IS NOT NULL AND seat.absent_since IS NULL
    AND game.status = '{Game.Status.RUNNING}'
    AND game.parked_at IS NULL AND game.paused_at IS NULL
ORDER BY seat.deadline_at, seat.id
"""  # noqa: S608 - only names of our own tables and columns
