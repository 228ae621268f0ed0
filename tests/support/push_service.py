"""A push service of our own, on localhost over https, and a browser that decrypts what it gets."""

import json
import os
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import http_ece
import pytest
import trustme
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client

from games.features.push.keys import as_text
from games.models import User
from tests.support.client import browser
from tests.support.patience import PATIENCE_SECONDS


class Given(NamedTuple):
    """What was posted: where to, with which headers, and the encrypted body."""

    path: str
    headers: dict[str, str]
    body: bytes


class Browser:
    """The keys of a browser, and the form with which it subscribes."""

    def __init__(self, name: str = "a") -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = os.urandom(16)
        point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.endpoint = f"https://localhost/send/{name}"
        self.form = {
            "endpoint": self.endpoint,
            "p256dh": as_text(point),
            "auth": as_text(self.secret),
        }

    def read(self, given: Given) -> dict[str, Any]:
        """The content of a notification."""
        plain = http_ece.decrypt(
            given.body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )
        told: dict[str, Any] = json.loads(plain)
        return told


class PushService(ThreadingHTTPServer):
    """Takes notifications. `answer` is the status with which it does; 0 is never.

    The one for a path in `held` waits for its event, at most `PATIENCE_SECONDS`. With `drips` the
    answer comes one byte at a time. If it `drops`, the connection ends without one.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.given: list[Given] = []
        self.connected = 0
        self.answer = 201
        self.drips = False
        self.drops = False
        self.held: dict[str, threading.Event] = {}
        self.ended = threading.Event()

    def get_request(self) -> Any:
        self.connected += 1
        return super().get_request()

    def handle_error(self, *_about: object) -> None:
        """A client that goes away is none."""


class _Handler(BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.given.append(Given(self.path, dict(self.headers.items()), body))
        if self.server.drops:
            self.close_connection = True
            return
        if not self.server.answer:
            self.server.ended.wait()
        if self.path in self.server.held:
            self.server.held[self.path].wait(PATIENCE_SECONDS)
        if self.server.drips:
            for byte in b"HTTP/1.1 201 Created\r\nX-Slow: ".ljust(100, b"."):
                self.wfile.write(bytes([byte]))
                self.server.ended.wait(0.02)
            self.wfile.write(b"\r\n\r\n")
            return
        self.send_response(self.server.answer)
        self.send_header("Location", "https://localhost/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_about: object) -> None:
        """Say nothing."""


@contextmanager
def push_service(folder: Any) -> Iterator[tuple[PushService, str]]:
    """The service, and the file with the authority that has signed its certificate."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "authority.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    server = PushService()
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server, str(folder / "authority.pem")
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def subscribed(user: User, name: str = "a") -> tuple[Client, Browser]:
    """A browser of this person that is notified, and the client that is signed in there."""
    client, own = browser(user), Browser(name)
    answer = client.post("/accounts/notifications/on/", own.form)
    assert answer.status_code == 204
    return client, own


@contextmanager
def trusted_push_service(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[PushService]:
    """The same, to which the site of this test may connect."""
    with push_service(tmp_path) as (server, authority):
        monkeypatch.setenv("SSL_CERT_FILE", authority)
        settings.PUSH_PRIVATE_HOSTS = {"localhost": server.server_port}
        yield server
