"""Where the service that sends our email reports what became of it."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.webhooks.mailgun import MailgunTrackingWebhookView
from anymail.webhooks.postmark import PostmarkTrackingWebhookView
from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.services.email import bounces

TRACKING: Final[dict[str, Any]] = {
    "mailgun": MailgunTrackingWebhookView,
    "postmark": PostmarkTrackingWebhookView,
}

NO_EVENTS: Final = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, OSError,
    ImproperlyConfigured,
)  # fmt: skip
"""What anymail, Python's json and we raise for what the service would never send."""

SIGNED_FOR: Final = 9 * 3600
"""For how many seconds what Mailgun has signed is good, once.

Its signature covers the time and a token, and nothing of what comes with them. For eight hours it
tries again what the site couldn't take, and may do so with what it signed at first.
"""

AHEAD: Final = 300
"""By how many seconds its clock may be ahead of ours."""


@csrf_exempt
@require_POST
def email_events(request: HttpRequest) -> HttpResponse:
    """Take reports of the configured service."""
    webhook = proven(request, TRACKING)
    try:
        events = None if webhook is None else list(webhook.parse_events(request))
    except NO_EVENTS:
        events = None
    if events is None:
        return refusal("This is no report of our email service.")
    with once(request) as is_new:
        for event in events if is_new else ():
            bounces.record_reported(settings.EMAIL_SERVICE.kind, event, timezone.now())
    return HttpResponse()


def proven(request: HttpRequest, webhooks: dict[str, Any]) -> Any | None:
    """The webhook of the configured service, if who posts proves to be it by its secret; else None.

    Where no service is configured, or no secret, there is no such page.
    """
    service = settings.EMAIL_SERVICE.kind
    if not (service in webhooks and settings.EMAIL_EVENTS_SECRET):
        raise Http404("No service reports to this site.")
    webhook = webhooks[service]()
    try:
        webhook.run_validators(request)
        if service == "mailgun":
            age = time.time() - float(_signed(request)[0])
            if not -AHEAD <= age <= SIGNED_FOR:
                return None
    except (AnymailWebhookValidationFailure, *NO_EVENTS):
        return None
    return webhook


def _signed(request: HttpRequest) -> tuple[str, str]:
    """The time and the token that Mailgun has signed."""
    if request.content_type == "application/json":
        signature = json.loads(request.body)["signature"]
    else:
        signature = request.POST
    return str(signature["timestamp"]), str(signature["token"])


@contextmanager
def once(request: HttpRequest) -> Iterator[bool]:
    """Whether what Mailgun has signed comes for the first time. If taking it fails, it may again.

    Postmark signs nothing: whoever knows its password may post what they like, as often.
    """
    if settings.EMAIL_SERVICE.kind != "mailgun":
        yield True
        return
    # As it is signed: nothing stands between the two, so that either could give the other a sign.
    key = f"mailgun:{''.join(_signed(request))}"[:200]
    is_new = cache.add(key, value=True, timeout=SIGNED_FOR + 2 * AHEAD)
    try:
        yield is_new
    except BaseException:
        if is_new:
            cache.delete(key)
        raise


def refusal(text: str) -> HttpResponse:
    """The response to what the service would never post, with a sentence for its log."""
    return HttpResponse(text, status=400, content_type="text/plain")
