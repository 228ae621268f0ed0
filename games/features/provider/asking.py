"""Asks the provider with whose accounts people may sign in.

The host of the site says where the provider is, and the provider says where its parts are. None is
ever found inside the network, but for what is at the provider's own host, if that may be there.
"""

import ssl
from typing import Final
from urllib.parse import urlsplit

import requests

from games.features.provider import configured
from games.services.public_http import NOT_PUBLIC, PublicAdapter, PublicSession

LOCAL: Final = frozenset({"localhost", "127.0.0.1"})


def session() -> requests.Session:
    """What asks the provider: over https, unless it is on this machine and may be."""
    if not configured.may_be_local():
        return PublicSession(private=configured.private_hosts())
    made = PublicSession(private=LOCAL)
    for host in LOCAL:
        made.mount(f"http://{host}:", PublicAdapter(private=LOCAL))
    return made


def in_words(failure: Exception) -> str:
    """What went wrong, in the words of the system and not in those of the libraries between."""
    cause: BaseException = failure
    while inner := cause.__cause__ or cause.__context__:
        cause = inner
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate isn't good ({cause.verify_message})"
    said = (cause.strerror if isinstance(cause, OSError) else "") or str(cause)
    if isinstance(failure, requests.exceptions.InvalidURL) and NOT_PUBLIC in said:
        return f"{said} Set OIDC_ALLOW_PRIVATE=yes if it is in your own network"
    return said


def why_not(issuer: str) -> str:
    """The reason why nobody can sign in with the provider, for the host; "" if they can."""
    try:
        with session() as asking:
            response = asking.get(f"{issuer}/.well-known/openid-configuration")
        if not response.ok:
            return f"{response.url} answers with {response.status_code}"
        configuration = response.json()
        own_name, page = (
            str(configuration["issuer"]),
            urlsplit(str(configuration["authorization_endpoint"])),
        )
    except (KeyError, TypeError, requests.exceptions.JSONDecodeError):
        return "it doesn't speak OpenID Connect"
    except requests.RequestException as failure:
        return f"it can't be asked: {in_words(failure)}"
    if own_name.rstrip("/") != issuer:
        return f"OIDC_URL must be its issuer, {own_name}"
    if (page.scheme, page.netloc) != urlsplit(issuer)[:2]:
        return f"its page is at {page.netloc}, where browsers aren't let go: not at OIDC_URL"
    return ""
