"""The ASGI application of a live process: one stream of server-sent events for each open page."""

import asyncio
import json
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from time import monotonic
from typing import Any, Final
from urllib.parse import parse_qs

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections
from django.http.cookie import parse_cookie
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as BrokerIsAway
from redis.exceptions import RedisError

from games.features.live import latest, readers
from games.features.live.channel import PATH, channel, decode
from games.features.live.hub import Hub, Stream
from games.features.live.readers import OpenPage, Reader
from games.features.live.strangers import Strangers, network_asking, request_of
from games.probed import seen
from games.services.live import streams_key
from games.services.operations import probes

logger = logging.getLogger(__name__)

BETWEEN_SIGNS_OF_LIFE: Final = 25.0
"""Seconds: proxies end a connection without a byte for a minute."""

BETWEEN_CHECKS: Final = 60.0
"""Seconds after which sessions and seats of readers are read again (days 31)."""

CHECKED_AT_ONCE: Final = 500
LONGEST_TABLE: Final = 64
LONGEST_QUERY: Final = 1_000
LONGEST_COOKIES: Final = 16_000
"""Bytes. Proxies let through a megabyte, and while one is taken apart nothing else is sent."""

BETWEEN_LOOKS: Final = 3.0
"""Seconds between two looks at what has changed in the database unannounced."""

DOCTOR_READS_WITHIN: Final = 60.0
"""Seconds until the stream of a doctor ends: longer than it waits, so it sees what is held back."""

TRIES_AGAIN: Final = 2.0
"""Seconds until the broker is tried again."""

BETWEEN_COUNTS: Final = 10.0
"""Seconds between two counts of the streams, each of which is known for three times as long."""

WAITS_FOR_BROKER: Final = 10.0
MOST_SILENT: Final = 2
"""How often in a row the broker may send nothing for so many seconds, though it is pinged."""

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx
    (b"x-content-type-options", b"nosniff"),
]


