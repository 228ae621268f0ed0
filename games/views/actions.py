"""What players do by one click or one form, and then come back to the page."""

from collections.abc import Callable
from functools import wraps
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from games.forms.submitted import CSRF_TOKEN
from games.models import Game, User
from games.services.game import once
from games.services.refused import Refused
from games.views import resend
from games.views.guards import View, signed_in

type Action = Callable[..., HttpResponseBase | str | None]


def player_action(page: str, *, reads_table: bool = True) -> Callable[[Action], View]:
    """Make a view of an action: by POST, by somebody signed in, who then comes back to `page`.

    The action gets the request, the table or person that the address names, and who acts, and
    whatever else is in the address. With `reads_table=False` it gets the table's token instead of
    the table. It returns a sentence that says what was done, nothing if the page shows it anyway,
    or a response of its own. `Refused` becomes a message.

    What is submitted by somebody who isn't signed in is stored until they are. A GET, as after
    signing in again, never acts: it leads to `page`. A script gets the message as JSON.
    """

    def view_of(action: Action) -> View:
        @wraps(action)
        def view(request: HttpRequest, **address: str | int) -> HttpResponseBase:
            [(name, key), *more] = address.items()
            back = reverse(page, args=[key])
            if not request.user.is_authenticated:
                return resend.sign_in_first(request, then=back)
            if request.method != "POST":
                return redirect(back)
            resend.forget(request)
            try:
                subject = _subject(name, key) if reads_table else key
                done = action(request, subject, signed_in(request), **dict(more))
            except Refused as reason:
                return _response(request, back, str(reason), done=False)
            if isinstance(done, HttpResponseBase):
                return done
            return _response(request, back, done or "", done=True)

        return view

    return view_of


def _subject(name: str, key: str | int) -> Game | User:
    """The table or the person that an address is about."""
    if name == "person_id":
        return get_object_or_404(User, pk=key)
    return get_object_or_404(Game.objects.select_related("host"), token=key)


def _response(request: HttpRequest, back: str, message: str, *, done: bool) -> HttpResponse:
    if not request.accepts("text/html"):
        return JsonResponse({"text": message, "kept": done}, status=200 if done else 409)
    if message:
        (messages.success if done else messages.error)(request, message)
    return redirect(back)


def token_of(request: HttpRequest) -> UUID | None:
    """What names the request, however often it comes (`services.game.once.token_of`).

    Its form has a hidden field for that: `form_token()` in templates.
    """
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != CSRF_TOKEN
    ]
    return once.token_of(request.POST.get("token", ""), request.get_full_path(), fields)
