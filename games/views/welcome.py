"""The front page, for whoever isn't signed in: what the game is, and the ways into it.

It is the same for all strangers who read one language, sets no cookie, and may be kept by caches.
"""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

A_MINUTE: Final = 60


def welcome(request: HttpRequest) -> HttpResponse:
    """The front page. What comes with a session is not for everybody, and kept by no cache."""
    context = {"needs_account": settings.SIGN_UP == "invited"}
    response = render(request, "people/welcome.html", context)
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        patch_cache_control(response, private=True, no_store=True)
    else:
        patch_cache_control(response, public=True, max_age=A_MINUTE)
        patch_vary_headers(response, ("Cookie", "Accept-Language"))
    return response
