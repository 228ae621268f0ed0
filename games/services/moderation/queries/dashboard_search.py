"""The search on the dashboard: games and people."""

from typing import Final, NamedTuple

from games.models import Game, User
from games.services.moderation import search

MOST: Final = 20
LONGEST: Final = 100


class Found(NamedTuple):
    """What was found for these words: the newest games and people, at most 20 of each."""

    words: str
    games: list[Game]
    people: list[User]


def find(words: str) -> Found | None:
    """The games and people that are meant; None where nothing is looked for."""
    words = words.strip()[:LONGEST].replace("\0", "")
    if not words:
        return None
    games = search.newest_keys(search.games(words), MOST)
    people = search.newest_keys(search.people(words), MOST)
    return Found(
        words,
        list(Game.objects.filter(pk__in=games).defer("state").order_by("-pk")),
        list(User.objects.filter(pk__in=people).order_by("-pk")),
    )
