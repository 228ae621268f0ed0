"""Who has a page open, and what they may hear of: read from the database, many at once."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import close_old_connections
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from games.models import Game, Seat, User
from games.services.live import person_topic, table_topic
from games.session_store import SessionStore

PERSON: Final = "person"
"""The label of what only the reader may hear of; tables are labelled by their tokens."""

OPEN: Final = (Game.Status.WAITING, Game.Status.RUNNING)


class Asked(NamedTuple):
    """An open page: the session of its reader, and the token of the table it is about, or ""."""

    session_key: str
    table: str


class Reader(NamedTuple):
    """Whose page it is, and the topics that they hear of, each with its label."""

    user_id: int
    topics: Mapping[str, str]


def read(pages: Sequence[Asked]) -> list[Reader | None]:
    """Who reads these pages; None for whoever isn't signed in any more, or was banned.

    Everybody hears of themselves, of the tables where they sit, and of the one on the page, which
    they have the link of. Four queries, however many pages there are.
    """
    try:
        return _read(pages)
    finally:
        close_old_connections()


def _read(pages: Sequence[Asked]) -> list[Reader | None]:
    people = _signed_in({page.session_key for page in pages})
    seated = _seated(set(people.values()))
    shown = dict(
        Game.objects.filter(token__in={page.table for page in pages if page.table}).values_list(
            "token", "pk"
        )
    )
    readers: list[Reader | None] = []
    for page in pages:
        user_id = people.get(page.session_key)
        if user_id is None:
            readers.append(None)
            continue
        topics = {person_topic(user_id): PERSON, **seated.get(user_id, {})}
        if page.table in shown:
            topics[table_topic(shown[page.table])] = page.table
        readers.append(Reader(user_id, topics))
    return readers


def _signed_in(session_keys: Iterable[str]) -> dict[str, int]:
    """The sessions of these in which somebody is signed in, with the person's id."""
    rows = Session.objects.filter(
        session_key__in=list(session_keys), expire_date__gt=timezone.now()
    )
    held = {row.session_key: SessionStore().decode(row.session_data) for row in rows}
    ids = {key: int(data[SESSION_KEY]) for key, data in held.items() if SESSION_KEY in data}
    people = User.objects.filter(is_active=True).in_bulk(set(ids.values()))
    return {
        key: user_id
        for key, user_id in ids.items()
        if user_id in people and _is_sound(people[user_id], held[key].get(HASH_SESSION_KEY, ""))
    }


def _is_sound(user: User, hashed: str) -> bool:
    """Whether the session began with the password that the person has now, as Django checks."""
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(hashed, one) for one in hashes)


def _seated(user_ids: Iterable[int]) -> dict[int, dict[str, str]]:
    """The tables at which these people sit, by person."""
    rows = Seat.objects.filter(user__in=list(user_ids), game__status__in=OPEN)
    seated: dict[int, dict[str, str]] = {}
    for user_id, game_id, token in rows.values_list("user_id", "game_id", "game__token"):
        seated.setdefault(user_id, {})[table_topic(game_id)] = token
    return seated
