"""The live process, in a thread of the tests, and open pages that listen to it."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse
from socket import SHUT_RDWR
from types import MappingProxyType
from typing import Any
from urllib.parse import urlencode

import pytest
import uvicorn
from django.conf import settings
from django.db import connections
from django.test import Client

from games.features.live import publisher
from games.features.live.app import Live
from games.features.live.channel import PATH
from games.services import live
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.servers import free_port


@contextmanager
def served(application: Any) -> Iterator[int]:
    """The port at which an ASGI application responds as long as this lasts."""
    port = free_port()
    config = uvicorn.Config(
        application, port=port, http="httptools", log_level="warning", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_until(lambda: server.started)
        yield port
    finally:
        server.should_exit = True
        thread.join(PATIENCE_SECONDS)
        assert not thread.is_alive()


@contextmanager
def woken() -> Iterator[None]:
    """What is written wakes the live pages, as in a process that serves."""
    publisher.connect()
    try:
        yield
    finally:
        live.changed.disconnect(dispatch_uid="wake the live pages")


def forget_broker() -> None:
    """Have the next message to the live pages connect anew, to where the broker is by then.

    The connection is closed: else whatever test runs when it is collected would be blamed. Before
    that, a thread may have to read the reply to what it has published.
    """
    broker = publisher._broker()
    wait_until(lambda: not broker.connection_pool._in_use_connections)
    broker.close()
    publisher._broker.cache_clear()


class LiveProcess:
    """A live process that hears from the broker, and the pages that are open there."""

    def __init__(self, application: Live, port: int) -> None:
        self.application = application
        self.port = port
        self._pages: list[OpenPage] = []

    def open(self, client: Client, table: str = "", age: float = 0.0) -> "OpenPage":
        """Somebody's page is open; it listens when this returns."""
        connection, answer = self._ask(client, table, age)
        if answer.status != HTTPStatus.OK:
            connection.close()
            raise AssertionError(f"The live process answers {answer.status}.")
        page = OpenPage(connection, answer)
        self._pages.append(page)
        wait_until(lambda: "data: hello" in page.lines)
        return page

    def status(
        self, client: Client, table: str = "", age: float = 0.0, path: str = PATH, **headers: str
    ) -> int:
        """The response to a request."""
        connection, answer = self._ask(client, table, age, path, headers)
        answer.close()
        connection.close()
        return answer.status

    def _ask(
        self,
        client: Client,
        table: str,
        age: float,
        path: str = PATH,
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> tuple[HTTPConnection, HTTPResponse]:
        headers = dict(more)
        session = client.cookies.get(settings.SESSION_COOKIE_NAME)
        if session is not None and "Cookie" not in headers:
            headers["Cookie"] = f"{settings.SESSION_COOKIE_NAME}={session.value}"
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)
        query = urlencode({"table": table, "age": age})
        try:
            connection.request("GET", f"{path}?{query}", headers=headers)
            return connection, connection.getresponse()
        except BaseException:
            connection.close()
            raise

    def settle(self) -> None:
        """Wait until all that was written by now has arrived: the last one came last."""
        received = threading.Event()
        hear: Callable[..., Any] = self.application.hub.changed

        def changed(topics: list[str]) -> Any:
            if "settled" in topics:
                received.set()
            return hear(topics)

        self.application.hub.changed = changed  # type: ignore[method-assign]
        try:
            live.changed.send(None, topics=["settled"])
            assert received.wait(PATIENCE_SECONDS)
        finally:
            self.application.hub.changed = hear  # type: ignore[method-assign]

    def close(self) -> None:
        for page in self._pages:
            page.close()


class OpenPage:
    """A stream that is read: its lines so far, and whether the server has ended it."""

    def __init__(self, connection: HTTPConnection, answer: HTTPResponse) -> None:
        self._socket = connection.sock
        self._answer = answer
        self.lines: list[str] = []
        self.is_over = False
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        with self._answer, suppress(OSError, HTTPException):
            for line in self._answer:
                self.lines.append(line.decode().rstrip("\n"))
        self.is_over = True

    @property
    def received(self) -> list[str]:
        """What the page received, in order: the label of what has changed, or "again", "over"."""
        received = [line.removeprefix("data: ") for line in self.lines if line.startswith("data: ")]
        return [one for one in received if one != "hello"]

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(SHUT_RDWR)
        self._reader.join(PATIENCE_SECONDS)
        self._socket.close()


@contextmanager
def live_process(*, is_heard: bool = True) -> Iterator[LiveProcess]:
    """A live process that hears what this process writes; from the beginning, if `is_heard`."""
    application = Live()
    with pytest.MonkeyPatch.context() as patch, ExitStack() as running:
        # Its threads leave no connection behind, which would hold up the end of the tests.
        patch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
        running.enter_context(woken())
        port = running.enter_context(served(application))
        wait_until(lambda: application.hub._listens_since or not is_heard)
        process = LiveProcess(application, port)
        try:
            yield process
        finally:
            process.close()
