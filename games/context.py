"""What any page may show: news of the site, how many games wait for the reader, and the like."""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import Any

from django.conf import settings
from django.db import Error
from django.http import HttpRequest
from django.template.backends.utils import csrf_input as csrf_input_of
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from games.models import Game, User
from games.services import legal, site_state
from games.services.accounts import sign_ins
from games.services.accounts.queries.your_turn import WaitingGame, waiting_games
from games.services.lobby import strangers
from games.services.people.display_names import table_title as title_of
from games.services.site_state import SiteNews


def waiting(request: HttpRequest) -> dict[str, Callable[[], Any]]:
    """`waiting_count` and `next_game`, the most urgent game but the one that the page is about.

    Asked for by the template only: no query on a page that does not show them, nor for a stranger,
    and one on any other. A view that has read them already leaves them in `request.waiting_games`.
    """

    @cache
    def games() -> list[WaitingGame | Game]:
        if hasattr(request, "waiting_games"):
            return list(request.waiting_games)
        user = getattr(request, "user", None)
        return [*waiting_games(user)] if isinstance(user, User) else []

    def next_game() -> WaitingGame | Game | None:
        match = request.resolver_match
        here = match.kwargs.get("token") if match else None
        return next((game for game in games() if game.token != here), None)

    return {"waiting_count": lambda: len(games()), "next_game": next_game}


def legal_pages(_request: HttpRequest) -> dict[str, list[tuple[str, Any]]]:
    """`legal_pages`: the addresses and titles of what the host has filled in."""
    return {"legal_pages": [(kind, legal.TITLES[kind]) for kind in legal.available()]}


def site_url(_request: HttpRequest) -> dict[str, str]:
    """`site_url`: where the site is, for what programs elsewhere fetch."""
    return {"site_url": settings.SITE_URL}


def about_sign_ins(_request: HttpRequest) -> dict[str, Callable[[], str]]:
    """`about_sign_ins`: what is stored of them, for pages of signing up and of one's account."""
    return {"about_sign_ins": sign_ins.what_is_kept}


def theme(request: HttpRequest) -> dict[str, str]:
    """`theme`: "light" or "dark" where the reader has chosen one, else "" for their device's."""
    chosen = request.COOKIES.get(settings.THEME_COOKIE_NAME, "")
    return {"theme": chosen if chosen in {"light", "dark"} else ""}


def site_news(request: HttpRequest) -> dict[str, Callable[[], SiteNews]]:
    """`site_news`: the notice, maintenance, and whether new games are taken.

    Asked for by the template only, and remembered for a few seconds: most pages need no query for
    it. While the database is away there is none.
    """

    @cache
    def news() -> SiteNews:
        try:
            site = site_state.remembered()
        except Error:
            site = site_state.Site()
        user = getattr(request, "user", None)
        zone = user.time_zone if isinstance(user, User) else "UTC"
        return site_state.news(site, timezone.now(), zone)

    return {"site_news": news}


def server_time(_request: HttpRequest) -> dict[str, Callable[[], datetime]]:
    """`server_time`: what time it is, since scripts don't believe the clock of the device."""
    return {"server_time": timezone.now}


def table_title(_request: HttpRequest) -> dict[str, Callable[[Game], str]]:
    """`table_title`: what a table is called, to whoever reads the page."""
    return {"table_title": title_of}


def watching(_request: HttpRequest) -> dict[str, Callable[[], bool]]:
    """`may_watch`: whether people without an account find games to watch."""
    return {"may_watch": strangers.may_watch}


def csrf_input(request: HttpRequest) -> dict[str, Any]:
    """`csrf_input`: the same for all forms of a page. Django would mask the token for each."""
    return {"csrf_input": SimpleLazyObject(lambda: csrf_input_of(request))}