class Live:
    """The application. Its news comes from the broker, or else from the database."""

    def __init__(self) -> None:
        self.hub = Hub()
        self._strangers = Strangers()
        self._database = ThreadPoolExecutor(4, thread_name_prefix="database")
        self._work: list[asyncio.Task[None]] = []
        self._has_looked = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http" and (nonce := _nonce_of(scope)):
            await self._respond_to_doctor(scope, nonce, receive, send)
        elif scope["type"] == "http":
            await self._respond(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._work = [
                    asyncio.create_task(self._listen()),
                    asyncio.create_task(self._look_now_and_then()),
                    asyncio.create_task(self._check_now_and_then()),
                    asyncio.create_task(self._tell_how_many()),
                ]
                await send({"type": "lifespan.startup.complete"})
            else:
                for task in self._work:
                    task.cancel()
                # They close their connections before the process goes.
                await asyncio.gather(*self._work, return_exceptions=True)
                self._database.shutdown()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        site = headers.get(b"sec-fetch-site", b"same-origin")
        if scope["path"] != PATH or scope["method"] != "GET":
            await _refuse(send, 404)
            return
        if site not in {b"same-origin", b"none"}:
            await _refuse(send, 403)
            return
        if (
            len(scope["query_string"]) > LONGEST_QUERY
            or len(headers.get(b"cookie", b"")) > LONGEST_COOKIES
        ):
            await _refuse(send, 431)
            return
        arrived = monotonic()
        page, age = _page_of(headers, scope["query_string"])
        try:
            reader = await self._in_database(self._reader_of, page, network_asking(scope))
        except DatabaseError as trouble:
            logger.warning("The reader can't be read: %s", trouble)
            reader = HTTPStatus.SERVICE_UNAVAILABLE
        if not isinstance(reader, Reader):
            await _refuse(send, reader)
            return
        # What changed while the reader was read is missed as well, and so may be a seat.
        stream = self.hub.open(page, reader, age + monotonic() - arrived)
        if readers.PERSON in stream.labels:
            self._check_soon([stream])
        leaving = asyncio.create_task(_until_gone(receive, stream))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await self._send_news(stream, send)
        except (OSError, asyncio.CancelledError):
            pass  # the page has gone, or the process is to stop
        finally:
            leaving.cancel()
            self.hub.close(stream)

    async def _respond_to_doctor(
        self, scope: Scope, nonce: str, receive: Receive, send: Send
    ) -> None:
        """Send what this process is and sees, and keep the stream open until it was read."""
        network = network_asking(scope)
        if self._strangers.must_wait(network, nonce):
            await _refuse(send, HTTPStatus.TOO_MANY_REQUESTS)
            return
        try:
            facts = await self._in_database(_facts_for_doctor, scope, nonce)
        except DatabaseError as trouble:
            logger.warning("What a doctor asks can't be read: %s", trouble)
            await _refuse(send, HTTPStatus.SERVICE_UNAVAILABLE)
            return
        if facts is None:
            self._strangers.record(network, nonce, is_good=False)
        text = json.dumps(facts or {"probe": "unknown"})
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await _send(send, f"data: {text}\n\n", more=facts is not None)
        if facts is not None:
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(DOCTOR_READS_WITHIN):
                    while (await receive())["type"] != "http.disconnect":
                        pass
                await _send(send, "", more=False)

    async def _send_news(self, stream: Stream, send: Send) -> None:
        """Send the news of the stream, until it is over."""
        await _send(send, "event: hello\ndata: hello\n\n")
        while True:
            try:
                async with asyncio.timeout(BETWEEN_SIGNS_OF_LIFE):
                    await stream.news.wait()
            except TimeoutError:
                await _send(send, ":\n\n")
                continue
            stream.news.clear()
            lines = [f"event: changed\ndata: {label}\n\n" for label in sorted(stream.labels)]
            stream.labels.clear()
            if stream.look_again:
                stream.look_again = False
                lines.append("event: look\ndata: again\n\n")
            if stream.is_over:
                lines.append(f"event: over\ndata: {stream.why_over}\n\n")
            await _send(send, "".join(lines), more=not stream.is_over)
            if stream.is_over:
                return

    async def _listen(self) -> None:
        """Hear from the broker what has changed, for ever.

        What changes before the first look is not found by the next one. So until then it hears
        nothing, and every page looks again.
        """
        await self._has_looked.wait()
        while True:
            try:
                async with Redis.from_url(settings.CELERY_BROKER_URL, protocol=2) as broker:
                    await self._hear(broker)
            except (RedisError, OSError) as trouble:
                logger.warning("The broker doesn't respond: %s", trouble)
            except Exception:
                logger.exception("The news of the broker can't be sent")
            await asyncio.sleep(TRIES_AGAIN)

    async def _hear(self, broker: Redis) -> None:
        async with broker.pubsub() as heard:
            await heard.subscribe(channel())
            silent = 0
            self.hub.heard_nothing_until_now()
            while True:
                message = await heard.get_message(timeout=WAITS_FOR_BROKER)
                if message is None:
                    silent += 1
                    if silent > MOST_SILENT:
                        raise BrokerIsAway("It hasn't responded for half a minute")
                    await heard.ping()
                    continue
                silent = 0
                if message["type"] == "message":
                    self._changed(decode(message["data"]))

    def _changed(self, topics: Sequence[str]) -> None:
        notified = self.hub.changed(topics)
        own = {topic for topic in topics if topic.startswith("p")}
        moved = [one for one in notified if own & one.topics.keys()]
        if moved:  # where they sit may have changed, or whether they are signed in
            self._check_soon(moved)

    async def _tell_how_many(self) -> None:
        """Tell the broker how many streams there are, for ever, for those who watch the site."""
        key = streams_key(f"{socket.gethostname()}:{os.getpid()}")
        while True:
            # That the broker is away is said by who listens to it.
            with suppress(RedisError, OSError):
                async with Redis.from_url(settings.CELERY_BROKER_URL, protocol=2) as broker:
                    while True:
                        known = round(3 * 1000 * BETWEEN_COUNTS)
                        await broker.set(key, len(self.hub.streams), px=known)
                        await asyncio.sleep(BETWEEN_COUNTS)
            await asyncio.sleep(TRIES_AGAIN)

    async def _look_now_and_then(self) -> None:
        """Find in the database what has changed unannounced, for ever."""
        unannounced = latest.Unannounced()
        while True:
            looked_at = monotonic()
            try:
                found = await self._in_database(latest.read)
            except DatabaseError as trouble:
                logger.warning("What has changed can't be read: %s", trouble)
            except Exception:
                logger.exception("What has changed can't be read")
            else:
                self._changed(unannounced.topics(found, looked_at, self.hub.announced))
                self._has_looked.set()
            await asyncio.sleep(BETWEEN_LOOKS)

    def _check_soon(self, streams: Sequence[Stream]) -> None:
        self._work = [task for task in self._work if not task.done()]
        self._work.append(asyncio.create_task(self._check(streams)))

    async def _check_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(BETWEEN_CHECKS)
            await self._check(list(self.hub.streams))

    async def _check(self, streams: Sequence[Stream]) -> None:
        """Read again what these streams may hear of."""
        for first in range(0, len(streams), CHECKED_AT_ONCE):
            some = streams[first : first + CHECKED_AT_ONCE]
            try:
                found = await self._read([stream.page for stream in some])
            except DatabaseError as trouble:
                logger.warning("Who reads can't be checked: %s", trouble)
                return
            except Exception:
                logger.exception("Who reads can't be checked")
                continue
            for stream, reader in zip(some, found, strict=True):
                self.hub.update(stream, reader)

    def _reader_of(self, page: OpenPage, network: str) -> Reader | HTTPStatus:
        """The reader of a page, or the status with which it is refused.

        In a thread, so that of a burst the last ones find how the first ones fared.
        """
        if not readers.may_exist(page.session_key):
            return HTTPStatus.FORBIDDEN
        if self._strangers.must_wait(network, page.session_key):
            return HTTPStatus.TOO_MANY_REQUESTS
        if readers.must_not_work():
            return HTTPStatus.SERVICE_UNAVAILABLE
        [reader] = readers.read([page])
        self._strangers.record(network, page.session_key, is_good=reader is not None)
        return HTTPStatus.FORBIDDEN if reader is None else reader

    async def _read(self, pages: Sequence[OpenPage]) -> list[Reader | None]:
        return await self._in_database(readers.read, pages)

    async def _in_database[T](self, read: Callable[..., T], *args: object) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._database, read, *args)


