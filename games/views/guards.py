"""Who may come to a page, and what an act at a table answers; shared by the views."""

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.models import Game, User
from games.services.refused import Refused
from games.services.roles import may_moderate_at
from games.views import kept

type View = Callable[..., HttpResponseBase]


def signed_in(request: HttpRequest) -> User:
    """The person of a request that has passed `for_members`."""
    if not isinstance(request.user, User):
        raise TypeError("This page is for those who are signed in.")
    return request.user


def reader_of(request: HttpRequest) -> tuple[User | None, str]:
    """Who reads, None for a stranger, and the zone of their clock."""
    user = request.user if isinstance(request.user, User) else None
    return user, "UTC" if user is None else user.time_zone


def desk_page_of(game: Game, user: User | None) -> str:
    """Where a moderator acts on the game; "" for everybody else, and at a table of their own."""
    if user is None or not may_moderate_at(user, game):
        return ""
    return reverse("admin:games_game_change", args=[game.pk])


def for_members(view: View) -> View:
    """A view for those who are signed in. What somebody else sends is kept until they are."""

    @wraps(view)
    def guarded(request: HttpRequest, *arguments: object, **named: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return kept.sign_in_first(request, request.get_full_path())
        if request.method == "POST":
            kept.forget_what_is_sent(request)
        return view(request, *arguments, **named)

    return guarded


def act_at_table(view: View) -> View:
    """A view that acts at a table: signed in and by POST.

    Who comes by GET, as after signing in again, is led to the table's page: a GET never acts.
    """

    @wraps(view)
    def acting(request: HttpRequest, token: str, **more: object) -> HttpResponseBase:
        if request.method != "POST":
            return redirect("games:table", token=token)
        return view(request, token, **more)

    return for_members(acting)


def act_and_tell(
    request: HttpRequest, game: Game, act: Callable[[], str | None], done: str
) -> HttpResponse:
    """Let a service do it, and show the table with what came of it, or with why it is refused.

    That is what the `act` answers, if anything, and else `done`.
    """
    try:
        told = act() or done
    except Refused as reason:
        messages.error(request, str(reason))
    else:
        messages.success(request, told)
    return redirect(game)


def open_when_finished(view: View) -> View:
    """A view of a game that only reads: for members, and for anyone once the game is finished.

    A stranger who has the link of a finished game may see it; no search engine is to list it.
    """
    for_a_member = for_members(view)

    @require_safe
    @wraps(view)
    def reading(request: HttpRequest, token: str, **more: object) -> HttpResponseBase:
        finished = Game.objects.filter(token=token, status=Game.Status.FINISHED)
        if request.user.is_authenticated or not finished.exists():
            return for_a_member(request, token, **more)
        shown = view(request, token, **more)
        shown["X-Robots-Tag"] = "noindex"
        return shown

    return reading
