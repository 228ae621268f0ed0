"""The front page, for whoever isn't signed in: what the game is, and the ways into it.

It is the same for all strangers who read one language, sets no cookie, and may be kept by caches.
"""

from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.presentation.scene import scene

A_MINUTE = 60


def welcome(request: HttpRequest) -> HttpResponse:
    """The front page. What comes with a session is not for everybody, and kept by no cache."""
    drawn = _drawn() if settings.DEBUG else _kept(get_language())
    context = {"scene": drawn, "needs_account": settings.SIGN_UP == "invited"}
    response = render(request, "people/welcome.html", context)
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        patch_cache_control(response, no_store=True, private=True)
    else:
        patch_cache_control(response, public=True, max_age=A_MINUTE)
        patch_vary_headers(response, ("Cookie", "Accept-Language"))
    return response


@cache
def _kept(_language: str | None) -> SafeString:
    """The scene, drawn once per language: nothing in it is about who looks."""
    return _drawn()


def _drawn() -> SafeString:
    *before, last = scene()
    return SafeString(render_to_string("people/scene.html", {"before": before, "last": last}))
