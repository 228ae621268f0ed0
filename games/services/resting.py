"""When nobody is left at a table its game rests (docs/play-over-days.md, 23).

`Writer` decides when; here is what happens then, and who would cause it.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from games.models import Cause, Game, OutboxMail, Seat, Sitting, User
from games.services import asking
from games.table_events import GameRested, GameWoken

if TYPE_CHECKING:
    from games.services.writer import Writer

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


def begin(writer: "Writer") -> None:
    """Let the game rest, and tell everybody who sat there last."""
    game = writer.game
    game.resting_since = writer.now
    for seat in writer.seats.values():
        seat.deadline_at = seat.seconds_left = None
    number = writer.note(GameRested(), Cause.RULES)
    told = game.mails.filter(kind=OutboxMail.Kind.GAME_RESTS)
    if not told.filter(created_at__gt=writer.now - MAILED_ONCE_IN).exists():
        for person in _who_sat_last(game):
            writer.mail_person(OutboxMail.Kind.GAME_RESTS, person, about=number)


def _who_sat_last(game: Game) -> list[User]:
    """The last person at each seat: whoever may come back, and whoever was replaced."""
    sittings = Sitting.objects.filter(seat__game=game).select_related("user")
    last = sittings.order_by("seat_id", "-began_at", "-pk").distinct("seat_id")
    return [sitting.user for sitting in last if sitting.user is not None]


def wake(writer: "Writer") -> None:
    """Let the game go on: whoever is asked is asked anew, as if the phase had just opened."""
    writer.game.resting_since = None
    asking.open_phase(writer.game, writer.seats.values(), writer.now)
    writer.note(GameWoken(), Cause.RULES)
