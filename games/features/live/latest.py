"""The latest changes in the database, for those that nobody could announce.

A web process that was killed right after its response has announced nothing, and one that is cut
off from the broker can't. So a live process looks by itself, too: at the latest rows of what is
only added to.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Final, NamedTuple

from django.db import close_old_connections
from django.db.models import F

from games.models import Event, Message, PrivateMessage, ThreadMember
from games.services.live import person_topic, table_topic

LATEST: Final = 1000
"""How many rows of each kind are read: more than are added between two looks."""

DOUBTED: Final = 600.0
"""Seconds in which an overdue announcement may still come: the broker was away, and is back."""


class Row(NamedTuple):
    """A row that was added, and a topic that it changed. Rows of one change have one time."""

    kind: str
    pk: int
    topic: str
    at: datetime


type Found = AbstractSet[Row]


def read() -> Found:
    """The latest rows, with the topics that `services.live` announces for them. Four queries."""
    try:
        return {*_at_tables(Event), *_at_tables(Message), *_private()}
    finally:
        close_old_connections()


def _at_tables(model: type[Event | Message]) -> Iterator[Row]:
    latest = model.objects.order_by("-pk").values_list("pk", "game", "at")[:LATEST]
    for pk, game, at in latest:
        yield Row(model.__name__, pk, table_topic(game), at)


def _private() -> Iterator[Row]:
    """The messages in threads: a row for each member who sits there still and may know."""
    messages = PrivateMessage.objects.order_by("-pk")[:LATEST]
    members = ThreadMember.objects.filter(
        thread__in={one.thread_id for one in messages},
        thread__game__seats__user=F("user"),
        thread__game__seats__number=F("seat_number"),
    )
    by_thread = defaultdict(list)
    for member in members:
        by_thread[member.thread_id].append(member)
    for one in messages:
        for member in by_thread[one.thread_id]:
            if (
                member.user_id is not None
                and member.since < one.number
                and member.seat_number not in one.unknown_to
            ):
                yield Row("PrivateMessage", one.pk, person_topic(member.user_id), one.at)


class Unannounced:
    """The topics that have changed unannounced, found by looking again and again."""

    def __init__(self) -> None:
        self._seen: Found | None = None
        self._waiting: dict[str, float] = {}
        self._lately: AbstractSet[str] = frozenset()
        self._doubted: dict[str, float] = {}
        self._looked_at = 0.0

    def topics(self, found: Found, looked_at: float, announced: dict[str, float]) -> list[str]:
        """Those that were found the time before this one, and not announced since.

        `found` was read at `looked_at`; `announced` is when each topic was last, by the same clock.
        What is new has the time until the next look to be announced by the process that changed
        it. Where a topic has changed more than once, or the change before was not announced in
        time, an announcement before it was found may have been of that one: it is repeated. Of what
        changed before the first look nobody knows whether it was announced.
        """
        late = [
            topic for topic, since in self._waiting.items() if announced.get(topic, 0.0) < since
        ]
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
        """Believe of these topics for a while only announcements after a change was found."""
        kept = {topic: at for topic, at in self._doubted.items() if at > now - DOUBTED}
        self._doubted = kept | dict.fromkeys(topics, now)
