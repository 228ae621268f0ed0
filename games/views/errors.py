"""The page for a form that came without the token of its page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

SECRET = "password"  # noqa: S105 - a part of the names of such fields
OWN = "csrfmiddlewaretoken"


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Show what was typed, and let it be sent again from here with a fresh token.

    Sent again with one click only where the browser says that it came from a page of this site:
    else a strange site could make somebody send what it has filled in. `reason` is
    Django's, for developers.
    """
    from_here = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    typed = [
        (name, name.replace("_", " ").replace("-", " "), value)
        for name, values in request.POST.lists()
        for value in values
        if name != OWN and SECRET not in name
    ]
    passwords = [name for name in request.POST if SECRET in name]
    context = {"typed": typed, "passwords": passwords, "from_here": from_here}
    return render(request, "403_csrf.html", context, status=403)
