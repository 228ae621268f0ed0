"""What the settings of the site get from the names of the servers that receive replies."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured

from intrigue_site.environment import text


def add_to(settings: dict[str, Any]) -> None:
    """Add where replies come in; they are off without the first two."""
    domain = text("MAIL_REPLIES_DOMAIN").lower()
    server = text("MAIL_AUTHSERV_ID").lower()
    if bool(domain) != bool(server):
        raise ImproperlyConfigured("Set both MAIL_REPLIES_DOMAIN and MAIL_AUTHSERV_ID, or neither.")
    settings.update(
        {
            "MAIL_REPLIES_DOMAIN": domain,
            "MAIL_AUTHSERV_ID": server,
            "LMTP_ADDRESS": text("LMTP_ADDRESS", "localhost:8024"),
        }
    )
