"""Which code a process runs, and with which secrets and settings; so that two can be compared.

All processes of a site must agree in these. What is secret is told as a fingerprint.
"""

import hashlib
import hmac
import time
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

DIGITS: Final = 12

MUST_AGREE: Final = (
    ("SITE_URL", "SITE_URL"),
    ("MAIL_FROM", "DEFAULT_FROM_EMAIL"),
    ("MAIL_REPLIES_DOMAIN", "MAIL_REPLIES_DOMAIN"),
    ("FEATURES_OFF", "FEATURES_OFF"),
    ("PUSH_KEY", "PUSH_KEY"),
    ("OIDC_…", "PROVIDER"),
    ("SIGN_UP", "SIGN_UP"),
    ("WATCHING", "WATCHING"),
    ("TIME_ZONE", "TIME_ZONE"),
    ("DEBUG", "DEBUG"),
    ("DEMO", "DEMO"),
)
"""The variables that must be the same for all processes, and the settings that they become."""


class Identity(NamedTuple):
    """The answer of one process to another one that asks who it is; all of it can be JSON."""

    version: str
    commit: str
    """12 hexadecimal digits, or "" where nothing tells it."""

    key: str
    """A fingerprint of SECRET_KEY; "" without one."""

    settings: dict[str, str]
    """Fingerprints by the name of the variable, keyed by SECRET_KEY: to be compared only where
    `key` is the same."""

    now: float
    """Seconds since 1970 by the clock of the machine."""


def identity() -> Identity:
    """Who this process is. Asks nobody, also not the database."""
    secret = _secret()
    database = settings.DATABASES["default"]["NAME"]
    values = {variable: getattr(settings, name, "") for variable, name in MUST_AGREE}
    return Identity(
        version=settings.VERSION,
        commit=settings.COMMIT,
        key=_fingerprint(secret, "SECRET_KEY") if secret else "",
        settings={
            variable: _fingerprint(secret, variable, repr(value))
            for variable, value in {**values, "DATABASE_URL": database}.items()
        },
        now=time.time(),
    )


def _secret() -> str:
    try:
        return settings.SECRET_KEY
    except ImproperlyConfigured:
        return ""


def _fingerprint(secret: str, *what: str) -> str:
    text = "\0".join(("intrigue identity", *what))
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()[:DIGITS]


def disagreement(who: str, theirs: dict[str, Any]) -> str:
    """What is wrong about the answer of another process, with what to do; "" if all agrees.

    `who` begins the sentence, such as "The web server" or "The worker celery@host".
    """
    ours = identity()
    if "version" not in theirs:
        return before_1_0(who)
    if theirs["version"] != ours.version or _differ(theirs.get("commit"), ours.commit):
        return f"{who} runs {named(theirs)}, and this is {named(ours._asdict())}. {RESTART}"
    if theirs.get("key") != ours.key:
        return (
            f"{who} has another SECRET_KEY than this command, so what one of them signs, such as "
            "links in email, the other refuses. Give all processes the same, then restart them."
        )
    stated = theirs.get("settings", {})
    names = [name for name, value in ours.settings.items() if stated.get(name, value) != value]
    if not names:
        return ""
    return (
        f"{who} has another {', another '.join(names)} than this command. Give all processes the "
        "same environment, then restart them."
    )


def before_1_0(who: str) -> str:
    """The sentence about a process that doesn't say which version it is."""
    return f"{who} runs a version before 1.0. {RESTART}"


RESTART: Final = "Install the same version everywhere, then restart all processes."


def named(identity: dict[str, Any]) -> str:
    """A version with its commit, such as "1.0.0 (0123456789ab)"."""
    commit = identity.get("commit")
    return f"{identity['version']} ({commit})" if commit else str(identity["version"])


def _differ(one: str | None, other: str) -> bool:
    """Whether both are known, and not the same."""
    return bool(one and other and one != other)
