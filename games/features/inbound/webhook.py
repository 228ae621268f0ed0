"""Where the service that sends our email passes replies on."""

import json
from typing import Any, Final, NamedTuple

from anymail.webhooks.mailgun import MailgunInboundWebhookView
from anymail.webhooks.postmark import PostmarkInboundWebhookView
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.features.inbound import arriving, inbox
from games.features.inbound.addresses import is_on
from games.views.email_webhooks import NO_EVENTS, once, proven, refusal

INBOUND: Final[dict[str, Any]] = {
    "mailgun": MailgunInboundWebhookView,
    "postmark": PostmarkInboundWebhookView,
}


class Passed(NamedTuple):
    """An email as the service passes it on; `raw` is "" if it has taken it apart."""

    address: str
    return_path: str
    raw: str


@csrf_exempt
@require_POST
def email_replies(request: HttpRequest) -> HttpResponse:
    """Take a reply from the configured service, as its sender wrote it.

    It counts as those that come by LMTP do, and only we parse it. Of a large one only the beginning
    is kept: what somebody attached comes last.
    """
    if not is_on():
        raise Http404("This site takes no replies by email.")
    try:
        passed = None if proven(request, INBOUND) is None else _passed_on(request)
    except NO_EVENTS:
        passed = None
    if passed is None:
        return refusal("This is no email from our email service.")
    if not passed.raw:
        return refusal("Each email must be passed on as a whole, as raw MIME.")
    with once(request) as is_new:
        if is_new:
            arriving.take(
                address=passed.address,
                return_path=passed.return_path,
                raw=passed.raw.encode(errors="replace")[: inbox.LARGEST],
                now=timezone.now(),
            )
    return HttpResponse()


def _passed_on(request: HttpRequest) -> Passed:
    """The email in a request of the service, with its addresses."""
    if settings.EMAIL_SERVICE.kind == "mailgun":
        payload = request.POST
        return Passed(
            payload.get("recipient", ""), payload.get("sender", ""), payload.get("body-mime", "")
        )
    payload = json.loads(request.body)
    first = (payload.get("Headers") or [{}])[
        0
    ]  # Postmark puts it before those of the email itself.
    is_path = str(first.get("Name", "")).lower() == "return-path"
    return_path = str(first.get("Value", "")).strip("<>") if is_path else ""
    return Passed(
        str(payload.get("OriginalRecipient", "")), return_path, str(payload.get("RawEmail", ""))
    )
