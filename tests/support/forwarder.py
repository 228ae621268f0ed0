"""What is between a process and its server: connections that are passed on, or cut off."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from tests.support.patience import wait_until
from tests.support.servers import free_port


class Forwarder:
    """A port whose connections end at another one, while it isn't cut off."""

    def __init__(self, target: tuple[str, int]) -> None:
        self.port = free_port()
        self._target = target
        self._sockets: set[socket.socket] = set()
        self._listening: socket.socket | None = None
        self._accepting: threading.Thread | None = None

    def mend(self) -> None:
        """Pass connections on, from now on."""
        listening = socket.create_server(("127.0.0.1", self.port))
        self._listening = listening
        self._accepting = threading.Thread(target=self._accept, args=(listening,), daemon=True)
        self._accepting.start()

    def cut(self) -> None:
        """End all connections, and refuse new ones."""
        if self._listening is not None and self._accepting is not None:
            _close(self._listening)
            self._accepting.join()  # so that it adds no connection after this
            self._listening = self._accepting = None
        while self._sockets:
            _close(self._sockets.pop())
        wait_until(self._is_refused)

    def _is_refused(self) -> bool:
        with socket.socket() as tried:
            return tried.connect_ex(("127.0.0.1", self.port)) != 0

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _address = listening.accept()
                try:
                    far = socket.create_connection(self._target)
                except OSError:  # the server is away, and may come back
                    _close(near)
                    continue
                self._sockets |= {near, far}
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_pass_on, args=(one, other), daemon=True).start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while said := one.recv(65536):
            other.sendall(said)
    _close(one)
    _close(other)


def _close(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextmanager
def forwarded(*target: Any) -> Iterator[Forwarder]:
    """A forwarder to this host and port, which passes connections on."""
    forwarder = Forwarder((str(target[0]), int(target[1])))
    forwarder.mend()
    try:
        yield forwarder
    finally:
        forwarder.cut()
