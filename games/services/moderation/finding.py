"""How moderators find things: by words and numbers, each by an index, however many rows there are.

Words are looked for from their beginnings, in any order: "ven tab" finds "The Venice table".
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import Q, QuerySet

from games.models import Game, User

MOST_FOUND: Final = 200
"""In the rows of how many games or people something is looked for: the newest ones."""

LONGEST_NUMBER: Final = 18
CONFIG: Final = "simple"
"""Words as they are written, of any language."""


def with_words(rows: QuerySet[Any], columns: Iterable[str], words: str) -> QuerySet[Any]:
    """The rows in which all these words begin some word of these columns, which have an index."""
    query = _query(words)
    if query is None:
        return rows.none()
    vector = SearchVector(*columns, config=CONFIG)
    found: QuerySet[Any] = rows.alias(words=vector).filter(words=query)
    return found


def _query(words: str) -> SearchQuery | None:
    """What PostgreSQL is asked for; None where there is no word in it."""
    parts = [part for part in re.split(r"[\s'\\]+", words) if re.search(r"\w", part)]
    if not parts:
        return None
    return SearchQuery(
        " & ".join(f"'{part}':*" for part in parts), config=CONFIG, search_type="raw"
    )


def number_in(words: str) -> int | None:
    """The number that is meant by "17" or "#17"."""
    digits = words.strip().removeprefix("#")
    fits = digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER
    return int(digits) if fits else None


def games(words: str, among: QuerySet[Game] | None = None) -> QuerySet[Game]:
    """Games by number, by link or by words of the name."""
    rows = Game.objects.all() if among is None else among
    if (number := number_in(words)) is not None:
        return rows.filter(pk=number)
    if link := re.search(r"/tables/([\w-]+)", words):
        return rows.filter(token=link[1])
    return with_words(rows, ["name"], words)


def people(words: str, among: QuerySet[User] | None = None) -> QuerySet[User]:
    """People by words of their name, or by the beginning of their mail address."""
    rows = User.objects.all() if among is None else among
    if "@" in words:
        return rows.filter(email__startswith=words.strip().lower())
    return with_words(rows, ["name", "email"], words)


def newest_keys(rows: QuerySet[Any], most: int = MOST_FOUND) -> list[int]:
    """The keys of the newest rows."""
    return list(rows.order_by("-pk").values_list("pk", flat=True)[:most])


def of_games(path: str, words: str) -> Q:
    """Rows of games that are found by these words; `path` leads from the row to its game."""
    return Q(**{f"{path}__in": newest_keys(games(words))})


def of_people(path: str, words: str) -> Q:
    """Rows of people who are found by these words; `path` leads from the row to the person."""
    return Q(**{f"{path}__in": newest_keys(people(words))})


def found_in(
    rows: QuerySet[Any],
    words: str,
    *,
    game_paths: Iterable[str] = (),
    person_paths: Iterable[str] = (),
    columns: Iterable[str] = (),
    most: int,
) -> QuerySet[Any]:
    """The `most` newest rows about games or people found by these words, or that contain them.

    Each way is asked for by itself, so that each goes by its own index.
    """
    ways = _ways(rows, words, game_paths, person_paths, list(columns))
    keys = {key for way in ways for key in newest_keys(way, most)}
    return rows.filter(pk__in=keys)


def _ways(
    rows: QuerySet[Any],
    words: str,
    game_paths: Iterable[str],
    person_paths: Iterable[str],
    columns: list[str],
) -> Iterator[QuerySet[Any]]:
    for path in game_paths:
        yield rows.filter(of_games(path, words))
    for path in person_paths:
        yield rows.filter(of_people(path, words))
    if columns:
        yield with_words(rows, columns, words)
