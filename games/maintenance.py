"""While the site is under maintenance its pages can only be read."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from games.edge import Layer
from games.forms.submitted import SubmittedForm
from games.services import site_state
from games.services.operations import versions
from games.services.site_state import Site
from games.unavailable import READING, upgrading
from games.views.access import UNDER_MAINTENANCE, is_open_to

GOES_ON: Final = frozenset(
    {
        "account_login",
        "account_logout",
        "account_request_login_code",
        "account_confirm_login_code",
        "account_reauthenticate",
        "mfa_authenticate",
        "mfa_login_webauthn",
        "mfa_reauthenticate",
        "mfa_reauthenticate_webauthn",
        "demo:sign_in",
        "admin:site_action",
        "admin:logout",
    }
)
"""Pages of libraries, and ours in their place, that may be sent all the same: signing in and out,
and what ends the maintenance. On other views it stands that they are open under maintenance."""

STILL_MODERATED: Final[Mapping[str, frozenset[str] | None]] = {
    "admin:report_action": None,
    "admin:decide_reports": None,
    "admin:message_action": None,
    "admin:person_action": frozenset({"note", "warn", "mute", "suspend", "ban"}),
    "admin:game_action": frozenset({"rename", "remove-note"}),
}
"""What moderators may send unless all is read-only, by the name of its address: the slugs of the
actions, None for all of them."""

TRY_AGAIN_AFTER: Final = timedelta(minutes=10)
"""The Retry-After for programs where nobody has set how long it takes."""


class ReadOnly(Layer):
    """Responds to whatever would change something with a page that keeps what was typed.

    Also where another version has migrated the database (`games.unavailable.Upgrading`).
    It comes after the check for forged requests, so that the page may offer to send it again.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], _arguments: Any, _named: Any
    ) -> HttpResponse | None:
        if request.method in READING:
            return None
        match = request.resolver_match
        goes_on = match is not None and match.view_name in GOES_ON
        goes_on = goes_on or is_open_to(UNDER_MAINTENANCE, request, view)
        try:
            site = site_state.remembered() if goes_on else site_state.read()
        except Error:
            return None  # The requested page says that the database is away.
        if why := versions.refusal(site):
            return upgrading(request, why)
        if site.maintenance_since is None or goes_on:
            return None
        goes_on = not site.maintenance_read_only and _still_moderated(request)
        return None if goes_on else _refuse(request, site)


def _still_moderated(request: HttpRequest) -> bool:
    """Whether this protects people and waits for nothing; the page asks who may send it."""
    match = request.resolver_match
    if match is None or match.view_name not in STILL_MODERATED:
        return False
    slugs = STILL_MODERATED[match.view_name]
    return slugs is None or match.kwargs.get("slug") in slugs


def _refuse(request: HttpRequest, site: Site) -> HttpResponse:
    response: HttpResponse
    site_state.forget()  # also the page's own notice is the one of now
    if request.accepts("text/html"):
        context = {"submitted": SubmittedForm.of(request)}
        response = render(request, "site/read_only.html", context, status=503)
    else:
        response = JsonResponse({"text": _("The site is read-only right now.")}, status=503)
    until, now = site.maintenance_until, timezone.now()
    left = until - now if until is not None and until > now else TRY_AGAIN_AFTER
    response["Retry-After"] = str(int(left.total_seconds()) + 1)
    return response
