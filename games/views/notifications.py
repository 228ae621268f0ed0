"""One's choices about email and notifications: signed in, or by the link in an email."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.extensions import parts_of
from games.forms.notifications import NotificationsForm
from games.models import Game, User
from games.services.email import choices as email_choices
from games.services.email import reachability, subscriptions
from games.services.refused import Refused
from games.views.access import OWING, SUSPENDED, open_to
from games.views.actions import player_action
from games.views.guards import for_members, signed_in


@open_to(SUSPENDED)
@for_members
@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: HttpRequest) -> HttpResponse:
    """The choices, and what features add, such as the browsers notified."""
    person = signed_in(request)
    form = NotificationsForm(request.POST or None, person=person)
    if request.method == "POST":
        form = NotificationsForm(request.POST, person=person)
        if form.is_valid():
            email_choices.store(person, form.choices(), timezone.now())
            messages.success(request, _("Saved."))
            return redirect("notifications")
    context = {
        "form": form,
        "person": person,
        "gets_nothing": reachability.gets_nothing_about_turns(person),
        "parts": parts_of("notifications", request),
    }
    return render(request, "account/notifications.html", context)


@open_to(SUSPENDED, *OWING)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def choices(request: HttpRequest, token: str) -> HttpResponse:
    """The same choices by the link in an email, for anybody who has it, without signing in."""
    person = subscriptions.person_who_chooses(token)
    if person is None:
        raise Http404("This link is not complete, or it has ended, as with a new password.")
    saved = False
    form = NotificationsForm(person=person)
    if request.method == "POST":
        form = NotificationsForm(request.POST, person=person)
        saved = form.is_valid()
    if saved:
        email_choices.store(person, form.choices(), timezone.now())
        person.refresh_from_db()
        form = NotificationsForm(person=person)
    context = {
        "form": form,
        "person": person,
        "saved": saved,
        "gets_nothing": reachability.gets_nothing_about_turns(person),
    }
    return render(request, "account/choices.html", context)


@open_to(SUSPENDED)
@player_action("games:table")
def mute(request: HttpRequest, game: Game, user: User) -> str:
    """Whoever has a seat wants no more email about this table, or wants it again."""
    if not game.seats.filter(user=user).exists():
        raise Refused(_("You don't have a seat at this table."))
    subscription = subscriptions.Subscription(user, game)
    if request.POST.get("mute") == "no":
        subscriptions.resume(subscription)
        return _("You've unmuted this table.")
    subscriptions.stop(subscription)
    return _(
        "You've muted this table. The only emails you'll get about it are those that can't "
        "be turned off."
    )
