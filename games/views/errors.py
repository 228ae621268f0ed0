"""Pages for what went wrong: a form without the token of its page, an address without a page."""

from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.views.decorators.cache import cache_control

from games.forms.submitted import SubmittedForm
from games.logs import id_of


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show what was typed, and let it be sent again from here with a fresh token.

    Sent again with one click only where the browser says that it came from a page of this site:
    else a strange site could make somebody send what it has filled in. `reason` is
    Django's, for developers.
    """
    from_here = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    context = {"submitted": SubmittedForm.unchecked(request), "from_here": from_here}
    return render(request, "403_csrf.html", context, status=403)


GONE: Final = {"tables": "table", "invitations": "invitation", "unsubscribe": "mail"}
"""What is missing where such an address leads nowhere, by the first part of the address."""


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Say what is not there, as far as the address tells it."""
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
