"""What somebody sent who was not signed in any more: kept until they are, and never lost."""

from datetime import datetime, timedelta
from typing import Any, Final

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseForbidden,
    QueryDict,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.forms.typed import sendable, typed_in

KEPT: Final = "kept"
"""Where the session keeps it: the address it was sent to, its fields, and when."""

HOW_LONG: Final = timedelta(hours=1)
MOST_CHARACTERS: Final = 20_000


def sign_in_first(request: HttpRequest, then: str) -> HttpResponseBase:
    """Lead to the sign-in, and to the page `then` afterwards, or to what was typed just now.

    A script gets a refusal instead: it cannot sign in.
    """
    if not request.accepts("text/html"):
        return HttpResponseForbidden(_("Please sign in."), content_type="text/plain")
    if request.method == "POST" and not ratelimit.consume(request, action="keep_typed"):
        return render(request, "429.html", status=429)
    if not keep_what_was_typed(request, then):
        return redirect_to_login(then)
    messages.info(
        request, _("You're no longer signed in. What you typed has been saved: sign in to send it.")
    )
    return redirect_to_login(reverse("games:kept"))


def keep_what_was_typed(request: HttpRequest, then: str) -> bool:
    """Keep what a form sends, until it is sent from the page of what is kept; whether it is.

    Who does not send it goes on to the page `then`.
    """
    if request.method != "POST" or not typed_in(request.POST):
        return False
    fields = sendable(request.POST)
    if sum(len(name) + len(value) for name, value in fields) > MOST_CHARACTERS:
        return False
    at = timezone.now().isoformat()
    request.session[KEPT] = {
        "path": request.get_full_path(),
        "then": then,
        "fields": fields,
        "at": at,
    }
    return True


def forget_what_is_sent(request: HttpRequest) -> None:
    """Somebody signed in sends something: what was kept for this address is sent with it."""
    kept = request.session.get(KEPT)
    if kept is not None and kept["path"] == request.get_full_path():
        del request.session[KEPT]


@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponseBase:
    """What was typed while signed out, to be sent with one click. Kept for an hour."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    kept = _kept(request)
    if kept is None:
        messages.info(request, _("What you typed is no longer saved."))
        return redirect("games:home")
    return _page(request, kept)


def _kept(request: HttpRequest) -> dict[str, Any] | None:
    kept: dict[str, Any] | None = request.session.get(KEPT)
    if kept is not None and timezone.now() - datetime.fromisoformat(kept["at"]) > HOW_LONG:
        del request.session[KEPT]
        return None
    return kept


def _page(request: HttpRequest, kept: dict[str, Any]) -> HttpResponse:
    data = QueryDict(mutable=True)
    for name, value in kept["fields"]:
        data.appendlist(name, value)
    context = {
        "typed": typed_in(data),
        "fields": kept["fields"],
        "path": kept["path"],
        "then": kept["then"],
    }
    return render(request, "site/resend.html", context)
