"""Pages for what went wrong: a form without the token of its page, an address without a page."""

from typing import Final

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.middleware.csrf import REASON_NO_CSRF_COOKIE
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from games.forms.submitted import SubmittedForm
from games.logs import id_of


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show what was typed, and let it be sent again from here with a fresh token.

    Sent again with one click only where the browser says that it came from a page of this site:
    else a strange site could make somebody send what it has filled in. `reason` is Django's; the
    page says what may have led there.
    """
    origin = request.headers.get("Origin", "")
    from_here = origin == f"{request.scheme}://{request.get_host()}"
    context = {
        "submitted": SubmittedForm.unchecked(request),
        "from_here": from_here,
        "cause": _cause(reason, origin, from_here=from_here),
        "origin": origin,
        "own_address": settings.SITE_URL,
    }
    return render(request, "403_csrf.html", context, status=403)


def _cause(reason: str, origin: str, *, from_here: bool) -> str:
    """Why the form was refused: no cookie, another address, one that is hidden, a late form."""
    if reason == REASON_NO_CSRF_COOKIE and (from_here or not origin):
        return "cookie"
    if origin and origin != "null" and not from_here:
        return "elsewhere"
    return "late" if from_here else "hidden"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Name the site's address for a request under another name; else a page that says bad request.

    In one line, since whatever a page needs may be what is wrong.
    """
    with translation.override(translation.get_language_from_request(request)):
        text = _("This request couldn't be understood.")
        if isinstance(exception, DisallowedHost):
            text = _("This site isn't available at this address. Please use {address}.").format(
                address=settings.SITE_URL
            )
        return HttpResponse(text, status=400, content_type="text/plain; charset=utf-8")


GONE: Final = {"tables": "table", "invitations": "invitation", "unsubscribe": "mail"}
"""What is missing where such an address leads nowhere, by the first part of the address."""


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Name what is missing, as far as the address shows it."""
    first = request.path.strip("/").partition("/")[0]
    match = request.resolver_match
    gone = GONE.get(first, "") if match and set(match.kwargs) == {"token"} else ""
    return render(request, "404.html", {"gone": gone}, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """Say that the site is at fault, with the number by which its host finds why in the log.

    It asks for nothing that may be broken itself: neither the database nor the session.
    """
    page = render_to_string("500.html", {"request_id": id_of(request)})
    return HttpResponseServerError(page)


@cache_control(max_age=24 * 3600, public=True)
def favicon(_request: HttpRequest) -> HttpResponse:
    """Browsers ask for it by themselves, where a page names no icon."""
    return redirect(static("games/icon.svg"))
