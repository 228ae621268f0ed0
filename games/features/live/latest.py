"""What the database says has changed lately, for what nobody could tell.

A web process that was killed right after its answer told nobody, and one that is cut off from the
broker can't. So a live process looks by itself, too: at the latest rows of what is only added to.
"""

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Final, NamedTuple

from django.db import close_old_connections

from games.models import Event, Message, PrivateMessage, Seat, Thread, ThreadMember
from games.services.live import person_topic, table_topic
from games.services.sql import select, table

LATEST: Final = 1000
"""How many rows of each kind are read: more than are added between two looks."""

DOUBTED: Final = 600.0
"""Seconds in which what nobody told in time may still be told: the broker was away, and is back."""


class Row(NamedTuple):
    """A row that was added, and a topic that it changed. Rows of one change have one time."""

    kind: str
    pk: int
    topic: str
    at: datetime


type Found = AbstractSet[Row]

_LATEST: Final = f"""
SELECT 'event', id, game_id, false, at
FROM (SELECT id, game_id, at FROM {table(Event)} ORDER BY id DESC LIMIT {LATEST}) event
UNION ALL
SELECT 'message', id, game_id, false, at
FROM (SELECT id, game_id, at FROM {table(Message)} ORDER BY id DESC LIMIT {LATEST}) message
UNION ALL
SELECT 'private', said.id, member.user_id, true, said.at
FROM (
    SELECT id, thread_id, number, unknown_to, at
    FROM {table(PrivateMessage)} ORDER BY id DESC LIMIT {LATEST}
) said
JOIN {table(Thread)} thread ON thread.id = said.thread_id
JOIN {table(ThreadMember)} member ON member.thread_id = thread.id
    AND member.since < said.number AND NOT said.unknown_to @> to_jsonb(member.seat_number)
JOIN {table(Seat)} seat ON seat.game_id = thread.game_id AND seat.user_id = member.user_id
    AND seat.number = member.seat_number
"""  # noqa: S608 - only names of our own tables and a number


def read() -> Found:
    """The latest rows, with whom they concern, as `services.live` is told. One query."""
    try:
        rows = select(_LATEST, {})
    finally:
        close_old_connections()
    return {
        Row(kind, pk, person_topic(number) if is_private else table_topic(number), at)
        for kind, pk, number, is_private, at in rows
    }


class Untold:
    """The topics that have changed without anybody telling, found by looking again and again."""

    def __init__(self) -> None:
        self._seen: Found | None = None
        self._waiting: dict[str, float] = {}
        self._lately: AbstractSet[str] = frozenset()
        self._doubted: dict[str, float] = {}
        self._looked_at = 0.0

    def topics(self, found: Found, looked_at: float, told: dict[str, float]) -> list[str]:
        """Those that were found the time before this one, and not told since.

        `found` was read at `looked_at`; `told` is when each topic was told last, by the same clock.
        What is new has the time until the next look to be told by whoever changed it. Where a topic
        has changed more than once, or nobody told the change before in time, what was told before
        it was found may have been that one: it is told again. Of what changed before the first look
        nobody knows whether it was told.
        """
        late = [topic for topic, since in self._waiting.items() if told.get(topic, 0.0) < since]
        new = set() if self._seen is None else found - self._seen
        doubted = {row.topic for row in found} if self._seen is None else late
        changes = Counter(topic for topic, _at in {(row.topic, row.at) for row in new})
        unsure = self._lately | self._doubted.keys()
        self._waiting = {
            topic: self._looked_at if times == 1 and topic not in unsure else looked_at
            for topic, times in changes.items()
        }
        self._lately = changes.keys()
        self._doubt(doubted, looked_at)
        self._seen, self._looked_at = found, looked_at
        return late

    def _doubt(self, topics: Iterable[str], now: float) -> None:
        """Believe of these topics for a while only what is told after a change was found."""
        kept = {topic: at for topic, at in self._doubted.items() if at > now - DOUBTED}
        self._doubted = kept | dict.fromkeys(topics, now)
