"""Who is asking, and what they came for."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from games.models import User
from games.views import kept

type View = Callable[..., HttpResponseBase]


def signed_in(request: HttpRequest) -> User:
    """The person of a request that has passed `for_members`."""
    if not isinstance(request.user, User):
        raise TypeError("This page is for those who are signed in.")
    return request.user


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
