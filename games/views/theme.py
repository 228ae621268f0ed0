"""The choice of light or dark in the foot of every page."""

from functools import partial
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from games.views.access import GUESTS, OWING, SUSPENDED, UNDER_MAINTENANCE, open_to
from games.views.same_origin import same_origin

THEMES: Final = ("light", "dark")
"""What can be chosen besides what the reader's device says."""


@open_to(GUESTS, SUSPENDED, UNDER_MAINTENANCE, *OWING)
@partial(same_origin, has_page=False)
@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme in a cookie, or forget it; the page again."""
    theme, page = request.POST.get("theme", ""), request.POST.get("next", "/")
    here = {request.get_host()}
    is_ours = url_has_allowed_host_and_scheme(page, here, require_https=request.is_secure())
    response = HttpResponseRedirect(page if is_ours else "/")
    if theme in THEMES:
        response.set_cookie(
            settings.THEME_COOKIE_NAME,
            theme,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        response.delete_cookie(settings.THEME_COOKIE_NAME, samesite="Lax")
    return response
