"""What somebody has played: how it ended, and which of it anybody may watch."""

from typing import Final, NamedTuple

from games.models import Game, Seat, User
from games.presentation.text.words import edition_name
from games.services.game.unreadable import view_of
from games.services.lobby.lists import ShownGame, shown_games

MOST_COUNTED: Final = 100
MOST_GAMES: Final = 5


class Results(NamedTuple):
    """Games of one edition that somebody has finished, and how many of them they won or shared."""

    edition: str
    played: int
    won: int


def results_of(person: User) -> list[Results]:
    """The results of their last `MOST_COUNTED` games, the edition they play most first."""
    seats = Seat.objects.filter(
        user=person, game__status=Game.Status.FINISHED, game__guided=False
    ).select_related("game")
    played: dict[str, list[bool]] = {}
    for seat in seats.order_by("-game__finished_at", "-pk")[:MOST_COUNTED]:
        seen = view_of(seat.game, seat.number)
        if seen is not None:
            played.setdefault(seat.game.edition, []).append(seat.number in seen.winners)
    by_games = sorted(played.items(), key=lambda item: (-len(item[1]), item[0]))
    return [Results(edition_name(edition), len(won), sum(won)) for edition, won in by_games]


def games_of(person: User) -> list[ShownGame]:
    """Listed games of theirs, running ones first: anybody may watch them or look at them."""
    listed = Game.objects.filter(
        listed=True,
        guided=False,
        parked_at=None,
        status__in=(Game.Status.RUNNING, Game.Status.FINISHED),
        seats__user=person,
    )
    return shown_games(listed.order_by("-status", "-started_at", "-pk")[:MOST_GAMES])
