"""The settings for replies, which `settings.add_to` adds."""

from django.conf import settings


def replies_domain() -> str:
    """The domain to which players reply, as the host has written it; "" if replies are off."""
    return str(settings.MAIL_REPLIES_DOMAIN)  # type: ignore[misc] # mypy can't see it


def mail_server() -> str:
    """The name in `Authentication-Results` of the mail server that receives replies."""
    return str(settings.MAIL_AUTHSERV_ID)  # type: ignore[misc] # mypy can't see it


def lmtp_address() -> str:
    """Where it delivers them: host and port, or the path of a socket."""
    return str(settings.LMTP_ADDRESS)  # type: ignore[misc] # mypy can't see it
