"""Whether visitors get the site at its public address, and what the web server makes of them."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from ssl import SSLCertVerificationError
from typing import Final

import requests
from django.conf import settings

from games.extensions import Finding
from games.services.operations.doctor import asking, seen
from games.services.operations.doctor.asking import Reply
from games.services.operations.doctor.words import first_line, well
from games.services.operations.identity import before_1_0

PART: Final = "Web"
WHO: Final = "The web server"

TIMES: Final = 4
"""So often the web server is asked: behind one proxy there may be several."""

RENEWED_BEFORE: Final = timedelta(days=14)
RENEWED_BEFORE_SHARE: Final = 6
"""A certificate that is good for a few days is renewed later: before its last sixth."""

HASHED: Final = re.compile(r"""["'](/static/[^"'?#]+\.[0-9a-f]{12}\.\w+)["']""")
UNHASHED: Final = re.compile(r"""["'](/static/[^"'?#]+\.\w+)["']""")


def web(now: datetime) -> Iterator[Finding]:
    """What is wrong on the way of a visitor to a page; one line that all is well if nothing is.

    Nothing where SITE_URL can't be right: the checks of the settings say so.
    """
    if settings.HTTPS and not settings.SITE_URL.startswith("https:"):
        return
    troubles = list(dict.fromkeys(_troubles(now)))
    yield from troubles
    if not troubles:
        yield well(PART, f"{settings.SITE_URL} shows its pages and files.")


def _troubles(now: datetime) -> Iterator[Finding]:
    try:
        yield from _certificate(now)
        found = list(_answers())
        yield from found or _pages()
    except SSLCertVerificationError as failure:
        yield Finding(
            PART,
            f"The certificate of {settings.SITE_URL} isn't good: "
            f"{failure.verify_message.rstrip('.')}. Give the proxy one that is (Caddy and certbot "
            "get and renew them), or name your own authority by SSL_CERT_FILE.",
        )
    except OSError as failure:  # that of requests is one
        yield Finding(PART, _away(failure))


def _certificate(now: datetime) -> Iterator[Finding]:
    if not settings.SITE_URL.startswith("https:"):
        return
    begins, ends = asking.certificate_validity()
    if ends - now < min(RENEWED_BEFORE, (ends - begins) / RENEWED_BEFORE_SHARE):
        yield Finding(
            PART,
            f"The certificate of {settings.SITE_URL} runs out at {ends:%F %T} UTC, and nothing has "
            "renewed it. Look at the log of what should (Caddy, certbot).",
        )


def _away(failure: OSError) -> str:
    return (
        f"{settings.SITE_URL} doesn't answer ({_why(failure)}). Start the proxy, and compare "
        "SITE_URL with its address. If this machine can't reach its own public address, as behind "
        "some routers, give the name 127.0.0.1 in /etc/hosts."
    )


def _why(failure: BaseException) -> str:
    """The innermost reason, without the words of the libraries around it."""
    if isinstance(failure, requests.Timeout):
        return f"nothing came within {asking.SECONDS:g} seconds"
    while inner := failure.__cause__ or failure.__context__:
        failure = inner
    return getattr(failure, "strerror", None) or first_line(failure)


def _answers() -> Iterator[Finding]:
    """What the processes of the web server say of themselves and of the way to them."""
    for _time in range(TIMES):
        reply = asking.probe("/health/")
        if not reply.has_facts:
            yield Finding(PART, _without_facts(reply))
            return
        yield from seen.of_process(PART, WHO, reply)
        yield from seen.of_pages(PART, reply.facts)


def _without_facts(reply: Reply) -> str:
    """Why the web server didn't answer the doctor's own question."""
    health = f"{settings.SITE_URL}/health/"
    if reply.facts.get("probe") == "unknown":
        return (
            f"{WHO} uses another database than this command. Give all processes the same "
            "DATABASE_URL, then restart them."
        )
    if reply.facts.get("database") is False:
        why = reply.facts.get("database_trouble", "away")
        return f"{WHO} can't use its database ({why}). Compare its DATABASE_URL, and restart it."
    if "database" in reply.facts:
        return before_1_0(WHO)
    if reply.status in asking.AWAY:
        return (
            f"The proxy answers {reply.status} because it doesn't reach the web server: start that "
            "(systemctl start intrigue-web…; its log says why it can't), and compare its port with "
            "the one in the proxy's configuration."
        )
    if reply.location:
        return (
            f"{health} is redirected to {reply.location.partition('?')[0]}. SITE_URL must be the "
            "address where pages are shown, not one that leads there."
        )
    return (
        f"{health} answers {reply.status}, and not like this site. Compare SITE_URL with the "
        "address of the site, and let the proxy pass on every path but /live/."
    )


def _pages() -> Iterator[Finding]:
    """The front page, and a file that it names."""
    page = asking.get("/", headers={"Accept": "text/html"})
    if page.status_code != requests.codes.ok:
        yield Finding(PART, _failed(page))
        return
    found = (HASHED if settings.HTTPS else UNHASHED).search(page.text)
    if found is None:
        yield Finding(
            PART,
            f"The front page of {settings.SITE_URL} names no file of this site. Is it another's?",
        )
        return
    file = asking.get(found[1])
    if file.status_code != requests.codes.ok:
        yield Finding(
            PART,
            f"The front page names {found[1]}, but that answers {file.status_code}. Run manage.py "
            "collectstatic --no-input, restart the web server, and let the proxy pass on /static/ "
            "to it.",
        )


def _failed(page: requests.Response) -> str:
    answers = f"The front page of {settings.SITE_URL} answers {page.status_code}"
    if location := page.headers.get("Location"):
        return f"{answers} and leads to {location}. SITE_URL must be where pages are shown."
    known = page.headers.get("X-Request-ID")
    log = f" under the request id {known}" if known else ""
    return (
        f"{answers}. The log of the web server says why{log}. If that names a missing file of the "
        "manifest, run manage.py collectstatic --no-input and restart it."
    )
