"""The games that wait for a person, the nearest deadline first: for the head of every page."""

from datetime import datetime
from typing import NamedTuple

from games.models import Game, Seat, User


class WaitingGame(NamedTuple):
    """A game in which somebody is awaited."""

    token: str
    name: str
    deadline_at: datetime

    def get_absolute_url(self) -> str:
        return f"/tables/{self.token}/"


def waiting_games(user: User) -> list[WaitingGame]:
    """The games in which this person is awaited. One query; never a parked game."""
    seats = Seat.objects.filter(
        user=user,
        deadline_at__isnull=False,
        absent_since=None,
        game__status=Game.Status.RUNNING,
        game__parked_at=None,
        game__paused_at=None,
    ).order_by("deadline_at", "pk")
    rows = seats.values_list("game__token", "game__name", "deadline_at")
    return [WaitingGame(token, name, at) for token, name, at in rows if at is not None]
