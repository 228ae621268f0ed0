"""What the settings of the site get from the address of a Sentry; without one, nothing is sent."""

from importlib.util import find_spec
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from intrigue_site.environment import secret


def add_to(settings: dict[str, Any]) -> None:
    """Add the address, with the key in it."""
    dsn = settings["SENTRY_DSN"] = secret("SENTRY_DSN")
    if not dsn:
        return
    if find_spec("sentry_sdk") is None:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set, but sentry-sdk isn't installed: run "
            "pip install --require-hashes -r requirements.txt -r requirements-sentry.txt."
        )
    from sentry_sdk.utils import BadDsn, Dsn  # only where it is used

    try:
        Dsn(dsn)
    except BadDsn:
        # Without the reason, which may have the key.
        raise ImproperlyConfigured(
            "SENTRY_DSN must be the address that Sentry shows under Client Keys, such as "
            "https://KEY@sentry.example.org/1."
        ) from None
