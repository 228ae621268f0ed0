"""When nobody is left at a table its game rests (docs/play-over-days.md, 23).

`Writer` lets it rest; here is when, and whose leaving would cause it.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from games.models import Game, Seat, Sitting, User

MAILED_ONCE_IN: Final = timedelta(hours=24)
"""However often the players come and go, they are not mailed more often than that."""


def nobody_is_left(seats: Iterable[Seat]) -> bool:
    """Whether no present person holds one of these seats, which are all of a table."""
    return all(seat.is_played_for() for seat in seats)


def nobody_would_be_left(seats: Iterable[Seat], without: int | None) -> bool:
    """Whether the person at the seat with this number is the only one present."""
    return [seat.number for seat in seats if not seat.is_played_for()] == [without]


def tables_without(person: User) -> list[Game]:
    """The games that come to rest when this person leaves all their seats, the oldest first."""
    games = Game.objects.in_play().filter(seats__user=person, seats__absent_since=None)
    return [
        game
        for game in games.defer("state").prefetch_related("seats").order_by("pk")
        if nobody_would_be_left(
            game.seats.all(), next(s.number for s in game.seats.all() if s.user_id == person.pk)
        )
    ]


def emailed_lately(game: Game, now: datetime) -> bool:
    """Whether its players were told by email not long ago that the game rests."""
    text = game.mails.filter(kind="game_rests")
    return text.filter(created_at__gt=now - MAILED_ONCE_IN).exists()


def who_sat_last(game: Game) -> list[User]:
    """The last person at each seat: whoever may come back, and whoever was replaced."""
    sittings = Sitting.objects.filter(seat__game=game).select_related("user")
    last = sittings.order_by("seat_id", "-began_at", "-pk").distinct("seat_id")
    return [sitting.user for sitting in last if sitting.user is not None]
