"""Where this server may connect to when somebody else says where: the public internet alone."""

import ipaddress
import socket
from collections.abc import Container
from concurrent.futures import Future
from threading import Thread


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
            mapped = getattr(address, "ipv4_mapped", None) or address
            if not mapped.is_global or mapped.is_multicast:
                raise NotPublicError(f"{host} is at {address}, which is not public.")
    return str(addresses[0])


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
