"""The gallery: the page of a game at every stage, as each reader sees it. Only `bin/dev` has it."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.csp import CSP
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.csp import csp_override
from django.views.decorators.http import require_GET

from games.services.operations.scratch import nothing_stays
from games.views.game_page import game_page
from intrigue_site import gallery
from intrigue_site.scenarios import SCENARIOS, Scenario, lay_out, scenario

# The same policy as everywhere, but the gallery's own pages may frame these.
FRAMED: dict[str, Any] = settings.SECURE_CSP | {"frame-ancestors": [CSP.SELF]}


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """All scenarios."""
    return render(request, "gallery/index.html", {"cases": SCENARIOS})


@require_GET
def case(request: HttpRequest, key: str) -> HttpResponse:
    """One scenario, framed as each reader sees it."""
    return render(request, "gallery/case.html", {"case": _case(key)})


@require_GET
@never_cache
@xframe_options_sameorigin
@csp_override(FRAMED)
def table(request: HttpRequest, key: str, reader: str) -> HttpResponseBase:
    """The real page of a table, made for one of its people."""
    found = _case(key)
    if reader not in found.readers:
        raise Http404("Nobody sees this table so.")
    with nothing_stays():
        game = lay_out(found, timezone.now())
        request.user = gallery.readers(game)[reader]
        return game_page(request, game)


def _case(key: str) -> Scenario:
    found = scenario(key)
    if found is None:
        raise Http404("There is no such scenario.")
    return found
