"""Asks the site by its public address, as visitors do, with a nonce of the doctor."""

import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import requests
from django.conf import settings
from requests.adapters import HTTPAdapter

from games.services.operations import probes
from games.services.operations.doctor.words import ahead

SECONDS: Final = 20.0
"""How long a connection may take, and each wait for something to be sent."""

BEFORE_ANOTHER_TRY: Final = 2.0

AWAY: Final = frozenset({502, 503, 504})
"""With these a proxy says that it can't reach what is behind it."""


class Reply(NamedTuple):
    """What one process answered to the doctor, and when it was asked."""

    status: int
    facts: dict[str, Any]
    """The JSON; nothing where it was something else."""

    location: str
    sent_at: float
    received_at: float

    @property
    def has_facts(self) -> bool:
        """Whether the process knew the nonce."""
        return "process" in self.facts

    @property
    def seconds_ahead(self) -> float:
        """How far its clock is ahead of ours."""
        return ahead(self.facts["now"], self.sent_at, self.received_at)


def get(path: str, **more: Any) -> requests.Response:
    """The response of the site; what fails or says that something is away is tried once more."""

    def ask() -> requests.Response:
        with _session() as session:
            return _get(session, path, **more)

    return _twice(ask, lambda response: response.status_code not in AWAY)


def _get(session: requests.Session, path: str, **more: Any) -> requests.Response:
    """Without following redirects: they are what the doctor wants to see."""
    return session.get(settings.SITE_URL + path, timeout=SECONDS, allow_redirects=False, **more)


def probe(path: str) -> Reply:
    """What the process behind this address tells a doctor."""

    def ask() -> Reply:
        with probes.asking() as nonce, _session() as session:
            sent_at = time.time()
            response = _get(session, path, params={probes.PARAMETER: nonce})
            return _reply(response, response.text, sent_at)

    return _twice(ask, lambda reply: reply.has_facts)


def probe_stream(path: str) -> Reply:
    """The same of a process that sends a stream: its first event, which comes before the end."""

    def ask() -> Reply:
        with probes.asking() as nonce, _session() as session:
            sent_at = time.time()
            parameters = {probes.PARAMETER: nonce}
            with _get(session, path, params=parameters, stream=True) as response:
                return _reply(response, _first_event(response), sent_at)

    return _twice(ask, lambda reply: reply.has_facts)


def _first_event(response: requests.Response) -> str:
    lines: Iterator[bytes] = response.iter_lines(chunk_size=1)
    try:
        return next((line.decode()[6:] for line in lines if line.startswith(b"data: ")), "")
    except requests.ConnectionError as silence:  # So requests calls a timeout here.
        raise requests.ReadTimeout(silence) from silence


def _reply(response: requests.Response, text: str, sent_at: float) -> Reply:
    try:
        facts = json.loads(text)
    except ValueError:
        facts = {}
    return Reply(
        response.status_code,
        facts if isinstance(facts, dict) else {},
        response.headers.get("Location", ""),
        sent_at,
        time.time(),
    )


def _twice[T](ask: Callable[[], T], is_good: Callable[[T], bool]) -> T:
    """What was answered; asks once more where it isn't good or nothing came."""
    try:
        if is_good(answer := ask()):
            return answer
    except OSError:  # those of requests are such
        pass
    time.sleep(BEFORE_ANOTHER_TRY)
    return ask()


class _SystemTrust(HTTPAdapter):
    """Trusts the certificates of the system, or of SSL_CERT_FILE, not those of requests."""

    def init_poolmanager(self, *about: Any, **more: Any) -> None:
        super().init_poolmanager(*about, ssl_context=ssl.create_default_context(), **more)

    def cert_verify(self, *_about: Any) -> None:
        """Leave it to the context."""


@contextmanager
def _session() -> Iterator[requests.Session]:
    """A new connection each time, so that each of several processes may get a turn."""
    with requests.Session() as session:
        session.trust_env = False
        session.mount("https://", _SystemTrust())
        yield session


def certificate_validity() -> tuple[datetime, datetime]:
    """Since when and until when the certificate of the site is good.

    `ssl.SSLCertVerificationError` where it can't be trusted; OSError where nothing answers.
    """
    return _twice(_certificate_validity, lambda _validity: True)


def _certificate_validity() -> tuple[datetime, datetime]:
    site = urlsplit(settings.SITE_URL)
    address = (site.hostname, site.port or 443)
    with (
        socket.create_connection(address, timeout=SECONDS) as connection,
        ssl.create_default_context().wrap_socket(
            connection, server_hostname=site.hostname
        ) as secured,
    ):
        known: dict[str, Any] = secured.getpeercert() or {}
    begins, ends = (
        datetime.fromtimestamp(ssl.cert_time_to_seconds(known[end]), UTC)
        for end in ("notBefore", "notAfter")
    )
    return begins, ends
