"""Tables to find: open ones to join, running ones to watch, finished ones to look at."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext_lazy

from games.engine import view
from games.models import Game, Seat, User
from games.models.game import GameQuerySet
from games.presentation.board.small_board import SmallBoard, small_board
from games.presentation.board.turn_summary import result_text
from games.presentation.text.words import People
from games.services.game.unreadable import state_of
from games.services.lobby.queries import listed_games, pace_of
from games.services.people.blocks import not_for
from games.services.people.display_names import Seated, seat_names, seated

SHOWN: Final = 50


class Pace(StrEnum):
    """How fast a table is, as people look for one. Values stand in addresses."""

    EVENING = "evening"
    DAILY = "daily"
    RELAXED = "relaxed"


PACE_NAMES: Final[Mapping[Pace, Any]] = {
    Pace.EVENING: gettext_lazy("in one evening"),
    Pace.DAILY: gettext_lazy("about a day per move"),
    Pace.RELAXED: gettext_lazy("more than a day per move"),
}

_PACES: Final = {
    Pace.EVENING: Q(move_seconds__lt=timedelta(hours=3).total_seconds()),
    Pace.DAILY: Q(
        move_seconds__gte=timedelta(hours=3).total_seconds(),
        move_seconds__lte=timedelta(hours=30).total_seconds(),
    ),
    Pace.RELAXED: Q(move_seconds__gt=timedelta(hours=30).total_seconds()),
}


class Wanted(NamedTuple):
    """What somebody looks for: an edition, a pace and a language, or any."""

    edition: str = ""
    pace: Pace | None = None
    language: str = ""

    def among(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """These of the games."""
        if self.edition:
            games = games.filter(edition=self.edition)
        if self.language:
            games = games.filter(language__in=[self.language, ""])
        return games if self.pace is None else games.filter(_PACES[self.pace])


class OpenTable(NamedTuple):
    """A table that anybody may join: who sits there, how fast it is, and what they write in."""

    game: Game
    seated: list[Seated]
    free: int
    pace: str
    language: str


class ShownGame(NamedTuple):
    """A game to watch, or a finished one: who plays, and how far it is or who has won."""

    game: Game
    players: list[tuple[str, str]]
    board: SmallBoard
    result: str


def open_tables(user: User, wanted: Wanted) -> list[OpenTable]:
    """Tables that `user` may join, and at which they do not sit yet, the oldest first."""
    games = wanted.among(listed_games(user)).order_by("created_at", "pk")
    found = []
    for game in games.prefetch_related(_SEATS)[:SHOWN]:
        seats = list(game.seats.all())
        language = dict(settings.LANGUAGES).get(game.language, "")
        free = game.size - len(seats)
        found.append(OpenTable(game, seated(game, seats), free, pace_of(game), language))
    return found


def games_to_watch(user: User, wanted: Wanted) -> list[ShownGame]:
    """Listed games that are being played without the person, the latest first."""
    running = _listed(user).in_play().exclude(seats__user=user)
    return shown_games(wanted.among(running).order_by("-started_at", "-pk")[:SHOWN])


def finished_games(user: User, wanted: Wanted, before: int | None) -> list[ShownGame]:
    """Listed games that are over, the latest first; one more than `SHOWN` if there are older ones.

    `before` is the key of the last game that was shown.
    """
    over = wanted.among(_listed(user).filter(status=Game.Status.FINISHED))
    if before is not None:
        over = over.filter(pk__lt=before)
    return shown_games(over.order_by("-pk")[: SHOWN + 1])


_SEATS: Final = Prefetch("seats", Seat.objects.select_related("user").order_by("pk"))


def _listed(user: User) -> GameQuerySet:
    return Game.objects.filter(listed=True, guided=False).exclude(pk__in=not_for(user))


def shown_games(games: QuerySet[Game]) -> list[ShownGame]:
    """The lines of these games, but of those that can't be read."""
    return [one for game in games.prefetch_related(_SEATS) for one in _one_shown(game)]


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
        board=small_board(people, seen),
        result=result_text(people, seen),
    )
