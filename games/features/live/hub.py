"""The streams of one live process, and the news for each."""

import asyncio
from collections.abc import Iterable, Mapping
from time import monotonic
from typing import Final

from games.features.live.readers import OpenPage, Reader

MOST_OF_A_PERSON: Final = 4
"""Streams of one person, such as on a phone and a computer: one more ends the oldest."""

REMEMBERED: Final = 3600.0
"""For so many seconds it is known when a topic changed last."""


class Stream:
    """The news for an open page, until it is sent.

    `labels` are those of what has changed. `look_again` says that something may have changed while
    nobody heard of it. After `is_over` nothing more is sent; `why_over` is "too many" if the person
    has opened another page since.
    """

    def __init__(self, page: OpenPage, reader: Reader) -> None:
        self.page = page
        self.user_id = reader.user_id
        self.topics = reader.topics
        self.labels: set[str] = set()
        self.look_again = False
        self.is_over = False
        self.why_over = "over"
        self.news = asyncio.Event()

    def notify(self, labels: Iterable[str]) -> None:
        self.labels.update(labels)
        self.news.set()

    def notify_to_look_again(self) -> None:
        self.look_again = True
        self.news.set()

    def end(self, why: str = "over") -> None:
        self.is_over, self.why_over = True, why
        self.news.set()


class Hub:
    """Finds the streams of a topic. `announced` has for each topic when it last was."""

    def __init__(self) -> None:
        self.streams: set[Stream] = set()
        self._of_topic: dict[str, set[Stream]] = {}
        self._of_person: dict[int, list[Stream]] = {}
        self.announced: dict[str, float] = {}
        self._listens_since: float | None = None

    def open(self, page: OpenPage, reader: Reader, age: float) -> Stream:
        """The stream of a page that was made `age` seconds ago; it gets what it missed."""
        stream = Stream(page, reader)
        own = self._of_person.setdefault(stream.user_id, [])
        own.append(stream)
        while len(own) > MOST_OF_A_PERSON:
            own.pop(0).end("too many")
        self.streams.add(stream)
        self._listen(stream, stream.topics)
        now = monotonic()
        if self._listens_since is None or age > min(now - self._listens_since, REMEMBERED):
            stream.notify_to_look_again()
        elif missed := [
            label
            for topic, label in stream.topics.items()
            if self.announced.get(topic, -REMEMBERED) >= now - age
        ]:
            stream.notify(missed)
        return stream

    def close(self, stream: Stream) -> None:
        self.streams.discard(stream)
        self._listen(stream, {})
        own = self._of_person.get(stream.user_id, [])
        if stream in own:
            own.remove(stream)
        if not own:
            self._of_person.pop(stream.user_id, None)

    def update(self, stream: Stream, reader: Reader | None) -> None:
        """Have a stream hear of what its reader may hear of now; None ends it."""
        if stream not in self.streams:
            return
        if reader is None or reader.user_id != stream.user_id:
            stream.end()
        elif reader.topics != stream.topics:
            self._listen(stream, reader.topics)

    def _listen(self, stream: Stream, topics: Mapping[str, str]) -> None:
        for topic in stream.topics:
            heard = self._of_topic.get(topic, set())
            heard.discard(stream)
            if not heard:
                self._of_topic.pop(topic, None)
        stream.topics = topics
        for topic in topics:
            self._of_topic.setdefault(topic, set()).add(stream)

    def changed(self, topics: Iterable[str]) -> set[Stream]:
        """Notify the streams of these topics, and return them."""
        now, notified = monotonic(), set()
        for topic in topics:
            self.announced.pop(topic, None)  # so that the latest stand last
            self.announced[topic] = now
            for stream in self._of_topic.get(topic, ()):
                stream.notify([stream.topics[topic]])
                notified.add(stream)
        self._forget(now - REMEMBERED)
        return notified

    def _forget(self, before: float) -> None:
        while self.announced and (first := next(iter(self.announced))):
            if self.announced[first] >= before:
                return
            del self.announced[first]

    def heard_nothing_until_now(self) -> None:
        """The broker responds again: anything may have changed meanwhile."""
        self._listens_since = monotonic()
        for stream in self.streams:
            stream.notify_to_look_again()
