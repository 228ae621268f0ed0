"""What the settings of the site say of the provider: those that `settings.add_to` adds."""

from typing import cast

from django.conf import settings

from games.features.provider.settings import Provider


def provider() -> Provider | None:
    """The provider; None if the host has named none."""
    return cast("Provider | None", settings.PROVIDER)  # type: ignore[misc] # mypy can't see it


def private_hosts() -> frozenset[str]:
    """Its host, if that may be inside the network of the site."""
    host = settings.OIDC_PRIVATE_HOST  # type: ignore[misc] # mypy can't see it
    return frozenset({host} if host else ())


def may_be_local() -> bool:
    """Whether it may be on this machine, without https."""
    return bool(settings.OIDC_MAY_BE_LOCAL)  # type: ignore[misc] # mypy can't see it
