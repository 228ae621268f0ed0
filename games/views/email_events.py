"""Where a service that sends our email reports what became of it."""

from typing import Any, Final

from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.webhooks.mailgun import MailgunTrackingWebhookView
from anymail.webhooks.postmark import PostmarkTrackingWebhookView
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.services.email import bounces

WEBHOOKS: Final[dict[str, Any]] = {
    "mailgun": MailgunTrackingWebhookView,
    "postmark": PostmarkTrackingWebhookView,
}

NO_EVENTS: Final = (ValueError, LookupError, TypeError, AttributeError, ImproperlyConfigured)
"""What anymail raises for what its service would never send."""


@csrf_exempt
@require_POST
def email_events(request: HttpRequest) -> HttpResponse:
    """Take reports of the configured service, which proves by its secret that they are its own.

    Who can't gets a 400. Where none is configured, there is no such page.
    """
    service = settings.EMAIL_SERVICE.kind
    if not (service in WEBHOOKS and settings.EMAIL_EVENTS_SECRET):
        raise Http404("No service reports to this site.")
    webhook = WEBHOOKS[service]()
    try:
        webhook.run_validators(request)
        events = webhook.parse_events(request)
    except (AnymailWebhookValidationFailure, *NO_EVENTS):
        return HttpResponse(
            "This is no report of our email service.", status=400, content_type="text/plain"
        )
    for event in events:
        bounces.note_reported(service, event, timezone.now())
    return HttpResponse()
