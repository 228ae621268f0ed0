"""The readers of open pages, and what they may hear of: read from the database, many at once."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.db import close_old_connections

from games.models import Game, Seat, User
from games.services.accounts.sessions import signed_in
from games.services.live import person_topic, table_topic
from games.services.operations import versions

PERSON: Final = "person"
"""The label of what only the reader may hear of; tables are labelled by their tokens."""

SESSION_KEY: Final = re.compile(r"[0-9a-z]{32}")
"""As Django makes them: for one that somebody has made up the database isn't queried."""

OPEN: Final = (Game.Status.WAITING, Game.Status.RUNNING)


class OpenPage(NamedTuple):
    """An open page: the session of its reader, and the token of the table it is about, or ""."""

    session_key: str
    table: str


class Reader(NamedTuple):
    """The person who reads a page, and the topics that they hear of, each with its label."""

    user_id: int
    topics: Mapping[str, str]


def may_exist(session_key: str) -> bool:
    """Whether a session can have this key at all."""
    return SESSION_KEY.fullmatch(session_key) is not None


def must_not_work() -> bool:
    """Whether this version must not work on the database."""
    try:
        return versions.must_not_work()
    finally:
        close_old_connections()


def read(pages: Sequence[OpenPage]) -> list[Reader | None]:
    """The readers of these pages; None for those no longer signed in, or banned.

    Everybody hears of themselves, of the tables where they sit, and of the one on the page, which
    they have the link of; guests only of their own. Five queries, however many pages there are.
    """
    try:
        return _read(pages)
    finally:
        close_old_connections()


def _read(pages: Sequence[OpenPage]) -> list[Reader | None]:
    keys = {page.session_key for page in pages}
    people = signed_in({key for key in keys if may_exist(key)})
    if not people:
        return [None] * len(pages)
    seated = _seated(set(people.values()))
    shown = dict(
        Game.objects.filter(token__in={page.table for page in pages if page.table}).values_list(
            "token", "pk"
        )
    )
    guests = set(
        User.objects.filter(pk__in=people.values(), is_guest=True).values_list("pk", flat=True)
    )
    readers: list[Reader | None] = []
    for page in pages:
        user_id = people.get(page.session_key)
        if user_id is None:
            readers.append(None)
            continue
        topics = {person_topic(user_id): PERSON, **seated.get(user_id, {})}
        if page.table in shown and user_id not in guests:
            topics[table_topic(shown[page.table])] = page.table
        readers.append(Reader(user_id, topics))
    return readers


def _seated(user_ids: Iterable[int]) -> dict[int, dict[str, str]]:
    """The tables at which these people sit, by person."""
    rows = Seat.objects.filter(user__in=list(user_ids), game__status__in=OPEN)
    seated: dict[int, dict[str, str]] = {}
    for user_id, game_id, token in rows.values_list("user_id", "game_id", "game__token"):
        seated.setdefault(user_id, {})[table_topic(game_id)] = token
    return seated
