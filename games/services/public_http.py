"""Asks servers of which somebody else says where they are: a push service, a provider of accounts.

The name of each is resolved once, and connected to only if it is public; redirects are not
followed, and no proxy is asked. Certificates are checked against those that the system trusts.
"""

import ipaddress
import socket
import ssl
import time
from collections.abc import Container
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter

SECONDS: Final = 5.0
"""How long one request may take in all, from the name to the end of the response."""

LONGEST_RESPONSE: Final = 1_000_000
"""How many bytes a response may have."""

NAT64: Final = IPv6Network("64:ff9b::/96")
"""What a network without IPv4 of its own makes of an IPv4 address, which is its end (RFC 6052)."""

NEVER_PUBLIC: Final = (IPv6Network("::/96"), IPv6Network("64:ff9b:1::/48"))
"""IPv4 addresses as nobody writes them any more (RFC 4291); NAT64 within a network (RFC 8215)."""

NOT_PUBLIC: Final = "which is not public"


class NoResponseError(requests.RequestException):
    """The request was sent and no whole response came back, so it may have arrived."""


class PublicSession(requests.Session):
    """A session that asks by https, at public addresses and at the `private` hosts.

    Whatever goes wrong is a RequestException, so an OSError: also a ValueError if the address can
    never be connected to, and a NoResponseError once something was sent. With `stream` the body
    of a response isn't read, and can't be.
    """

    def __init__(self, *, seconds: float = SECONDS, private: Container[str] = ()) -> None:
        super().__init__()
        self.trust_env = False
        self.adapters.clear()
        self.mount("https://", PublicAdapter(seconds=seconds, private=private))

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Nowhere: the response of another place is not the one that was requested."""


class PublicAdapter(HTTPAdapter):
    """Connects to the address that was checked, and to no other, and gives up in time.

    Where it is mounted for http, it can't tell what was sent, and each read of the header has the
    time to itself.
    """

    def __init__(self, *, seconds: float = SECONDS, private: Container[str] = ()) -> None:
        super().__init__()
        self._seconds = seconds
        self._private = private

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,  # noqa: FBT001, FBT002 (that of requests)
        *_fixed: Any,
        **_more: Any,
    ) -> requests.Response:
        attempt = _Attempt(time.monotonic() + self._seconds)
        token = _current.set(attempt)
        try:
            attempt.address = self._resolve(urlsplit(str(request.url)).hostname or "")
            response = super().send(request, stream=True, timeout=attempt.left())
            return response if stream else _read(response, attempt)
        except requests.RequestException as failure:
            if attempt.is_sent:
                raise NoResponseError(failure) from failure
            raise
        finally:
            _current.reset(token)

    def _resolve(self, name: str) -> str:
        try:
            return _public_address(name, seconds=self._seconds, private=self._private)
        except OSError as reason:
            raise requests.ConnectionError(f"{name} can't be resolved: {reason}") from reason
        except ValueError as reason:
            raise requests.exceptions.InvalidURL(reason) from reason

    def build_connection_pool_key_attributes(self, *about: Any, **more: Any) -> Any:
        """Whom to connect to: the address, which has to prove to be that of the name."""
        server, tls = super().build_connection_pool_key_attributes(*about, **more)
        context = ssl.create_default_context()
        context.sslsocket_class = _Socket
        tls |= {"server_hostname": server["host"], "ssl_context": context}
        return server | {"host": _current.get().address}, tls

    def cert_verify(self, *_about: Any) -> None:
        """Leave it to the context, instead of trusting what requests brings with it."""

    def add_headers(self, request: requests.PreparedRequest, **_more: Any) -> None:
        """Ask for the name, although the connection is to its address."""
        request.headers["Host"] = urlsplit(str(request.url)).netloc.rpartition("@")[2]


def _read(response: requests.Response, attempt: "_Attempt") -> requests.Response:
    content = b""
    for some in response.iter_content(2**16):
        content += some
        if len(content) > LONGEST_RESPONSE:
            response.close()
            raise requests.RequestException("its answer is too long")
        attempt.left()
    response._content = content  # noqa: SLF001 - as requests itself does without `stream`
    return response


@dataclass
class _Attempt:
    """A request on its way: when it has to be over, its address, and whether it was sent."""

    until: float
    address: str = ""
    is_sent: bool = False

    def left(self) -> float:
        left = self.until - time.monotonic()
        if left <= 0:
            raise requests.Timeout("it takes too long")
        return left


_current: Final[ContextVar[_Attempt]] = ContextVar("_current")


class _Socket(ssl.SSLSocket):
    """Gives up in time, though something comes again and again."""

    def do_handshake(self, *how: Any) -> None:
        self.settimeout(_current.get().left())
        super().do_handshake(*how)

    def recv_into(self, *where: Any, **more: Any) -> int:
        self.settimeout(_current.get().left())
        return super().recv_into(*where, **more)

    def send(self, *what: Any, **more: Any) -> int:
        _current.get().is_sent = True
        self.settimeout(_current.get().left())
        return super().send(*what, **more)


def _public_address(host: str, *, seconds: float, private: Container[str]) -> str:
    """Resolve a host, once. `private` are the hosts that may be inside a network.

    Whoever connects to the address, and not to the name, connects to what was checked. ValueError
    if it is not public, or the name can be none; OSError if it isn't resolved in so many seconds.
    """
    found: Future[str] = Future()

    def resolve() -> None:
        try:
            found.set_result(_checked(host, private))
        except (OSError, ValueError) as reason:
            found.set_exception(reason)

    # The system's resolver knows no limit, so nobody waits for it any longer.
    Thread(target=resolve, name="resolver", daemon=True).start()
    return found.result(seconds)


def _checked(host: str, private: Container[str]) -> str:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(where[0]) for *_rest, where in found]
    if host not in private:
        for address in addresses:
            if not _is_public(address):
                raise ValueError(f"{host} is at {address}, {NOT_PUBLIC}.")
    return str(addresses[0])


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address, and the IPv4 address in it if there is one, is one of the internet."""
    if isinstance(address, IPv6Address):
        if address.is_site_local or any(address in network for network in NEVER_PUBLIC):
            return False
        inner = address.ipv4_mapped
        if address in NAT64:
            inner = IPv4Address(address.packed[-4:])
        if inner is not None:
            return _is_public(inner)
    return address.is_global and not address.is_multicast
