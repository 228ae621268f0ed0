"""The layer around all views that counts requests, and the page of metrics itself."""

import secrets
from time import perf_counter
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST

from games.edge import Answered, Layer
from games.features.metrics import counted, page

ADDRESS: Final = "/metrics"


class Metrics(Layer):
    """Counts requests, and answers those who ask for the metrics with the right token.

    To everybody else it is an address like any other that doesn't exist.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == ADDRESS and request.method == "GET" and _knows_the_token(request):
            return _response(page.text(timezone.now()))
        began = perf_counter()
        response = self.get_response(request)
        counted.count(Answered.by(request, response, perf_counter() - began))
        return response


def _response(text: bytes) -> HttpResponse:
    """What other layers would have added to it, they haven't seen."""
    headers = {
        "Cache-Control": "no-store",
        "Content-Length": str(len(text)),
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(text, content_type=CONTENT_TYPE_LATEST, headers=headers)


def _knows_the_token(request: HttpRequest) -> bool:
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    token = str(settings.METRICS_TOKEN)  # type: ignore[misc] # mypy can't see it
    return secrets.compare_digest(given.encode(), token.encode()) and scheme.lower() == "bearer"
