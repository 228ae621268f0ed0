"""Where the service that sends our email reports what became of it, and passes replies on."""

from typing import Any, Final

from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.webhooks.mailgun import MailgunInboundWebhookView, MailgunTrackingWebhookView
from anymail.webhooks.postmark import PostmarkInboundWebhookView, PostmarkTrackingWebhookView
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.inbound import arriving
from games.services.email import bounces
from games.services.inbound import inbox
from games.services.inbound.addresses import is_on

TRACKING: Final[dict[str, Any]] = {
    "mailgun": MailgunTrackingWebhookView,
    "postmark": PostmarkTrackingWebhookView,
}
INBOUND: Final[dict[str, Any]] = {
    "mailgun": MailgunInboundWebhookView,
    "postmark": PostmarkInboundWebhookView,
}

NO_EVENTS: Final = (ValueError, LookupError, TypeError, AttributeError, ImproperlyConfigured)
"""What anymail raises for what its service would never send."""


@csrf_exempt
@require_POST
def email_events(request: HttpRequest) -> HttpResponse:
    """Take reports of the configured service."""
    events = _proven_events(request, TRACKING)
    if events is None:
        return _refusal("This is no report of our email service.")
    for event in events:
        bounces.note_reported(settings.EMAIL_SERVICE.kind, event, timezone.now())
    return HttpResponse()


@csrf_exempt
@require_POST
def email_replies(request: HttpRequest) -> HttpResponse:
    """Take replies from the configured service, each as its sender wrote it.

    They count as those that come by LMTP do. Of a large one only the beginning is kept: what
    somebody attached comes last.
    """
    if not is_on():
        raise Http404("This site takes no replies by email.")
    events = _proven_events(request, INBOUND)
    if events is None:
        return _refusal("This is no email from our email service.")
    for event in events:
        raw = _raw(event)
        if not raw:
            return _refusal("Each email must be passed on as a whole, as raw MIME.")
        arriving.take(
            address=event.message.envelope_recipient or "",
            return_path=event.message.envelope_sender or "",
            raw=raw.encode(errors="replace")[: inbox.LARGEST],
            now=timezone.now(),
        )
    return HttpResponse()


def _proven_events(request: HttpRequest, webhooks: dict[str, Any]) -> list[Any] | None:
    """What was posted, if its sender proves by its secret to be our service; else None.

    Where no service is configured, or no secret, there is no such page.
    """
    service = settings.EMAIL_SERVICE.kind
    if not (service in webhooks and settings.EMAIL_EVENTS_SECRET):
        raise Http404("No service reports to this site.")
    webhook = webhooks[service]()
    try:
        webhook.run_validators(request)
        return list(webhook.parse_events(request))
    except (AnymailWebhookValidationFailure, *NO_EVENTS):
        return None


def _raw(event: Any) -> str:
    """An email as it was sent; "" if the service has taken it apart."""
    if settings.EMAIL_SERVICE.kind == "mailgun":
        return str(event.esp_event.POST.get("body-mime", ""))
    return str(event.esp_event.get("RawEmail", ""))


def _refusal(text: str) -> HttpResponse:
    return HttpResponse(text, status=400, content_type="text/plain")
