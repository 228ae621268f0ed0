"""The way email is sent: a mail server or a service, from the environment."""

from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

SECONDS: Final = 20
"""How long each response may take."""

SECURITY: Final = {
    "smtp": ("none", 25), "smtp+starttls": ("starttls", 587), "smtps": ("tls", 465),
}  # fmt: skip
"""The ways to a mail server, with what `SMTP_SECURITY` calls them and their usual ports."""

POSSIBLE: Final = (
    "smtp+starttls://USER:PASSWORD@HOST:587, smtps://USER:PASSWORD@HOST:465, "
    "postmark://TOKEN or mailgun://KEY@DOMAIN"
)

OPTIONS: Final = frozenset({"api_url", "message_stream"})
"""What may follow the "?" of a service's address: other options of anymail's backends."""


class EmailService(NamedTuple):
    """The default of Django's `MAILERS`, and what kind of service it is."""

    mailer: dict[str, Any]
    kind: str = ""
    """"postmark" or "mailgun"; "" where it is a mail server."""


def mail_server(
    *, host: str, port: int, user: str, password: str, security: str, bounces: str
) -> EmailService:
    """A mail server; email that it can't deliver comes back to `bounces`, if there is one."""
    if security not in {name for name, _port in SECURITY.values()}:
        raise ImproperlyConfigured("SMTP_SECURITY must be none, starttls or tls.")
    options = {
        "return_address": bounces,
        "host": host,
        "port": port,
        "username": user,
        "password": password,
        "use_tls": security == "starttls",
        "use_ssl": security == "tls",
        "timeout": SECONDS,
    }
    return EmailService({"BACKEND": "intrigue_site.smtp.EmailBackend", "OPTIONS": options})


def service_at(address: str, *, bounces: str) -> EmailService:
    """What `EMAIL_URL` names. A wrong address is not repeated in the error: it has a secret."""
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    # As it stands: what urlsplit takes for the name of a host would be in small letters.
    user, _, rest = (unquote(part) for part in parts.netloc.rpartition("@"))
    if parts.scheme in SECURITY and parts.hostname:
        return _mail_server_at(parts, bounces)
    if parts.scheme == "postmark" and rest and not user:
        # With this header Postmark keeps our Message-ID, so that what comes twice shows once.
        kept = {"extra_headers": {"X-PM-KeepID": "true"}}
        return _service(parts, {"server_token": rest, "send_defaults": kept})
    if parts.scheme == "mailgun" and rest and user:
        return _service(parts, {"api_key": user, "sender_domain": rest})
    raise ImproperlyConfigured(f"EMAIL_URL must be an address such as {POSSIBLE}.")


def _mail_server_at(parts: SplitResult, bounces: str) -> EmailService:
    security, usual = SECURITY[parts.scheme]
    try:
        port = parts.port or usual
    except ValueError:
        raise ImproperlyConfigured("The port in EMAIL_URL must be a number.") from None
    return mail_server(
        host=parts.hostname or "",
        port=port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        security=security,
        bounces=bounces,
    )


def _service(parts: SplitResult, options: dict[str, Any]) -> EmailService:
    more = dict(parse_qsl(parts.query))
    if unknown := set(more) - OPTIONS:
        raise ImproperlyConfigured(f"EMAIL_URL has an unknown option: {min(unknown)}.")
    backend = f"anymail.backends.{parts.scheme}.EmailBackend"
    mailer = {"BACKEND": backend, "OPTIONS": {"timeout": SECONDS, **options, **more}}
    return EmailService(mailer, parts.scheme)


def events_by(kind: str, secret: str) -> dict[str, str]:
    """The settings of anymail for the reports of this service.

    With the secret of another service nothing stops, and email leaves: only what this one reports
    is refused, for want of proof.
    """
    if kind == "mailgun":
        return {"MAILGUN_WEBHOOK_SIGNING_KEY": secret}
    return {"WEBHOOK_SECRET": secret}
