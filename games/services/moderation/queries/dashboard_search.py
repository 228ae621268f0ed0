"""The search on the dashboard: games and people."""

from typing import Final, NamedTuple

from django.urls import reverse

from games.models import Game, Move, OutboxEmail, Seat, User
from games.presentation.text.words import moment, to_the_minute
from games.services.email.queries import visible_to
from games.services.game.queries.decisions import made_by_the_clock
from games.services.moderation import search
from games.services.moderation.queries.mail_search import email_with_id
from games.services.roles import own_tables

MOST: Final = 20
LONGEST: Final = 100

MOST_GAMES: Final = 5
"""How many unfinished games of each person are shown."""


class FoundGame(NamedTuple):
    """A game, and the page that says why the clock played there last; "" if it never did."""

    game: Game
    clock: str
    clock_at: str


class FoundPerson(NamedTuple):
    """A person with their newest unfinished games; `more` says that they have others."""

    person: User
    games: list[Game]
    more: bool


class Found(NamedTuple):
    """What was found for these words: the newest games and people, at most 20 of each; an email."""

    words: str
    games: list[FoundGame]
    people: list[FoundPerson]
    email: OutboxEmail | None


def find(words: str, moderator: User) -> Found | None:
    """The games and people that are meant, or the email with this Message-ID.

    None where nothing is looked for.
    """
    words = words.strip()[:LONGEST].replace("\0", "")
    if not words:
        return None
    people = search.newest_keys(search.people(words, moderator), MOST)
    games = search.games_by_anything(words, MOST, moderator, who=people)
    return Found(
        words,
        _with_clock(games, moderator),
        _with_games(people),
        email_with_id(words, visible_to(moderator, OutboxEmail.objects.all())),
    )


def _with_clock(keys: list[int], moderator: User) -> list[FoundGame]:
    played = made_by_the_clock(Move.objects.filter(game__in=keys))
    played = played.exclude(game__in=own_tables(moderator)).select_related("seat")
    last = {move.game_id: move for move in played.order_by("game", "-pk").distinct("game")}
    found = []
    for game in Game.objects.filter(pk__in=keys).defer("state").order_by("-pk"):
        if (move := last.get(game.pk)) is None:
            found.append(FoundGame(game, "", ""))
            continue
        numbers = [game.pk, move.seat.drawn_number, move.phase_no]
        at = moment(to_the_minute(move.at), moderator.time_zone)
        found.append(FoundGame(game, reverse("admin:decision", args=numbers), at))
    return found


def _with_games(keys: list[int]) -> list[FoundPerson]:
    seats = Seat.objects.filter(user__in=keys, game__status__in=Game.UNFINISHED)
    rows = seats.select_related("game").defer("game__state").order_by("-game")
    of_people: dict[int | None, list[Game]] = {}
    for seat in rows[: MOST * (MOST_GAMES + 1)]:
        of_people.setdefault(seat.user_id, []).append(seat.game)
    return [
        FoundPerson(person, games[:MOST_GAMES], len(games) > MOST_GAMES)
        for person in User.objects.filter(pk__in=keys).order_by("-pk")
        for games in [of_people.get(person.pk, [])]
    ]
