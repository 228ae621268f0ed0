"""What `manage.py doctor` learns from the processes that it asks by the site's public address."""

import os
import socket
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import split_domain_port, validate_host

from games.accounts import address_of
from games.edge import Layer
from games.services.operations import probes
from games.services.operations.identity import identity

HEALTH: Final = "/health/"


class Probed(Layer):
    """Answers a doctor before all that may be set wrong: hosts, schemes, files.

    Who asks with a nonce that isn't in the database learns only that. While the database is away,
    the page itself says so.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path != HEALTH or (nonce := request.GET.get(probes.PARAMETER)) is None:
            return self.get_response(request)
        try:
            is_known = probes.is_known(nonce)
        except Error:
            return self.get_response(request)
        answer = seen(request) | of_the_web_server(request) if is_known else UNKNOWN
        return JsonResponse(
            answer, status=200 if is_known else 404, headers={"Cache-Control": "no-store"}
        )


UNKNOWN: Final = {"probe": "unknown"}


def seen(request: HttpRequest) -> dict[str, Any]:
    """Which process this is, and from where it sees a request come."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    return {
        "process": f"{socket.gethostname()} {os.getpid()}",
        **identity()._asdict(),
        "address": address_of(request),
        "forwarded_for": [one.strip() for one in forwarded.split(",") if one.strip()],
        "trusted_proxies": settings.ALLAUTH_TRUSTED_PROXY_COUNT,
    }


def of_the_web_server(request: HttpRequest) -> dict[str, Any]:
    """What decides whether pages can be shown in response to a request like this one."""
    host = request.META.get("HTTP_HOST", "")
    hashed: dict[str, str] | None = getattr(staticfiles_storage, "hashed_files", None)
    return {
        "scheme": request.scheme,
        "forwarded_proto": request.META.get("HTTP_X_FORWARDED_PROTO"),
        "host": host,
        "host_is_allowed": validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS),
        "has_static_files": hashed is None or bool(hashed),
        "debug": settings.DEBUG,
        "demo": settings.DEMO,
    }
