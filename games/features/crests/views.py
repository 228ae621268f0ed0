"""Crests: their pictures, and the page where one chooses one's own."""

from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games.features.crests.forms import CrestForm, groups
from games.features.crests.heraldry import Crest, drawn
from games.models import Report
from games.services.reports.about import AboutPerson, about
from games.views.access import GUESTS, OWING, OWING_NAME, open_to
from games.views.guards import for_members, signed_in

A_YEAR: Final = 365 * 24 * 3600


@open_to(GUESTS, *OWING)
@require_safe
def picture(_request: HttpRequest, crest: str) -> HttpResponse:
    """The picture of a crest. It never changes: its address says all that is on it."""
    try:
        svg = drawn(Crest.read(crest))
    except ValueError:
        raise Http404 from None
    return HttpResponse(
        svg,
        content_type="image/svg+xml",
        headers={"Cache-Control": f"public, max-age={A_YEAR}, immutable"},
    )


@open_to(OWING_NAME)
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: HttpRequest) -> HttpResponse:
    """Choose one's own crest."""
    person = signed_in(request)
    form = CrestForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person.crest = str(form.crest)
        person.save(update_fields=["crest"])
        messages.success(request, _("Saved."))
        return redirect("crest")
    context = {"form": form, "groups": groups(Crest.read(person.shown_crest))}
    return render(request, "crests/choose.html", context, status=422 if form.errors else 200)


def as_reported(request: HttpRequest, *, report: Report) -> str:
    """The crest of a person who was reported for their name or crest, as it was then."""
    if not report.person_crest or not isinstance(about(report), AboutPerson):
        return ""
    return render_to_string("crests/as_reported.html", {"report": report}, request)