def _nonce_of(scope: Scope) -> str:
    """That of a doctor who asks; "" if somebody else does."""
    name, _is, nonce = scope["query_string"].decode("latin-1").partition("=")
    is_doctors = scope["path"] == PATH and name == probes.PARAMETER and len(nonce) < LONGEST_TABLE
    return nonce if is_doctors else ""


def _facts_for_doctor(scope: Scope, nonce: str) -> dict[str, Any] | None:
    """The answer to a doctor; None if nobody asks with this nonce."""
    try:
        return seen(request_of(scope)) if probes.is_known(nonce) else None
    finally:
        close_old_connections()


def _page_of(headers: Mapping[bytes, bytes], query: bytes) -> tuple[OpenPage, float]:
    """The page that opens a stream, and how many seconds ago it was made."""
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    values = parse_qs(query.decode("latin-1"))
    table = values.get("table", [""])[0][:LONGEST_TABLE]
    try:
        age = float(values.get("age", ["0"])[0])
    except ValueError:
        age = 0.0
    session = cookies.get(settings.SESSION_COOKIE_NAME, "")
    return OpenPage(session.replace("\0", ""), table.replace("\0", "")), age


async def _until_gone(receive: Receive, stream: Stream) -> None:
    """End the stream when its page is closed."""
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.end()


async def _send(send: Send, text: str, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": more})


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await _send(send, "", more=False)
