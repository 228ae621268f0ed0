"""The page where a person stops the reset of their second factor, by the link in the email."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.presentation.text.words import moment
from games.services.accounts import factor_resets
from games.services.people.reset_links import reset_of
from games.views.access import OWING, SUSPENDED, open_to


@open_to(SUSPENDED, *OWING)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_reset(request: HttpRequest, token: str) -> HttpResponse:
    """Ask on GET, keep the second factor on POST: a link alone never acts."""
    reset = reset_of(token)
    stopped = False
    if reset is not None and request.method == "POST":
        stopped = factor_resets.stop_own(reset.person, timezone.now())
    until = "" if reset is None else moment(reset.due_at, reset.person.time_zone)
    context = {"is_waiting": reset is not None and not stopped, "stopped": stopped, "until": until}
    return render(request, "account/stop_reset.html", context)
