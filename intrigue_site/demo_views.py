"""Pages that only the demo has: the mailbox, and links that sign somebody in."""

from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from games.models import User
from games.views.access import GUESTS, open_to
from games.views.framed_email import framed_email
from intrigue_site import demo_content
from intrigue_site import mailbox as kept


@open_to(GUESTS)
@require_GET
@never_cache
def mailbox(request: HttpRequest) -> HttpResponse:
    """All email that was sent, the newest first."""
    return render(request, "demo/mailbox.html", {"envelopes": kept.envelopes()})


@open_to(GUESTS)
@require_GET
@never_cache
def letter(request: HttpRequest, key: str) -> HttpResponse:
    """One email: as text, and its HTML part in a frame."""
    return render(request, "demo/letter.html", {"letter": _letter(key)})


@open_to(GUESTS)
@require_GET
@never_cache
@framed_email
def letter_html(_request: HttpRequest, key: str) -> HttpResponse:
    """One email as its HTML part, for the frame on its page."""
    html = _letter(key).html
    return HttpResponse(html.replace("<head>", '<head><base target="_top">', 1))


@open_to(GUESTS)
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """Ask on GET, sign in on POST: a link alone never acts."""
    person = get_object_or_404(User, pk=demo_content.person_of(token))
    if request.method != "POST":
        return render(request, "demo/sign_in.html", {"person": person})
    login(request, person)
    return redirect("games:home")


def _letter(key: str) -> kept.Letter:
    found = kept.letter(key)
    if found is None:
        raise Http404("There is no such email.")
    return found
