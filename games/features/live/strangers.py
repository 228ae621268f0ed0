"""Requests with sessions that nobody has: a network that makes them up has to wait.

So they cost the database no more than a few queries a minute, however many there are.
"""

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, Final

from django.http import HttpRequest

from games.accounts import address_of
from games.services.accounts.sign_ins import network_of

MOST: Final = 30
"""So many sessions that nobody has are looked up for one network."""

WITHIN: Final = 60.0
"""Seconds from the first of them, after which it begins anew."""

REMEMBERED: Final = 10_000
"""So many networks, and so many sessions, are remembered: the oldest are forgotten."""


class Strangers:
    """Networks with too many bad lookups. Sessions that were good are looked up all the same, so
    that no stranger keeps others of their network from what is theirs.
    """

    def __init__(self) -> None:
        self._lookups: dict[str, tuple[float, int]] = {}
        self._good: dict[str, None] = {}

    def must_wait(self, network: str, session_key: str) -> bool:
        """Whether this session isn't to be looked up now."""
        return session_key not in self._good and self._count(network)[1] >= MOST

    def record(self, network: str, session_key: str, *, is_good: bool) -> None:
        """Record what was found when a session was looked up."""
        self._good.pop(session_key, None)
        if is_good:
            self._good[session_key] = None
            _forget_oldest(self._good)
        else:
            since, count = self._count(network)
            self._lookups[network] = since, count + 1
            _forget_oldest(self._lookups)

    def _count(self, network: str) -> tuple[float, int]:
        """The time of the first bad lookup, and how many there were."""
        now = monotonic()
        since, count = self._lookups.get(network, (now, 0))
        return (since, count) if now - since < WITHIN else (now, 0)


def _forget_oldest(remembered: dict[str, Any]) -> None:
    while len(remembered) > REMEMBERED:
        remembered.pop(next(iter(remembered)), None)


def network_asking(scope: Mapping[str, Any]) -> str:
    """The network from which a request comes, behind the proxies that the site trusts."""
    return network_of(address_of(request_of(scope)))


def request_of(scope: Mapping[str, Any]) -> HttpRequest:
    """A request that knows no more than from where it comes."""
    request = HttpRequest()
    forwarded: Sequence[bytes] = [
        value for name, value in scope["headers"] if name == b"x-forwarded-for"
    ]
    request.META["REMOTE_ADDR"] = (scope.get("client") or ("", 0))[0]
    if forwarded:
        request.META["HTTP_X_FORWARDED_FOR"] = b",".join(forwarded).decode("latin-1")
    return request
