"""The search on the dashboard: games and people."""

from typing import Final, NamedTuple

from games.models import Game, OutboxEmail, User
from games.services.email.queries import visible_to
from games.services.moderation import search
from games.services.moderation.queries.mail_search import email_with_id

MOST: Final = 20
LONGEST: Final = 100


class Found(NamedTuple):
    """What was found for these words: the newest games and people, at most 20 of each; an email."""

    words: str
    games: list[Game]
    people: list[User]
    email: OutboxEmail | None


def find(words: str, moderator: User) -> Found | None:
    """The games and people that are meant, or the email with this Message-ID.

    None where nothing is looked for.
    """
    words = words.strip()[:LONGEST].replace("\0", "")
    if not words:
        return None
    games = search.newest_keys(search.games(words), MOST)
    people = search.newest_keys(search.people(words), MOST)
    return Found(
        words,
        list(Game.objects.filter(pk__in=games).defer("state").order_by("-pk")),
        list(User.objects.filter(pk__in=people).order_by("-pk")),
        email_with_id(words, visible_to(moderator, OutboxEmail.objects.all())),
    )
