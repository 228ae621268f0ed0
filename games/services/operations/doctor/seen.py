"""What a process saw of the doctor's request, beside what is right."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from games.extensions import Finding
from games.services.operations.doctor.asking import Reply
from games.services.operations.doctor.words import skew
from games.services.operations.identity import disagreement

NGINX = "nginx needs `proxy_set_header {};`, Caddy sends it by itself"


def of_process(part: str, who: str, reply: Reply) -> Iterator[Finding]:
    """The findings about a process that answered: who it is, its clock, and its visitors."""
    if trouble := disagreement(who, reply.facts):
        yield Finding(part, trouble)
    yield from skew(f"The clock of {_small(who)}", reply.seconds_ahead)
    if trouble := _proxies(who, reply.facts):
        yield Finding(part, trouble)


def of_pages(part: str, facts: dict[str, Any]) -> Iterator[Finding]:
    """The findings about what keeps pages from being shown, or shows too much on them."""
    troubles = (_scheme(facts), _host(facts), _static_files(facts), *_modes(facts))
    yield from (Finding(part, trouble) for trouble in troubles if trouble)


def _small(who: str) -> str:
    return who[0].lower() + who[1:]


def _proxies(who: str, facts: dict[str, Any]) -> str:
    """What is wrong with the number of proxies that the site trusts."""
    came, trusted, address = len(facts["forwarded_for"]), facts["trusted_proxies"], facts["address"]
    if came == trusted:
        return ""
    all_one = f"all visitors seem to come from {address} and share the limits of one address"
    right = "the number of your proxies that add to X-Forwarded-For"
    if not came:
        header = NGINX.format("X-Forwarded-For $proxy_add_x_forwarded_for")
        return f"The proxy sends {_small(who)} no X-Forwarded-For, so {all_one}: {header}."
    begin = f"{who} has TRUSTED_PROXIES={trusted}, but the doctor came through {came}, so"
    if came > trusted:
        return f"{begin} {all_one}. Set TRUSTED_PROXIES={came}, {right}."
    return (
        f"{begin} anybody can claim to come from any address. Set TRUSTED_PROXIES={came}, {right}. "
        "If visitors come through one more, let this machine go the same way."
    )


def _scheme(facts: dict[str, Any]) -> str:
    if facts["scheme"] == urlsplit(settings.SITE_URL).scheme:
        return ""
    said = facts["forwarded_proto"]
    if said is None:
        why = f"the proxy sends no X-Forwarded-Proto: {NGINX.format('X-Forwarded-Proto $scheme')}"
    elif not facts["trusted_proxies"]:
        why = "it believes no proxy: TRUSTED_PROXIES must be the number of your proxies"
    else:
        why = (
            f"the proxy says X-Forwarded-Proto: {said}. It must be what the visitor came by, also "
            "behind another proxy"
        )
    return (
        f"The web server takes requests by https for ones by {facts['scheme']}, and redirects "
        f"every page to itself for ever, because {why}."
    )


def _host(facts: dict[str, Any]) -> str:
    own, seen = urlsplit(settings.SITE_URL).hostname, facts["host"]
    if (urlsplit(f"//{seen}").hostname or "") != own:
        return (
            f"The proxy asks the web server for the host {seen} instead of {own}, so pages are "
            f"refused with 400: {NGINX.format('Host $host')}."
        )
    if not facts["host_is_allowed"]:
        return (
            f"The web server refuses every page with 400, because ALLOWED_HOSTS lacks {own}: "
            "remove that variable, or add the name, and restart it."
        )
    return ""


def _static_files(facts: dict[str, Any]) -> str:
    if facts["has_static_files"]:
        return ""
    return (
        "The web server has no files for browsers, so every page fails: run manage.py "
        "collectstatic --no-input as the user of the site, then restart it."
    )


def _modes(facts: dict[str, Any]) -> Iterator[str]:
    if facts["debug"]:
        yield (
            "The web server runs with DEBUG=1: errors show visitors its code and settings, and "
            "cookies are sent without https. Remove DEBUG and restart all processes."
        )
    if facts["demo"]:
        yield (
            "The web server runs with DEMO=1: everybody can sign in as anybody, and email goes "
            "into files. Remove DEMO and restart all processes."
        )
