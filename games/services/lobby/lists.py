"""Tables to find: open ones to join, running ones to watch, finished ones to look at.

Whoever has no account (`user` is None) finds only those that are open to strangers.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Prefetch, QuerySet

from games.engine import view
from games.models import Game, Seat, User
from games.models.game import GameQuerySet
from games.presentation.board.small_board import SmallBoard, small_board
from games.presentation.board.turn_summary import result_text
from games.presentation.text.tables import language_name
from games.presentation.text.words import People
from games.services.game.unreadable import state_of
from games.services.lobby import strangers
from games.services.lobby.marks import what_differs
from games.services.lobby.queries import listed_games, pace_of
from games.services.lobby.wanted import Order, Wanted, in_order
from games.services.people.blocks import not_for
from games.services.people.conditions import unmet_by
from games.services.people.display_names import (
    Seated,
    read_titles,
    seat_names,
    seated,
    table_description,
)
from games.services.people.reliability import Reliability, in_time_text, reliability_of

SHOWN: Final = 50


class OpenTable(NamedTuple):
    """A table that anybody may join: who sits there, how fast it is, and what they write in.

    `differs` are a few words on whatever isn't as usual there. `unmet` is why the reader may not
    take a seat at a table that asks for more moves made in time.
    """

    game: Game
    seated: list[Seated]
    free: int
    pace: str
    language: str
    differs: list[str]
    description: str
    unmet: str


class ShownGame(NamedTuple):
    """A game to watch, or a finished one: who plays, and how far it is or who has won.

    `computers` is in how many of the seats computer players play.
    """

    game: Game
    players: list[tuple[str, str]]
    computers: int
    board: SmallBoard
    result: str


def open_tables(
    user: User | None, wanted: Wanted, now: datetime, order: Order = Order.SOONEST
) -> list[OpenTable]:
    """Tables that `user` may join, and at which they do not sit yet."""
    waiting = strangers.waiting_for_strangers() if user is None else listed_games(user)
    games = list(in_order(wanted.among(waiting), order).prefetch_related(_SEATS)[:SHOWN])
    read_titles(games)
    known: dict[int, Reliability] = {}
    if user is not None and games:
        seats = [seat for game in games for seat in game.seats.all()]
        people = {seat.user_id for seat in seats if seat.user_id is not None}
        known = reliability_of({user.pk, *people}, now)
    return [_open_table(game, user, known) for game in games]


def _open_table(game: Game, user: User | None, known: Mapping[int, Reliability]) -> OpenTable:
    """A table as it is found; how reliable people are, only those with an account learn."""
    seats = list(game.seats.all())
    return OpenTable(
        game=game,
        seated=[
            one if user is None else one._replace(in_time=in_time_text(seat.user, known))
            for one, seat in zip(seated(game, seats), seats, strict=True)
        ],
        free=game.size - len(seats),
        pace=pace_of(game),
        language=language_name(game.language),
        differs=what_differs(game),
        description=table_description(game),
        unmet="" if user is None else unmet_by(game, user, known[user.pk]),
    )


def games_to_watch(user: User | None, wanted: Wanted) -> list[ShownGame]:
    """Listed games that are being played without the person, the latest first."""
    running = _listed(user).in_play()
    if user is not None:
        running = running.exclude(seats__user=user)
    return shown_games(wanted.among(running).order_by("-started_at", "-pk")[:SHOWN])


def finished_games(user: User | None, wanted: Wanted, before: int | None) -> list[ShownGame]:
    """Listed games that are over, the latest first; one more than `SHOWN` if there are older ones.

    `before` is the key of the last game that was shown.
    """
    over = wanted.among(_listed(user).filter(status=Game.Status.FINISHED))
    if before is not None:
        over = over.filter(pk__lt=before)
    return shown_games(over.order_by("-pk")[: SHOWN + 1])


_SEATS: Final = Prefetch("seats", Seat.objects.select_related("user").order_by("pk"))


def _listed(user: User | None) -> GameQuerySet:
    if user is None:
        return strangers.listed_for_strangers()
    return Game.objects.filter(listed=True, guided=False).exclude(pk__in=not_for(user))


def shown_games(games: QuerySet[Game]) -> list[ShownGame]:
    """The lines of these games, but of those that can't be read."""
    read = list(games.prefetch_related(_SEATS))
    read_titles(read)
    return [one for game in read for one in _one_shown(game)]


def _one_shown(game: Game) -> Iterable[ShownGame]:
    """The line of a game; nothing for one that can't be read."""
    state = state_of(game)
    if state is None:
        return
    seats = sorted(game.seats.all(), key=lambda seat: seat.drawn_number)
    names, seen = seat_names(seats), view(state, None)
    people = People(state.table, names)
    yield ShownGame(
        game=game,
        players=list(zip(state.table.players, names, strict=True)),
        computers=sum(1 for seat in seats if seat.computer_player),
        board=small_board(people, seen),
        result=result_text(people, seen),
    )
