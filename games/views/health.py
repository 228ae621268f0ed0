"""How the server is: as JSON for machines, as a page for people. Both work when signed out."""

from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.presentation.text.tables import time_text
from games.services import site_state
from games.services.operations import versions
from games.services.operations.health import FAILURES_ARE_NEWS, health, why_unusable
from games.views.access import GUESTS, OWING, OWING_TERMS, open_to

CODE: Final = {"version": settings.VERSION, "commit": settings.COMMIT}


@open_to(GUESTS, *OWING)
@require_safe
@never_cache
def machines(request: HttpRequest) -> JsonResponse:
    """200 where all is well, 503 where it is not, and the counts that say why."""
    try:
        if why := versions.refusal(site_state.remembered()):
            del request.session  # as below
            return _unwell({"database": True, "why": why})
        found = health(timezone.now())
    except Error as failure:
        del request.session  # as below
        return _unwell({"database": False, "database_trouble": why_unusable(failure)})
    counts = {"database": True, **found._asdict()}
    return JsonResponse({"well": True, **CODE, **counts}) if found.is_well else _unwell(counts)


def _unwell(counts: dict[str, Any]) -> JsonResponse:
    """A 503 that is no error of this page: whoever watches the site asks again and again."""
    response = JsonResponse({"well": False, **CODE, **counts}, status=503)
    response._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001 - Django's own
    return response


@open_to(GUESTS, OWING_TERMS)
@require_safe
@never_cache
def status(request: HttpRequest) -> HttpResponse:
    """When the clock last ticked and what waits, in words."""
    now = timezone.now()
    try:
        context = {"health": health(now), "now": now, "lately": time_text(FAILURES_ARE_NEWS)}
    except Error:
        # Who is signed in stands in the database, too: nothing may ask for it, or forget it.
        del request.session
        context = {"health": None, "user": AnonymousUser()}
        return render(request, "site/status.html", context, status=503)
    return render(request, "site/status.html", context)
