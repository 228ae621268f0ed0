"""A game falls dormant when nobody is left at its table (docs/play-over-days.md, 23).

The writer looks at it before it plays anything by itself, and again when it commits.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from games.engine import Stage
from games.models import Cause, Game, Seat, Sitting, User
from games.services.game import talk_time, to_move
from games.services.game.locked_game import LockedGame
from games.table_events import GameRested, GameWoken

EMAILED_ONCE_IN: Final = timedelta(hours=24)
"""However often the players come and go, they are not emailed more often than that."""


def fall_dormant_or_wake(locked: LockedGame) -> None:
    """Let the game fall dormant where nobody is left at the table, and wake it when somebody is."""
    game = locked.game
    if not game.is_in_play or locked.state.stage is Stage.OVER:
        return
    nobody = not any(seat.is_present() for seat in locked.seats.values())
    if nobody and game.dormant_since is None:
        _fall_dormant(locked)
    elif not nobody and game.dormant_since is not None:
        game.clock = game.clock.wake()
        to_move.open_phase(locked)  # all who are to move begin anew
        locked.record(GameWoken(), Cause.RULES)
        if game.is_negotiation_time:
            talk_time.begin(locked)


def _fall_dormant(locked: LockedGame) -> None:
    """Stop the clock, and email everybody who sat here last."""
    locked.game.clock = locked.game.clock.fall_dormant(locked.now)
    to_move.forget_deadlines(locked.seats.values())
    number = locked.record(GameRested(), Cause.RULES)
    if not _emailed_lately(locked.game, locked.now):
        for person in _last_people(locked.game):
            locked.email_person("game_rests", person, about=number)


def nobody_would_be_left(seats: Iterable[Seat], without: int | None) -> bool:
    """Whether the person at the seat with this number is the only one present."""
    return [seat.number for seat in seats if seat.is_present()] == [without]


def tables_dormant_without(person: User) -> list[Game]:
    """The games that fall dormant when this person leaves all their seats, the oldest first."""
    games = Game.objects.in_play().filter(seats__user=person, seats__absent_since=None)
    return [
        game
        for game in games.defer("state").prefetch_related("seats").order_by("pk")
        if nobody_would_be_left(
            game.seats.all(), next(s.number for s in game.seats.all() if s.user_id == person.pk)
        )
    ]


def _emailed_lately(game: Game, now: datetime) -> bool:
    """Whether its players got email not long ago that the game is dormant."""
    emails = game.emails.filter(kind="game_rests")
    return emails.filter(created_at__gt=now - EMAILED_ONCE_IN).exists()


def _last_people(game: Game) -> list[User]:
    """The last person at each seat: those who may come back, and those who were replaced."""
    sittings = Sitting.objects.filter(seat__game=game).select_related("user")
    last = sittings.order_by("seat_id", "-began_at", "-pk").distinct("seat_id")
    return [sitting.user for sitting in last if sitting.user is not None]
