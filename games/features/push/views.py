"""Notifications in the browser: its subscription, and the service worker."""

from pathlib import Path

from django.contrib import messages
from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from games.features.push import keys, subscriptions
from games.features.push.forms import SubscriptionForm
from games.presentation.text.words import dated
from games.services.accounts import sessions
from games.services.public_ids import number_of, public_id
from games.services.refused import Refused
from games.views.access import GUESTS, OWING, open_to
from games.views.guards import for_members, signed_in


@for_members
@require_POST
def subscribe(request: HttpRequest) -> HttpResponse:
    """Notify this browser; push.js posts its subscription. 422 with a text if it can't be.

    The session remembers it: a browser whose subscription is lost or renewed subscribes again.
    """
    if not keys.is_configured():
        raise Http404
    form = SubscriptionForm(request.POST)
    if not form.is_valid():
        return HttpResponse(
            _("This browser's push service can't be used."), status=422, content_type="text/plain"
        )
    try:
        subscriptions.subscribe(
            user=signed_in(request),
            **form.cleaned_data,
            session_key=request.session.session_key or "",
            browser=request.headers.get("User-Agent", ""),
            now=timezone.now(),
        )
    except Refused as reason:
        return HttpResponse(str(reason), status=422, content_type="text/plain")
    if "again" not in request.POST:
        request.session[subscriptions.WANTED] = True
        messages.success(request, _("You'll be notified in this browser."))
    return HttpResponse(status=204)


@for_members
@require_POST
def unsubscribe(request: HttpRequest) -> HttpResponse:
    """Notify one of one's own browsers no more."""
    number = number_of("push subscription", request.POST.get("browser", ""))
    browser = get_object_or_404(signed_in(request).push_subscriptions, pk=number)
    if browser.session_key == request.session.session_key:
        request.session.pop(subscriptions.WANTED, None)
    else:
        sessions.forget(browser.session_key, subscriptions.WANTED)
    browser.delete()
    messages.success(request, _("You won't be notified in that browser any more."))
    return redirect("notifications")


@open_to(GUESTS, *OWING)
@require_safe
@cache_control(no_cache=True, private=True)
def service_worker(_request: HttpRequest) -> HttpResponse:
    """What shows notifications. It has to lie at the root to serve the whole site."""
    file = finders.find("push/service-worker.js")
    return HttpResponse(Path(str(file)).read_text(), content_type="text/javascript")


def head(request: HttpRequest) -> str:
    """Lets a browser subscribe again that is to be notified; "" for any other."""
    if not (keys.is_configured() and request.session.get(subscriptions.WANTED)):
        return ""
    return render_to_string("push/head.html", {"key": keys.public_key()}, request)


def section(request: HttpRequest) -> str:
    """The browsers that are notified, on the page for email and notifications."""
    person = signed_in(request)
    browsers = [
        (
            one,
            public_id("push subscription", one.pk),
            dated(one.created_at, person.time_zone),
            one.session_key == request.session.session_key,
        )
        for one in person.push_subscriptions.order_by("-created_at")
    ]
    key = keys.public_key() if keys.is_configured() else ""
    return render_to_string("push/section.html", {"browsers": browsers, "key": key}, request)
