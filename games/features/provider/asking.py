"""Asks the provider with whose accounts people may sign in. It is never found inside the network.

The host of the site says where the provider is, and the provider says where its parts are: each
name is resolved once, and connected to only if it is public; redirects are not followed.
"""

import socket
from typing import Any, Final
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import NewConnectionError

from games.features.provider import configured
from games.services.public_hosts import NotPublicError, public_address

SECONDS: Final = 5.0

LONGEST_ANSWER: Final = 1_000_000
"""How long one answer may be waited for."""

LOCAL: Final = frozenset({"localhost", "127.0.0.1"})


class _Checked(HTTPConnection):
    """A connection that is made to the address that was checked, and to no other."""

    def _new_conn(self) -> socket.socket:
        private = LOCAL if configured.may_be_local() else frozenset()
        try:
            address = public_address(self.host, self.port, private=private)
            return socket.create_connection((address, self.port), timeout=SECONDS)
        except (NotPublicError, OSError) as reason:
            raise NewConnectionError(self, str(reason)) from reason


class _CheckedSecure(_Checked, HTTPSConnection):
    """The same with https: the certificate is that of the name."""


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Checked


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _CheckedSecure


class _Checking(HTTPAdapter):
    def init_poolmanager(self, *arguments: Any, **more: Any) -> None:
        super().init_poolmanager(*arguments, **more)
        self.poolmanager.pool_classes_by_scheme = {"http": _Pool, "https": _SecurePool}


class _Session(requests.Session):
    """What asks the provider: over https, unless it is on this machine and may be."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        self.adapters.clear()
        self.mount("https://", _Checking())
        if configured.may_be_local():
            for host in LOCAL:
                self.mount(f"http://{host}:", _Checking())

    def request(self, *arguments: Any, **more: Any) -> requests.Response:
        """What it answers, which is short: a configuration, some keys, a token."""
        answer = super().request(*arguments, **{"timeout": SECONDS, **more, "stream": True})
        content = b""
        for some in answer.iter_content(2**16):
            content += some
            if len(content) > LONGEST_ANSWER:
                answer.close()
                raise requests.RequestException("its answer is too long")
        answer._content = content  # noqa: SLF001 - as requests itself does without `stream`
        return answer

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Nowhere: what another place answers is not what the provider says."""


def session() -> requests.Session:
    """A session for asking the provider."""
    return _Session()


def why_not(issuer: str) -> str:
    """Why nobody can sign in with the provider, for whoever runs the site; "" if they can."""
    try:
        with session() as asking:
            answer = asking.get(f"{issuer}/.well-known/openid-configuration")
            answer.raise_for_status()
            told = answer.json()
        own_name, page = str(told["issuer"]), urlsplit(str(told["authorization_endpoint"]))
    except requests.RequestException as failure:
        return f"it can't be asked: {failure}"
    except (KeyError, TypeError):
        return "it doesn't speak OpenID Connect"
    if own_name.rstrip("/") != issuer:
        return f"OIDC_URL must be its issuer, {own_name}"
    if (page.scheme, page.netloc) != urlsplit(issuer)[:2]:
        return f"its page is at {page.netloc}, where browsers aren't let go: not at OIDC_URL"
    return ""
