"""What the environment says: the names of all variables that the site reads, and its secrets.

docs/settings.md says what each of them means. An empty one counts as not set.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

SECRETS: Final = (
    "CELERY_BROKER_URL", "DATABASE_DIRECT_URL", "DATABASE_URL", "EMAIL_EVENTS_SECRET", "EMAIL_URL",
    "METRICS_TOKEN", "OIDC_CLIENT_SECRET", "PUSH_KEY", "SECRET_KEY", "SENTRY_DSN",
    "SMTP_PASSWORD",
)  # fmt: skip
"""Those that may be in a file, too (`secret`)."""

VARIABLES: Final = (
    *SECRETS, "ALLOWED_HOSTS", "DEBUG", "DEMO", "FEATURES_OFF", "LEGAL_DIR", "LMTP_ADDRESS",
    "LOG_FORMAT", "MAIL_AUTHSERV_ID", "MAIL_BOUNCES", "MAIL_FROM", "MAIL_REPLIES_DOMAIN",
    "OIDC_ALLOW_PRIVATE", "OIDC_CLIENT_ID", "OIDC_NAME", "OIDC_URL", "ROBOTS", "SIGN_UP",
    "SITE_URL", "SMTP_HOST", "SMTP_PORT", "SMTP_SECURITY", "SMTP_USER", "SWEEP_SECONDS",
    "TIME_ZONE", "TRUSTED_PROXIES", "VAR_DIR", "WATCHING",
)  # fmt: skip
"""All that the settings of the site and of its features read."""

READ_ELSEWHERE: Final = ("COMMIT", "LIVE_PORT", "PORT", "SSL_CERT_FILE")

YES: Final = ("1", "yes", "y", "true", "t", "on", "ok")
NO: Final = ("0", "no", "n", "false", "f", "off", "")

SIMILAR: Final = 0.8
"""How much a name has to resemble that of a variable to be taken for a mistake, by difflib."""


def text(name: str, default: str = "") -> str:
    """The value of a variable, as it is."""
    return os.environ.get(name) or default


def flag(name: str) -> bool:
    """Whether a variable is set to something like 1, yes, true or on."""
    said = text(name).lower()
    if said not in {*YES, *NO}:
        raise ImproperlyConfigured(f"{name} must be yes or no, not {text(name)}.")
    return said in YES


def number[Kind: (int, float)](name: str, default: Kind, *, least: Kind, most: Kind) -> Kind:
    """The value of a variable that is a number; ImproperlyConfigured if it isn't one of these."""
    said = text(name)
    with suppress(ValueError):
        value = type(default)(said or default)
        if least <= value <= most:
            return value
    kind = "whole number" if isinstance(default, int) else "number"
    raise ImproperlyConfigured(f"{name} must be a {kind} from {least} to {most}, not {said}.")


def secret(name: str) -> str:
    """The value of a secret: of the variable, or of the file with it; "" where there is neither.

    The file is named by NAME_FILE, or it is the credential NAME that systemd passes on. What is
    wrong is an ImproperlyConfigured, which never repeats the secret.
    """
    places = {name: text(name), f"{name}_FILE": text(f"{name}_FILE")}
    credential = Path(text("CREDENTIALS_DIRECTORY"), name)
    if text("CREDENTIALS_DIRECTORY") and credential.exists():
        places[f"systemd's credential {name}"] = str(credential)
    given = {place: value for place, value in places.items() if value}
    if len(given) > 1:
        raise ImproperlyConfigured(f"{' and '.join(given)} are set: only one of them can be.")
    for place, value in given.items():
        return value if place == name else _inside(Path(value), place)
    return ""


def _inside(file: Path, place: str) -> str:
    """What is in a file, without the end of its last line."""
    why = "is empty"
    try:
        if content := file.read_text(encoding="utf-8").rstrip("\n"):
            return content
    except OSError as fault:
        why = f"can't be read ({fault.strerror})"
    except UnicodeDecodeError:
        why = "isn't text"
    raise ImproperlyConfigured(
        f"{place} must be a file with nothing but the secret, which the site's user can read: "
        f"{file} {why}."
    )


def mistyped() -> Iterator[str]:
    """A sentence about each variable that isn't read, but looks as if it were meant to be."""
    files = {f"{name}_FILE" for name in SECRETS}
    for name in sorted(set(os.environ).difference(VARIABLES, files, READ_ELSEWHERE)):
        plain = name.removesuffix("_FILE")
        if plain in VARIABLES:
            yield f"{name} isn't read, since {plain} is no secret: set {plain} itself."
        elif meant := _similar(name.upper(), files):
            yield f"{name} isn't a setting of the site: {meant} is."


def _similar(name: str, files: set[str]) -> str:
    """The variable that a name resembles, whether or not both are of a file; "" for none."""
    end = "_FILE" if name.endswith("_FILE") else ""
    known = SECRETS if end else [*VARIABLES, *files]
    found = get_close_matches(name.removesuffix("_FILE"), known, 1, SIMILAR)
    return f"{found[0]}{end}" if found else ""
