"""How moderators find things: by words and numbers, each by an index, however many rows there are.

Words are looked for from their beginnings, in any order: "ven tab" finds "The Venice table".
"""

import re
from collections.abc import Collection, Iterable
from typing import Any, Final

from django.contrib.postgres.search import SearchVector
from django.db.models import F, Q, QuerySet
from django.db.models.fields.json import KT

from games.models import AuditLine, Game, Report, Seat, Sitting, User
from games.services.lobby.word_search import CONFIG, query_of, with_words
from games.services.reports.rights import reports_for

MOST_FOUND: Final = 200
"""In the rows of how many games or people something is looked for: the newest ones."""

LATEST: Final = 5_000
"""So many of the latest rows are read through at once."""

LONGEST_NUMBER: Final = 18
TOKEN: Final = re.compile(r"[\w-]{16}", re.ASCII)
"""What may be the part of a table's address that is its own (`new_token`)."""


def number_in(words: str) -> int | None:
    """The number that is meant by "17" or "#17"."""
    digits = words.strip().removeprefix("#")
    fits = digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER
    return int(digits) if fits else None


def games(words: str) -> list[int]:
    """The keys of the newest games by number, by link, by its last part or by words of the name."""
    meant = _the_game(words, Game.objects.all())
    if meant is not None:
        return newest_keys(meant)
    rows = Game.objects.exclude(host__is_guest=True)
    return newest_with_words(rows, ["name"], words, MOST_FOUND)


def _the_game(words: str, rows: QuerySet[Game]) -> QuerySet[Game] | None:
    """The one game whose number or link this is; None where it is neither."""
    if (number := number_in(words)) is not None:
        return rows.filter(pk=number)
    if link := re.search(r"/tables/([\w-]+)", words):
        return rows.filter(token=link[1])
    if TOKEN.fullmatch(words.strip()) and (
        key := Game.objects.filter(token=words.strip()).values_list("pk", flat=True).first()
    ):
        return rows.filter(pk=key)
    return None


def games_by_anything(
    words: str,
    most: int,
    reader: User,
    among: QuerySet[Game] | None = None,
    who: list[int] | None = None,
) -> list[int]:
    """The newest games by number or link, by words of a name they have or had or of the
    description, and by the people who sit or have sat there.

    `who` are the people found by the same words, if they are known.
    """
    rows = Game.objects.all() if among is None else among
    meant = _the_game(words, rows)
    if meant is not None:
        return newest_keys(meant, most)
    rows = rows.exclude(host__is_guest=True)
    keys = set(newest_keys(_with_own_words(rows, words), most))
    renamed = renamings(words).filter(action="game.rename").values_list("game", flat=True)
    who = newest_keys(people(words, reader)) if who is None else who
    others = {*renamed[:MOST_FOUND], *_tables_of(who)}
    keys.update(newest_keys(rows.filter(pk__in=others), most))
    return sorted(keys, reverse=True)[:most]


def _tables_of(who: list[int]) -> QuerySet[Any]:
    """Keys of the newest games at which these people sit or have sat, each by its own index."""
    sit = Seat.objects.filter(user__in=who).order_by("-pk").values_list("game", flat=True)
    sat = Sitting.objects.filter(user__in=who).order_by("-seat")
    games_of_sat = sat.values_list("seat__game", flat=True)
    return sit[:MOST_FOUND].union(games_of_sat[:MOST_FOUND]).order_by()


def _with_own_words(rows: QuerySet[Game], words: str) -> QuerySet[Game]:
    """The games with these words in the name or the description, each by its index."""
    query = query_of(words)
    if query is None:
        return rows.none()
    rows = rows.alias(
        of_name=SearchVector("name", config=CONFIG),
        of_description=SearchVector("description", config=CONFIG),
    )
    return rows.filter(Q(of_name=query) | Q(of_description=query))


