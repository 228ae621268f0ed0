"""Where this server may connect to when somebody else says where: the public internet alone."""

import ipaddress
import socket
from collections.abc import Container
from concurrent.futures import Future
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from threading import Thread
from typing import Final

NAT64: Final = IPv6Network("64:ff9b::/96")
"""What a network without IPv4 of its own makes of an IPv4 address, which is its end (RFC 6052)."""

NEVER_PUBLIC: Final = (IPv6Network("::/96"), IPv6Network("64:ff9b:1::/48"))
"""IPv4 addresses as nobody writes them any more (RFC 4291); NAT64 within a network (RFC 8215)."""


class NotPublicError(Exception):
    """The name of a host leads to a place that is not on the public internet."""


def public_address(host: str, port: int, *, private: Container[str] = ()) -> str:
    """The address of a host, resolved once. `private` are the hosts that may be inside.

    Whoever connects to it, and not to the name, connects to what was checked.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [ipaddress.ip_address(where[0]) for *_rest, where in found]
    if host not in private:
        for address in addresses:
            if not _is_public(address):
                raise NotPublicError(f"{host} is at {address}, which is not public.")
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


def public_address_within(
    seconds: float, host: str, port: int, *, private: Container[str] = ()
) -> str:
    """The same, but TimeoutError if the name isn't resolved in so many seconds.

    The system's resolver knows no limit, so it works in a thread that nobody waits for any longer.
    """
    found: Future[str] = Future()

    def resolve() -> None:
        try:
            found.set_result(public_address(host, port, private=private))
        except (OSError, ValueError, NotPublicError) as reason:
            found.set_exception(reason)

    Thread(target=resolve, name="resolver", daemon=True).start()
    return found.result(seconds)
