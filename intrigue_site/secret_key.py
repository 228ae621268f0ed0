"""The check that stops web, worker and beat without a strong secret key."""

from django.core.checks.security.base import check_secret_key
from django.core.exceptions import ImproperlyConfigured


def require_strong_secret_key() -> None:
    """Raise ImproperlyConfigured where SECRET_KEY is missing or weak by Django's own measure."""
    if check_secret_key(None):
        raise ImproperlyConfigured(
            "SECRET_KEY is missing or weak: set it in the environment to a secret random text of "
            "50 characters or more."
        )
