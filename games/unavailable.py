"""Pages for what is stuck: a busy table, one that can't be read, a database that doesn't respond
or that another version has migrated.

What passes by itself is 503 and keeps what was typed, with the token of its form, to be sent again
with one click.
"""

import logging
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db import Error, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from psycopg.errors import DeadlockDetected, LockNotAvailable

from games.edge import Layer
from games.forms.submitted import SubmittedForm
from games.models import Game
from games.services import site_state
from games.services.game.unreadable import UNREADABLE, is_readable
from games.services.operations import versions
from games.services.people.display_names import read_by_stranger
from games.views import errors

logger = logging.getLogger(__name__)

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})

ALWAYS_THERE: Final = frozenset(
    {"games.views.errors.favicon", "health", "manifest", "robots", "security"}
)
"""What is for programs: it needs no database, but for /health/, which says itself what is wrong."""

HELD_UP: Final = (LockNotAvailable, DeadlockDetected)
"""Somebody else is at work on the same rows; the database waits for half a second."""

TRY_AGAIN_AFTER: Final = {"busy": 5, "away": 30, "upgrading": 60}
"""How many seconds a program is to wait."""


class Upgrading(Layer):
    """Responds with a page of its own where this version must not work on the database.

    What it remembers of the database may be some seconds old; when somebody sends something,
    `games.maintenance` reads it anew. It comes before all that reads who is signed in.
    """

    def process_view(
        self, request: HttpRequest, _view: Callable[..., object], _arguments: Any, _named: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        if request.method not in READING or (match and match.view_name in ALWAYS_THERE):
            return None
        try:
            why = versions.refusal_now(site_state.remembered)
        except Error:
            return None  # The requested page says what is wrong.
        return upgrading(request, why) if why else None


class Unavailable(Layer):
    """Tries once more what met a lock; if it can't be done now, the response says so."""

    def process_exception(
        self, request: HttpRequest, failure: Exception
    ) -> HttpResponseBase | None:
        if is_held_up(failure):
            return _once_more(request)
        if isinstance(failure, OperationalError | InterfaceError):
            return away(request, failure)
        if why := _missing(failure):
            return upgrading(request, why)
        if isinstance(failure, UNREADABLE):
            return _unreadable(request, failure)
        return None


def is_held_up(failure: BaseException | None) -> bool:
    """Whether something could not be done because a row was locked for too long."""
    return isinstance(failure, OperationalError) and isinstance(failure.__cause__, HELD_UP)


def _once_more(request: HttpRequest) -> HttpResponseBase:
    """Ask the same view again: whatever it had begun was rolled back."""
    match = request.resolver_match
    if match is None:
        raise ValueError("Only a view meets a locked row.")
    try:
        response: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    except OperationalError as failure:
        if not is_held_up(failure):
            return away(request, failure)
        logger.warning("%s %s met a locked row twice", request.method, request.path)
        busy = _("This table is busy right now. Please try again.")
        return _unavailable(request, "busy", busy, {})
    return response


def _unreadable(request: HttpRequest, failure: Exception) -> HttpResponse | None:
    """The page of a game that cannot be read; None where the failure has another reason."""
    token = request.resolver_match.kwargs.get("token") if request.resolver_match else None
    game = Game.objects.filter(token=token, state__isnull=False).first()
    if token is None or game is None or is_readable(game):
        return None
    logger.error("%s cannot be read", game, exc_info=failure)
    context = {"game": game, "submitted": SubmittedForm.of(request)}
    status = 409 if request.method == "POST" else 200
    with nullcontext() if request.user.is_authenticated else read_by_stranger():
        return render(request, "game/rests.html", context, status=status)


def away(request: HttpRequest, failure: BaseException) -> HttpResponse:
    """The page that the database does not respond. Nothing here queries it."""
    logger.error("The database is away: %s", request.path, exc_info=failure)
    message = _("The database isn't responding right now. Please try again in a few minutes.")
    return _without_database(request, "away", message)


def upgrading(request: HttpRequest, why: str) -> HttpResponse:
    """The page that this version must not work on the database. Nothing here queries it."""
    versions.tell(why)
    message = _("This site is being upgraded. Please try again in a few minutes.")
    return _without_database(request, "upgrading", message)


def _missing(failure: BaseException) -> str:
    """Why this version must not work, if a query has failed for that."""
    if not versions.lacks_something(failure):
        return ""
    try:
        return versions.refusal_now()
    except Error:
        return ""


def _without_database(request: HttpRequest, name: str, message: str) -> HttpResponse:
    # The signed-in person stands in the database, too: nothing may read it, or forget it.
    for read in ("session", "_messages"):
        request.__dict__.pop(read, None)
    request.user = AnonymousUser()
    return _unavailable(request, name, message, {"user": request.user})


def _unavailable(
    request: HttpRequest, name: str, message: str, context: dict[str, object]
) -> HttpResponse:
    response: HttpResponse
    if request.accepts("text/html"):
        context = {**context, "submitted": SubmittedForm.of(request)}
        response = render(request, f"site/{name}.html", context, status=503)
    else:
        response = JsonResponse({"text": message}, status=503)
    response["Retry-After"] = str(TRY_AGAIN_AFTER[name])
    return response


def failed(request: HttpRequest) -> HttpResponse:
    """The page for other failures; for one of the database, before or after the view, its own."""
    failure = sys.exc_info()[1]
    if isinstance(failure, OperationalError | InterfaceError):
        return away(request, failure)
    if failure is not None and (why := _missing(failure)):
        return upgrading(request, why)
    return errors.broken(request)
