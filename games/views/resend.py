"""A form that couldn't be processed because its sender first has to sign in: stored, then sent.

It is stored in the session for an hour, and sent with one click from a page of its own.
"""

from datetime import datetime, timedelta
from typing import Any, Final

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase, HttpResponseForbidden
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.forms.submitted import SubmittedForm
from games.views.access import GUESTS, OWING_NAME, open_to

STORED: Final = "kept"
"""Under what the session has it: the form, the page to go to instead, and when it was sent."""

HOW_LONG: Final = timedelta(hours=1)
MOST_CHARACTERS: Final = 20_000


def sign_in_first(request: HttpRequest, then: str) -> HttpResponseBase:
    """Lead to the sign-in, and to the page `then` afterwards, or to the form just submitted.

    A script gets a refusal instead: it cannot sign in.
    """
    if not request.accepts("text/html"):
        return HttpResponseForbidden(_("Please sign in."), content_type="text/plain")
    if request.method == "POST" and not ratelimit.consume(request, action="keep_typed"):
        return render(request, "429.html", status=429)
    if not store(request, then):
        return redirect_to_login(then)
    messages.info(
        request,
        _("You aren't signed in. What you typed has been saved: sign in to submit it."),
    )
    return redirect_to_login(reverse("games:kept"))


def store(request: HttpRequest, then: str) -> bool:
    """Store the submitted form, unless it is too long or nothing was entered; whether it is stored.

    Whoever doesn't send it goes on to the page `then`.
    """
    submitted = SubmittedForm.of(request)
    if submitted is None or not submitted.entries:
        return False
    if sum(len(name) + len(value) for name, value in submitted.fields) > MOST_CHARACTERS:
        return False
    request.session[STORED] = {
        **submitted._asdict(),
        "then": then,
        "at": timezone.now().isoformat(),
    }
    return True


def forget(request: HttpRequest) -> None:
    """Forget the stored form if the request submits it, or a newer one to the same address."""
    stored = request.session.get(STORED)
    if stored is not None and stored["path"] == request.get_full_path():
        del request.session[STORED]


@open_to(GUESTS, OWING_NAME)
@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponseBase:
    """The stored form, to be sent with one click."""
    if not request.user.is_authenticated:
        return redirect_to_login(request.path)
    stored = _stored(request)
    if stored is None:
        messages.info(request, _("What you typed is no longer available."))
        return redirect("games:home")
    submitted = SubmittedForm(stored["path"], stored["fields"], stored["passwords"])
    context = {"submitted": submitted, "then": stored["then"]}
    return render(request, "site/resend.html", context)


def _stored(request: HttpRequest) -> dict[str, Any] | None:
    stored: dict[str, Any] | None = request.session.get(STORED)
    if stored is not None and timezone.now() - datetime.fromisoformat(stored["at"]) > HOW_LONG:
        del request.session[STORED]
        return None
    return stored
