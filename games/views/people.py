"""Who is asking, and what they came for."""

from collections.abc import Callable
from functools import wraps

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from games.models import User

type View = Callable[..., HttpResponseBase]


def signed_in(request: HttpRequest) -> User:
    """The person of a request that has passed `login_required`."""
    if not isinstance(request.user, User):
        raise TypeError("This page is for those who are signed in.")
    return request.user


def act_at_table(view: View) -> View:
    """A view that acts at a table: signed in and by POST.

    Who comes by GET, as after signing in again, is led to the table's page: a GET never acts.
    """

    @wraps(view)
    def acting(request: HttpRequest, token: str, **more: object) -> HttpResponseBase:
        if request.method != "POST":
            return redirect("games:table", token=token)
        return view(request, token, **more)

    return login_required(acting)
