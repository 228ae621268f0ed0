"""Pages that strangers may see: people without an account, and guests but at their own table.

They are the same for all of them, so that caches may keep them: no cookie, no form with a token.
"""

from collections.abc import Callable
from functools import wraps
from time import monotonic
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.models import Game, User
from games.services.lobby import strangers
from games.services.people.display_names import read_by_stranger
from games.views import limits
from games.views.guards import View, for_members

KEPT: Final = "public, max-age=15"
"""How long caches keep what strangers see: what is closed or hidden stays there no longer."""

NOT_FOR_ROBOTS: Final = "noindex, nofollow"


class Limit:
    """Counts the pages that each network has fetched within a minute, in this process.

    In memory, since a row for each page would make watching dear. Django-allauth counts no GET.
    """

    REMEMBERED: Final = 10_000
    """So many networks are remembered: the oldest are forgotten."""

    def __init__(self) -> None:
        self._since: dict[str, tuple[float, int]] = {}

    def allows(self, network: str, most: int) -> bool:
        """Count one more page; whether it is one of the first `most` within the minute."""
        now = monotonic()
        since, pages = self._since.pop(network, (now, 0))
        if now - since >= MINUTE:
            since, pages = now, 0
        self._since[network] = since, pages + 1
        while len(self._since) > self.REMEMBERED:
            self._since.pop(next(iter(self._since)), None)
        return pages < most


LIMIT: Final = Limit()
OF_LISTS: Final = Limit()
"""A list costs as much as dozens of games."""

MINUTE: Final = 60.0


def open_to_strangers(view: View) -> View:
    """A view of a game that only reads: for members, and for strangers who may read this game."""
    return _open_where(lambda token, **_more: strangers.may_read_at(token), never_cache(view))


def list_for_strangers(view: View) -> View:
    """A list of tables: for members, and for strangers where the site lets them watch."""
    return _open_where(strangers.may_watch, view)


def _open_where(may_see: Callable[..., bool], view: View) -> View:
    for_a_member = for_members(view)

    @require_safe
    @wraps(view)
    def guarded(request: HttpRequest, **address: object) -> HttpResponseBase:
        if request.user.is_authenticated or not may_see(**address):
            return for_a_member(request, **address)
        return show_to_stranger(request, view, **address)

    return guarded


def wants_table(page: str) -> bool:
    """Whether the `page` for which somebody has to sign in is a table's, where they may see others.

    Whether there is such a table or not.
    """
    try:
        wanted = resolve(page).view_name
    except Resolver404:
        return False
    return strangers.may_watch() and wanted == "games:table"


def show_to_stranger(request: HttpRequest, view: View, **address: object) -> HttpResponseBase:
    """The response of a view as a stranger may read it; caches may keep it for a moment."""
    if not (_may_fetch if "token" in address else _may_list)(request):
        return _too_many(request)
    with read_by_stranger():
        response = view(request, **address)
    del response["Expires"]  # of `never_cache`
    has_session = settings.SESSION_COOKIE_NAME in request.COOKIES  # of a guest, for example
    response["Cache-Control"] = "private, no-store" if has_session else KEPT
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    if not _may_be_listed(address.get("token")):
        response["X-Robots-Tag"] = NOT_FOR_ROBOTS
    return response


def open_by_link(view: View) -> View:
    """A view that says by itself what strangers see of the one table whose link they have.

    They ask for it as often as for any page of a table, and search engines never list it.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: object, **named: object) -> HttpResponseBase:
        has_account = isinstance(request.user, User) and not request.user.is_guest
        may_see = has_account or _may_fetch(request)
        response = view(request, *arguments, **named) if may_see else _too_many(request)
        response["X-Robots-Tag"] = NOT_FOR_ROBOTS
        return response

    return guarded


def _may_fetch(request: HttpRequest) -> bool:
    return LIMIT.allows(limits.of_household(request), settings.WATCHED_A_MINUTE)


def _may_list(request: HttpRequest) -> bool:
    return OF_LISTS.allows(limits.of_household(request), settings.LISTED_A_MINUTE)


def _may_be_listed(token: object) -> bool:
    """Whether search engines may list a page: one of lists, or of this game."""
    if not settings.ROBOTS:
        return False
    found = strangers.listed_for_strangers().filter(status=Game.Status.FINISHED)
    return token is None or found.filter(token=token).exists()


@never_cache
def _too_many(request: HttpRequest) -> HttpResponse:
    response = render(request, "429.html", {"watching": True}, status=429)
    response["Retry-After"] = "60"
    return response
