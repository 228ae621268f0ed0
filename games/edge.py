"""What holds for every request before the site looks at it: ids, bodies, caches, who looks."""

import logging
import re
from collections.abc import Callable
from time import perf_counter
from typing import Final, NamedTuple, Self
from uuid import uuid4

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.http.multipartparser import MultiPartParserError
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext_lazy

from games import logs

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponse]

SOUND_ID: Final = re.compile(r"[\w.-]{8,64}", re.ASCII)


class Layer:
    """A layer around every view, which by itself changes nothing."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


METHODS: Final = {"GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"}


class Answered(NamedTuple):
    """What a request came to, in words of ours: none that its sender chose.

    `view` is the name of the view that responded, "static" for a file, and "none" where no view
    has the address, or the request didn't get as far; `method` is "other" for one of its own.
    """

    view: str
    method: str
    status: int
    seconds: float

    @classmethod
    def by(cls, request: HttpRequest, response: HttpResponse, seconds: float) -> Self:
        """What this request came to with this response, after so many seconds."""
        match = request.resolver_match
        file = request.path.startswith(settings.STATIC_URL) and response.status_code < 400
        view = match.view_name if match is not None else "static" if file else "none"
        method = request.method if request.method in METHODS else "other"
        return cls(view, method or "other", response.status_code, seconds)


class RequestId(Layer):
    """Gives each request an id, which stands in the log, in the response and on the error page.

    A proxy of ours may have given it one. Whether it leaves a line of its own in the log, the level
    of the logger says.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        known = settings.ALLAUTH_TRUSTED_PROXY_COUNT and SOUND_ID.fullmatch(given)
        request.META[logs.ID_IN_META] = given if known else uuid4().hex
        working = logs.current.set(logs.Work(logs.id_of(request), request))
        began = perf_counter()
        try:
            response = self.get_response(request)
            logs.answered(*Answered.by(request, response, perf_counter() - began))
        finally:
            logs.current.reset(working)
        response["X-Request-ID"] = logs.id_of(request)
        return response


class SoundBody(Layer):
    """Refuses, unread, the bodies that no form of ours sends; reads each other one once.

    So nothing after it meets a body that cannot be read, not even a page that says what failed.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        status = _refused_with(request)
        return self.get_response(request) if status is None else _refusal(request, status)


REFUSALS: Final = {
    400: gettext_lazy("The form couldn't be read. Please go back and submit it again."),
    411: gettext_lazy("The request needs a Content-Length header."),
    413: gettext_lazy("That's too long. You can send at most {limit} kB at once."),
    415: gettext_lazy("Please send text encoded as UTF-8."),
}


UNREADABLE: Final = (
    BadRequest, SuspiciousOperation, MultiPartParserError, OSError, ValueError, LookupError,
)  # fmt: skip
"""What Django's parsers raise: broken parts, too many fields, unknown encodings, lost clients."""


def _refused_with(request: HttpRequest) -> int | None:
    if "Transfer-Encoding" in request.headers:
        return 411
    # As Django reads it: what is no number is no body.
    length = request.META.get("CONTENT_LENGTH") or ""
    if length.isdecimal() and int(length) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
        return 413
    charset = (request.content_params or {}).get("charset", "utf-8")
    if charset.lower() != "utf-8":
        return 415
    return None if _can_be_read(request) else 400


def _can_be_read(request: HttpRequest) -> bool:
    try:
        request.POST  # noqa: B018 - to read it is to parse it
    except UNREADABLE:
        return False
    return True


def _refusal(request: HttpRequest, status: int) -> HttpResponse:
    logger.warning("Refused a body with %s: %s %s", status, request.method, request.path)
    with translation.override(translation.get_language_from_request(request)):
        text = REFUSALS[status].format(limit=settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 1000)
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")


class NotStored(Layer):
    """Keeps what is somebody's own out of every cache, also the browser's.

    That is whatever comes with a session, or is given for credentials in a header, and all pages of
    accounts. All other pages follow the reader's cookies (language, theme): browsers may keep them,
    shared caches may not. A view that says itself how its answer may be kept is believed, unless a
    cookie comes with it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.cookies and is_public(response):
            del response["Cache-Control"]
        if "Cache-Control" not in response:
            session = settings.SESSION_COOKIE_NAME
            own = session in request.COOKIES or session in response.cookies
            if own or "Authorization" in request.headers or request.path.startswith("/accounts/"):
                patch_cache_control(response, no_store=True)
            patch_cache_control(response, private=True)
        return response


class OnlyLooking(Layer):
    """Lets nothing change through a request of somebody signed in whose response nobody reads.

    What a HEAD would write is undone, such as how far they have read. What a browser fetches ahead
    is refused: it asks again when the page is opened.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return self.get_response(request)
        if any("prefetch" in request.headers.get(name, "") for name in FETCHED_AHEAD):
            return HttpResponseForbidden()
        if request.method != "HEAD":
            return self.get_response(request)
        with transaction.atomic():
            response = self.get_response(request)
            transaction.set_rollback(True)
        response.cookies.clear()
        return response


FETCHED_AHEAD: Final = ("Sec-Purpose", "Purpose", "X-Moz")
"""The headers in which browsers say so; the last two are those of older ones."""


def is_public(response: HttpResponse) -> bool:
    """Whether caches may give this response to everybody."""
    return "public" in response.get("Cache-Control", "")
