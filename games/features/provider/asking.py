"""Asks the provider with whose accounts people may sign in. It is never found inside the network.

The host of the site says where the provider is, and the provider says where its parts are.
"""

from typing import Final
from urllib.parse import urlsplit

import requests

from games.features.provider import configured
from games.services.public_http import PublicAdapter, PublicSession

LOCAL: Final = frozenset({"localhost", "127.0.0.1"})


def session() -> requests.Session:
    """What asks the provider: over https, unless it is on this machine and may be."""
    private = LOCAL if configured.may_be_local() else frozenset()
    made = PublicSession(private=private)
    for host in private:
        made.mount(f"http://{host}:", PublicAdapter(private=private))
    return made


def why_not(issuer: str) -> str:
    """The reason why nobody can sign in with the provider, for the host; "" if they can."""
    try:
        with session() as asking:
            response = asking.get(f"{issuer}/.well-known/openid-configuration")
            response.raise_for_status()
            configuration = response.json()
        own_name, page = (
            str(configuration["issuer"]),
            urlsplit(str(configuration["authorization_endpoint"])),
        )
    except requests.RequestException as failure:
        return f"it can't be asked: {failure}"
    except (KeyError, TypeError):
        return "it doesn't speak OpenID Connect"
    if own_name.rstrip("/") != issuer:
        return f"OIDC_URL must be its issuer, {own_name}"
    if (page.scheme, page.netloc) != urlsplit(issuer)[:2]:
        return f"its page is at {page.netloc}, where browsers aren't let go: not at OIDC_URL"
    return ""
