"""Forms that a page without a token may send, as pages do that caches keep for everybody.

A token would need a cookie. Instead, the browser has to say that a page of this site sends the
form: browsers do so since 2020, and no page of another site can make them lie.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import redirect
from django.views.decorators.csrf import csrf_exempt

from games.forms.submitted import CSRF_TOKEN

type View = Callable[..., HttpResponseBase]

OURS: Final = "same-origin"
"""What a browser says in `Sec-Fetch-Site` of a form that a page of this site sends."""

SENT_FROM: Final = "The browser says that the form comes from elsewhere (%s)."
NOT_SAID: Final = "Neither an Origin nor a token."
"""Reasons, for the log."""

HARMLESS: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


def same_origin(view: View, *, has_page: bool = True) -> View:
    """A view whose form may come without a token, if the browser says that it comes from here.

    A browser that doesn't say where forms come from needs a token after all. If it sends none, it
    is shown the page of this address, whose form has one; where there is no page (`has_page`), the
    one for forms that can't be accepted. Nobody keeps a form that hasn't passed.
    """

    @csrf_exempt
    @wraps(view)
    def guarded(request: HttpRequest, *arguments: object, **named: object) -> HttpResponseBase:
        refusal = _Check(view, has_page=has_page).refusal(request)
        return view(request, *arguments, **named) if refusal is None else refusal

    return guarded


class _Check(CsrfViewMiddleware):
    """Django's check for forged requests, for which an origin that is right is enough.

    What the site's own origin is, Django says. Like its own check, it marks what has passed.
    """

    def __init__(self, view: View, *, has_page: bool) -> None:
        super().__init__(view)
        self.has_page = has_page

    def refusal(self, request: HttpRequest) -> HttpResponseBase | None:
        """The response to a form that may come from elsewhere; None if it comes from here."""
        if request.method not in HARMLESS:
            sent_from = request.headers.get("Sec-Fetch-Site", OURS)
            if sent_from != OURS:
                return self._reject(request, SENT_FROM % sent_from)
            if "Origin" in request.headers and self._origin_verified(request):  # type: ignore[attr-defined]
                request.csrf_processing_done = True  # type: ignore[attr-defined]
                return None
        return self.process_view(request, _checked, (), {})

    def _reject(self, request: HttpRequest, reason: str) -> HttpResponseBase:
        """Show the page of the address to a browser that says nothing; else refuse, as Django."""
        says_nothing = "Origin" not in request.headers and not _has_token(request)
        if says_nothing and self.has_page:
            return redirect(request.get_full_path())
        why = NOT_SAID if says_nothing else reason
        refused: HttpResponseBase = super()._reject(request, why)  # type: ignore[misc]
        return refused


def _checked() -> HttpResponseBase:
    """Stands for a view that Django's check exempts from nothing."""
    raise NotImplementedError


def _has_token(request: HttpRequest) -> bool:
    return bool(request.POST.get(CSRF_TOKEN) or request.META.get(settings.CSRF_HEADER_NAME))
