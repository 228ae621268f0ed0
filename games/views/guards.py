"""Who may see a page, and who is looking at it; shared by the views."""

from collections.abc import Callable
from functools import wraps

from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import reverse

from games.models import Game, User
from games.services.game.queries.own_notes import Notebook, game_and_notebook
from games.services.roles import may_moderate_at
from games.views import resend

type View = Callable[..., HttpResponseBase]


def signed_in(request: HttpRequest) -> User:
    """The person of a request that has passed `for_members`."""
    if not isinstance(request.user, User):
        raise TypeError("This page is for those who are signed in.")
    return request.user


def reader_of(request: HttpRequest) -> tuple[User | None, str]:
    """Who reads the page, None if nobody is signed in, and their time zone."""
    user = request.user if isinstance(request.user, User) else None
    return user, "UTC" if user is None else user.time_zone


def table_of(request: HttpRequest, token: str) -> tuple[Game, Notebook]:
    """The table of this address, and what the reader has left there; 404 if there is none."""
    try:
        return game_and_notebook(token, reader_of(request)[0])
    except Game.DoesNotExist:
        raise Http404 from None


def admin_link(game: Game, user: User | None) -> str:
    """Where a moderator acts on the game; "" for everybody else, and at a table of their own."""
    if user is None or not may_moderate_at(user, game):
        return ""
    return reverse("admin:games_game_change", args=[game.pk])


def for_members(view: View) -> View:
    """A view for those who are signed in. What others submit is stored until they are."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: object, **named: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return resend.sign_in_first(request, request.get_full_path())
        if request.method == "POST":
            resend.forget(request)
        return view(request, *arguments, **named)

    return guarded
