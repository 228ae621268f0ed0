"""What the settings of the site get from the provider that the environment names.

Django isn't set up yet when this is read.
"""

import ipaddress
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from django.core.exceptions import ImproperlyConfigured

from intrigue_site.environment import flag, secret, text

VARIABLES: Final = ("OIDC_NAME", "OIDC_URL", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET")
LOCAL: Final = {"localhost", "127.0.0.1"}


class Provider(NamedTuple):
    """What the environment says of it; `url` is its issuer."""

    name: str
    url: str
    client_id: str
    secret: str

    @property
    def host(self) -> str:
        """The name of its machine."""
        return urlsplit(self.url).hostname or ""

    @property
    def origin(self) -> str:
        """Where its pages are, as a content security policy names them."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def key(self) -> str:
        """What its accounts are stored under, and a part of the address people come back to.

        It follows from the issuer, so that somebody's number at one provider never counts at
        another.
        """
        return re.sub(r"[^a-z0-9.]+", "-", self.url.partition("://")[2].lower()).strip("-")

    def for_allauth(self) -> dict[str, Any]:
        """The setting SOCIALACCOUNT_PROVIDERS."""
        app = {
            "provider_id": self.key,
            "name": self.name,
            "client_id": self.client_id,
            "secret": self.secret,
            "settings": {"server_url": self.url},
        }
        return {"openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}}


def add_to(settings: dict[str, Any]) -> None:
    """Add the provider, and what django-allauth has to know for it."""
    may_be_local = settings["DEMO"] or settings["DEBUG"]
    said = {name: text(name) for name in VARIABLES}
    said["OIDC_CLIENT_SECRET"] = secret("OIDC_CLIENT_SECRET")
    may_be_private = flag("OIDC_ALLOW_PRIVATE")
    provider = provider_in(said, may_be_local=may_be_local, may_be_private=may_be_private)
    settings["INSTALLED_APPS"].append("allauth.socialaccount.providers.openid_connect")
    settings.update(
        {
            "PROVIDER": provider,
            # In the demo it may be on this machine, without https.
            "OIDC_MAY_BE_LOCAL": may_be_local,
            # The host that may be inside the network, where that is allowed.
            "OIDC_PRIVATE_HOST": provider.host if provider and may_be_private else "",
            "SOCIALACCOUNT_ADAPTER": "games.features.provider.adapter.ProviderAdapter",
            "SOCIALACCOUNT_PROVIDERS": provider.for_allauth() if provider else {},
            "SOCIALACCOUNT_FORMS": {"signup": "games.features.provider.forms.ProviderSignUpForm"},
            # A name and a zone are asked for, and an account is never entered by its address.
            "SOCIALACCOUNT_AUTO_SIGNUP": False,
            "SOCIALACCOUNT_EMAIL_AUTHENTICATION": False,
            "SOCIALACCOUNT_STORE_TOKENS": False,
        }
    )
    if provider:
        # The sign-in leads to its page.
        settings["SECURE_CSP"]["form-action"].append(provider.origin)


def provider_in(
    environment: Mapping[str, str], *, may_be_local: bool, may_be_private: bool = False
) -> Provider | None:
    """The provider that these variables name; None if none of them is set.

    `may_be_local` is for trying it out: a provider on this very machine, without https. One that
    `may_be_private` is inside the network of the site, with https.
    """
    missing = [name for name in VARIABLES if not environment.get(name)]
    if len(missing) == len(VARIABLES):
        return None
    if missing:
        raise ImproperlyConfigured(
            f"{' and '.join(missing)} must be set too: to sign in with a provider, all of "
            f"{', '.join(VARIABLES)} are needed."
        )
    name, url, client_id, secret = (environment[one] for one in VARIABLES)
    url = url.rstrip("/")
    _refuse(url, may_be_local=may_be_local, may_be_private=may_be_private)
    return Provider(name, url, client_id, secret)


def _refuse(url: str, *, may_be_local: bool, may_be_private: bool) -> None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        parts = SplitResult("", "", "", "", "")
    host = parts.hostname or ""
    if may_be_local and host in LOCAL and parts.scheme in {"http", "https"}:
        return
    if parts.scheme != "https" or not host or parts.query or parts.fragment or "@" in parts.netloc:
        raise ImproperlyConfigured(
            "OIDC_URL must be the https address of the provider (its issuer), such as "
            "https://login.example.org."
        )
    if not may_be_private and (host in LOCAL or not _may_be_public(host)):
        raise ImproperlyConfigured(
            f"OIDC_URL must be a public address; {host} is none. Set OIDC_ALLOW_PRIVATE=yes if the "
            "provider is in your own network."
        )


def _may_be_public(host: str) -> bool:
    """Whether a host isn't a number inside a network. Names are looked up when they are used."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_global
    return True
