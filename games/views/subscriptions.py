"""Unsubscribing by the signed link in an email, without signing in (RFC 8058)."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Invitation
from games.services.email import reachability, subscriptions
from games.services.lobby import email_invitees
from games.views.access import OWING, OWING_FACTOR, OWING_TERMS, SUSPENDED, open_to


@open_to(SUSPENDED, *OWING)
@csrf_exempt  # Mail programs post without a session; the signed link says who it is for.
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Ask on GET, stop the email on POST: a link alone never acts."""
    subscription = _subscription(token)
    if request.method == "POST":
        subscriptions.stop(subscription)
    return _page(request, token)


@open_to(SUSPENDED, *OWING)
@csrf_exempt
@never_cache
@require_POST
def resubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Send the email again."""
    subscriptions.resume(_subscription(token))
    return _page(request, token)


@open_to(SUSPENDED, OWING_TERMS, OWING_FACTOR)
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def no_invitations(request: HttpRequest, token: str) -> HttpResponse:
    """For invited people without an account: ask on GET; on POST email them no more, or again."""
    address = get_object_or_404(Invitation, token=token).email
    if request.method == "POST" and "undo" in request.POST:
        email_invitees.resume(address)
    elif request.method == "POST":
        email_invitees.stop(address, timezone.now())
    context = {"token": token, "stopped": email_invitees.has_stopped(address)}
    return render(request, "lobby/no_invitations.html", context)


def _page(request: HttpRequest, token: str) -> HttpResponse:
    subscription = _subscription(token)
    context = {
        "token": token,
        "subscription": subscription,
        "stopped": subscriptions.is_stopped(subscription),
        "gets_nothing": reachability.gets_nothing_about_turns(subscription.person),
        "choices": subscriptions.choices_beside(token),
    }
    return render(request, "people/unsubscribe.html", context)


def _subscription(token: str) -> subscriptions.Subscription:
    subscription = subscriptions.subscription_of(token)
    if subscription is None:
        raise Http404("This link is not complete, or what it is about has gone.")
    return subscription
