"""Open pages as a live process sees them: streams that are read, and asked for again."""

import threading
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

from tests.faults.site import proxied

BETWEEN_TRIES = 0.5
SILENCE = 60
"""Seconds: longer than a stream is silent."""


class Page:
    """Somebody's open page of a table: since when what it shows is as it was served.

    It looks as `live.js` does, without the waits: when it is told to, and as a stream ends.
    """

    def __init__(self, port: int, cookie: str, table: str) -> None:
        self.port = port
        self.cookie = cookie
        self.table = table
        self.looked_at = time.monotonic()
        self.is_listening = threading.Event()
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while not self._is_closed.is_set():
            with suppress(OSError, HTTPException):
                self._read()
            if self.is_listening.is_set():
                self.looked_at = time.monotonic()
                self.is_listening.clear()
            self._is_closed.wait(BETWEEN_TRIES)

    def _read(self) -> None:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=SILENCE)
        age = time.monotonic() - self.looked_at
        query = urlencode({"table": self.table, "age": f"{age:.1f}"})
        headers = proxied() | {"Cookie": self.cookie}
        try:
            connection.request("GET", f"/live/?{query}", headers=headers)
            answer = connection.getresponse()
            if answer.status != 200:
                return
            for line in answer:
                if line.startswith(b"event: hello"):
                    self.is_listening.set()
                elif line.startswith((b"event: changed", b"event: look")):
                    self.looked_at = time.monotonic()
                if self._is_closed.is_set():
                    return
        finally:
            connection.close()

    def close(self) -> None:
        self._is_closed.set()
