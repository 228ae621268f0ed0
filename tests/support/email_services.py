"""Postmark and Mailgun as far as this site knows them: HTTP servers that play their APIs."""

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from intrigue_site.email_service import events_by, service_at

TAKEN = {
    "postmark": {"ErrorCode": 0, "Message": "OK", "MessageID": "b7bc2f4a", "To": ""},
    "mailgun": {"id": "<1@example.org>", "message": "Queued. Thank you."},
}
ADDRESSES = {
    "postmark": "postmark://Secret-Token?api_url={url}",
    "mailgun": "mailgun://key-Secret@mail.example.org?api_url={url}",
}
SECRETS = {"postmark": "postmark:Pssst", "mailgun": "signing-key-Pssst"}


class Asked(NamedTuple):
    """One request: its path, headers and what was posted."""

    path: str
    headers: dict[str, str]
    data: dict[str, Any]


class EmailService(ThreadingHTTPServer):
    """Responds with `status` and `answer`; with no word where `drops`; never where `hangs`."""

    daemon_threads = True

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[Asked] = []
        self.connections = 0
        self.status, self.answer = 200, answer
        self.drops = False
        self.hangs = False
        self.ended = threading.Event()

    def get_request(self) -> Any:
        self.connections += 1
        return super().get_request()

    def handle_error(self, *_about: object) -> None:
        """A client that goes away is none."""


class _Handler(BaseHTTPRequestHandler):
    server: EmailService
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        is_json = "json" in self.headers["Content-Type"]
        data = json.loads(body) if is_json else dict(parse_qsl(body))
        self.server.asked.append(Asked(self.path, dict(self.headers.items()), data))
        if self.server.hangs:
            self.server.ended.wait()
        if self.server.drops or self.server.hangs:
            self.close_connection = True
            return
        answer = dict(self.server.answer)
        if answer.get("To") == "":
            answer["To"] = data["To"]
        content = json.dumps(answer).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_about: object) -> None:
        """Say nothing."""


@contextmanager
def email_service(name: str, settings: Any) -> Iterator[EmailService]:
    """A service to which Django's email goes as long as the context lasts."""
    server = EmailService(TAKEN[name])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/"
    service = service_at(ADDRESSES[name].format(url=url), bounces="")
    settings.EMAIL_SERVICE, settings.MAILERS = service, {"default": service.mailer}
    settings.EMAIL_EVENTS_SECRET = SECRETS[name]
    settings.ANYMAIL = events_by(name, SECRETS[name])
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


def signed_by_mailgun(
    secret: str = SECRETS["mailgun"], *, stamp: str | None = None, token: str | None = None
) -> dict[str, str]:
    """What Mailgun puts into everything that it posts; a new token each time."""
    stamp, token = stamp or str(int(time.time())), token or secrets.token_hex(25)
    signature = hmac.new(secret.encode(), f"{stamp}{token}".encode(), hashlib.sha256).hexdigest()
    return {"timestamp": stamp, "token": token, "signature": signature}
