"""What may be wrong with the settings of a site although they can be read, each in one sentence.

What can't be read at all is refused while the settings are read: an ImproperlyConfigured. Here an
error stops whoever serves people; warnings are told by `manage.py check --deploy` and the doctor.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import parseaddr
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import (
    CheckMessage,
    Error,
    Warning,  # noqa: A004 (its name there)
    register,
)
from django.core.checks.security.base import check_secret_key
from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host

from intrigue_site.environment import mistyped, text

ADDRESS: Final = re.compile(r"[^@\s]+@[^@\s]+")
WITHIN: Final = (".localhost", ".local", ".internal", ".lan", ".test")
"""How names end that lead nowhere on the internet."""


@contextmanager
def faults_in_words(status: int = 1) -> Iterator[None]:
    """End the process with a sentence, and no traceback, where a setting is wrong."""
    try:
        yield
    except ImproperlyConfigured as fault:
        sys.stderr.write(f"{fault}\n")
        sys.stderr.flush()
        raise SystemExit(status) from None


def refuse_wrong_settings(*, shows_pages: bool = False) -> None:
    """Raise ImproperlyConfigured with a line for each error; some concern pages only."""
    found = [*_errors(), *(_errors_of_pages() if shows_pages else ())]
    if found:
        raise ImproperlyConfigured("\n".join(one.msg for one in found))


@register("settings", deploy=True)
def settings_of_the_site(**_what: Any) -> list[CheckMessage]:
    """Whether all is well with them, on a machine that serves pages."""
    return [*_errors(), *_errors_of_pages(), *_warnings()]


def _errors() -> Iterator[CheckMessage]:
    """What makes the site useless, or dangerous, to people."""
    if check_secret_key(None):
        yield Error(
            "SECRET_KEY is missing or weak: set it in the environment to a secret random text of "
            "50 characters or more.",
            id="intrigue.E001",
        )
    if settings.SECURE_SSL_REDIRECT and not text("SITE_URL"):
        yield Error(
            "SITE_URL isn't set: it must be the address of the site, such as "
            "https://intrigue.example.org.",
            id="intrigue.E002",
        )
    if not ADDRESS.fullmatch(parseaddr(settings.DEFAULT_FROM_EMAIL)[1]):
        yield Error(
            "MAIL_FROM must be an email address, such as Intrigue <intrigue@example.org>, not "
            f"{settings.DEFAULT_FROM_EMAIL}.",
            id="intrigue.E003",
        )
    if settings.MAIL_BOUNCES and not ADDRESS.fullmatch(settings.MAIL_BOUNCES):
        yield Error(
            "MAIL_BOUNCES must be an email address without a name, such as bounces@example.org, "
            f"not {settings.MAIL_BOUNCES}.",
            id="intrigue.E004",
        )
    yield from _errors_of_the_host()


def _errors_of_the_host() -> Iterator[CheckMessage]:
    host = urlsplit(settings.SITE_URL).hostname or ""
    for name, is_on, danger in (
        ("DEBUG", settings.DEBUG, "pages of errors would show strangers how the site works"),
        ("DEMO", settings.DEMO, "everybody could sign in as anybody"),
    ):
        if is_on and _is_public(host):
            yield Error(
                f"{name} is on, but SITE_URL is a public address, so {danger}: unset {name}.",
                id="intrigue.E005",
            )
    if not validate_host(host, settings.ALLOWED_HOSTS):
        yield Error(
            f"ALLOWED_HOSTS lacks {host}, the host of SITE_URL, so visitors would be refused: add "
            "it, or unset ALLOWED_HOSTS.",
            id="intrigue.E006",
        )


def _is_public(host: str) -> bool:
    """Whether a host is one of the internet, by its name or number."""
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(WITHIN)


def _errors_of_pages() -> Iterator[CheckMessage]:
    """What keeps pages from being shown, or from having what they must have."""
    if settings.STATIC_ROOT and not Path(settings.STATIC_ROOT, "staticfiles.json").is_file():
        yield Error(
            "The files for browsers aren't collected, so no page can be shown: run manage.py "
            "collectstatic --no-input.",
            id="intrigue.E007",
        )
    if settings.LEGAL_DIR and (why := _why_not_legal(Path(settings.LEGAL_DIR))):
        yield Error(
            "LEGAL_DIR must be a folder with imprint.txt, privacy.txt and terms.txt, which the "
            f"site's user can read: {why}.",
            id="intrigue.E008",
        )


def _why_not_legal(folder: Path) -> str:
    """The reason why the legal pages can't be shown; "" where they can."""
    file = folder
    try:
        for file in folder.iterdir():
            if file.suffix == ".txt":
                file.read_text(encoding="utf-8")
    except OSError as fault:
        return f"{fault.filename}: {fault.strerror}"
    except UnicodeDecodeError:
        return f"{file} isn't UTF-8"
    return ""


def _warnings() -> Iterator[CheckMessage]:
    """What works, but not as it should."""
    is_http = settings.SITE_URL.startswith("http://")
    if settings.SECURE_SSL_REDIRECT and is_http and text("SITE_URL"):
        yield Warning(
            "SITE_URL must begin with https://, since the site is served by https only.",
            id="intrigue.W001",
        )
    if settings.SECURE_SSL_REDIRECT and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        yield Warning(
            "TRUSTED_PROXIES is 0, so all visitors seem to have the address of the proxy: set it "
            "to the number of your proxies, which is 1 behind nginx or Caddy alone.",
            id="intrigue.W002",
        )
    yield from (Warning(sentence, id="intrigue.W003") for sentence in mistyped())