def people(words: str, reader: User, among: QuerySet[User] | None = None) -> QuerySet[User]:
    """People by words of a name that they have or had, or by the beginning of their email address.

    Names they had are known from reports of them that the reader may read, and from moderators who
    gave them another one.
    """
    rows = User.objects.filter(is_guest=False) if among is None else among
    if "@" in words:
        return rows.filter(email__startswith=words.strip().lower())
    query = query_of(words)
    if query is None:
        return rows.none()
    rows = rows.alias(words=SearchVector("name", "email", config=CONFIG))
    return rows.filter(Q(words=query) | Q(pk__in=_formerly_called(words, reader)))


def _formerly_called(words: str, reader: User) -> set[int]:
    """The keys of people with these words in a name that they had."""
    rows = reports_for(reader, Report.objects.exclude(person=None))
    reported = with_words(rows, ["person_name"], words)
    keys = reported.order_by((F("pk") + 0).desc()).values_list("person", flat=True)[:MOST_FOUND]
    renamed = renamings(words).filter(action="person.rename").values_list("person", flat=True)
    return {*keys, *renamed[:MOST_FOUND]}


def renamings(words: str) -> QuerySet[AuditLine]:
    """The lines about a person or a table that got another name, with these words in either."""
    names = SearchVector(KT("before__name"), KT("after__name"), config=CONFIG)
    lines = AuditLine.objects.filter(action__in=("person.rename", "game.rename"))
    query = query_of(words)
    if query is None:
        return lines.none()
    found: QuerySet[AuditLine] = lines.alias(words=names).filter(words=query)
    return found


def newest_keys(rows: QuerySet[Any], most: int = MOST_FOUND) -> list[int]:
    """The keys of the newest rows, for filters that have an index and fit few rows.

    PostgreSQL takes a search for a common one, and would read all rows from the newest on; it
    cannot where it has to sort by a sum.
    """
    ordered = rows.order_by((F("pk") + 0).desc())
    return list(ordered.values_list("pk", flat=True)[:most])


def newest_of_many(rows: QuerySet[Any], most: int) -> list[int]:
    """The keys of the newest rows, for filters that may fit many: the latest are tried first."""
    everything: QuerySet[Any] = QuerySet(rows.model)
    latest = everything.order_by("-pk").values_list("pk", flat=True)[LATEST : LATEST + 1]
    first = next(iter(latest), 0)
    found = newest_keys(rows.filter(pk__gt=first), most)
    if first and len(found) < most:
        found = newest_keys(rows, most)
    return found


def newest_with_words(rows: QuerySet[Any], columns: list[str], words: str, most: int) -> list[int]:
    """The keys of the newest rows with these words."""
    return newest_of_many(with_words(rows, columns, words), most)


def of_games(path: str, words: str) -> Q:
    """Rows of games that are found by these words; `path` leads from the row to its game."""
    return Q(**{f"{path}__in": games(words)})


def of_people(path: str, words: str, reader: User) -> Q:
    """Rows of people who are found by these words; `path` leads from the row to the person."""
    return Q(**{f"{path}__in": newest_keys(people(words, reader))})


def keys_found_in(
    rows: QuerySet[Any],
    words: str,
    reader: User,
    *,
    game_paths: Collection[str] = (),
    person_paths: Collection[str] = (),
    columns: Iterable[str] = (),
    most: int,
) -> set[int]:
    """The keys of rows about games or people found by these words, or that contain them.

    In each way, they are those of the `most` newest rows: each goes by its own index.
    """
    keys = set(newest_with_words(rows, list(columns), words, most)) if columns else set()
    where = games(words) if game_paths else []
    who = newest_keys(people(words, reader)) if person_paths else []
    found = dict.fromkeys(game_paths, where) | dict.fromkeys(person_paths, who)
    for path, keys_there in found.items():
        keys.update(newest_keys(rows.filter(**{f"{path}__in": keys_there}), most))
    return keys
