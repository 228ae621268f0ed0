"""The page where a person gets a file with all their data, and the file."""

from datetime import datetime

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games.features.export import requests
from games.presentation.text.words import moment
from games.views.access import OWING_NAME, OWING_TERMS, SUSPENDED, open_to
from games.views.guards import for_members, signed_in


@open_to(SUSPENDED, OWING_TERMS, OWING_NAME)
@for_members
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def export(request: HttpRequest) -> HttpResponse:
    """Say what the file holds and whether it is there; by POST, have it made."""
    if request.method == "POST":
        answer: HttpResponse = _ask(request)
        return answer
    person = signed_in(request)
    found = requests.current(person, timezone.now())
    until = None if found is None else found.until
    context = {
        "is_asked": found is not None,
        "until": until and moment(until, person.time_zone),
    }
    return render(request, "export/page.html", context)


@reauthentication_required  # type: ignore[untyped-decorator]
def _ask(request: HttpRequest) -> HttpResponse:
    """Have the file made for those who have just shown again that the account is theirs."""
    requests.ask(signed_in(request), timezone.now())
    return redirect("export")


@open_to(OWING_TERMS, OWING_NAME)
@require_safe
@for_members
@never_cache
@reauthentication_required  # type: ignore[untyped-decorator]
def export_file(request: HttpRequest) -> HttpResponse:
    """The file itself; back to its page where it is not there."""
    now = timezone.now()
    content = requests.file_of(signed_in(request), now)
    if content is None:
        messages.error(request, _("There's no file to download. You can ask for a new one here."))
        return redirect("export")
    return _download(content, now)


@never_cache
@require_safe
def export_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """The file of a banned person, who can't sign in, by the signed link in the email about it."""
    now = timezone.now()
    person = requests.banned_person_of(token, now)
    content = None if person is None else requests.file_of(person, now)
    if content is None:
        raise Http404("The file is deleted, or the link is not complete.")
    return _download(content, now)


def _download(content: bytes, now: datetime) -> HttpResponse:
    name = f"intrigue-{now.date()}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="application/json", headers=headers)
