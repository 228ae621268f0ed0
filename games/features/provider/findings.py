"""What `manage.py doctor` says of the provider."""

from collections.abc import Iterator

from django.conf import settings
from django.urls import reverse

from games.extensions import Finding
from games.features.provider import asking, configured


def findings() -> Iterator[Finding]:
    """Whether people can sign in with its accounts, and where it has to send them back."""
    provider = configured.provider()
    if provider is None:
        return
    part = f"Signing in with {provider.name}"
    if trouble := asking.why_not(provider.url):
        yield Finding(part, f"{trouble}.")
        return
    page = reverse("openid_connect_callback", kwargs={"provider_id": provider.key})
    text = f"it answers. It has to send people back to {settings.SITE_URL}{page}"
    yield Finding(part, text, is_well=True)
