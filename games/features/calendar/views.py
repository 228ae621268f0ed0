"""The calendar of one's deadlines, for programs, and the switch for it."""

from datetime import timedelta
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from games.features.calendar import feed as calendar
from games.views.access import OWING_TERMS, open_to
from games.views.guards import for_members, signed_in

LONGEST_NUMBER: Final = 5


@open_to(OWING_TERMS)
@require_safe
@cache_control(private=True, max_age=300)
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """The calendar at this address. Nobody is signed in here: the address is the secret.

    `alarm` is how many minutes before each deadline there is an alarm; anything else is none.
    """
    # A large library, which only those processes read that are asked for a calendar.
    from games.features.calendar import contents

    person = calendar.owner_of(token)
    if person is None:
        raise Http404
    content = contents.feed(person, timezone.now(), _alarm(request.GET.get("alarm", "")))
    return HttpResponse(content, content_type="text/calendar; charset=utf-8")


def _alarm(minutes: str) -> timedelta | None:
    if not (minutes.isascii() and minutes.isdecimal() and 0 < len(minutes) <= LONGEST_NUMBER):
        return None
    alarm = timedelta(minutes=int(minutes))
    return alarm if timedelta() < alarm <= calendar.MOST_ALARM else None


@for_members
@require_POST
def turn(request: HttpRequest) -> HttpResponse:
    """Turn one's calendar off, or on: then its address is a new one."""
    person = signed_in(request)
    if request.POST.get("turn") == "off":
        calendar.turn_off(person)
        messages.success(
            request, _("Your calendar has been turned off, and its address no longer works.")
        )
    else:
        calendar.turn_on(person)
        messages.success(request, _("Your calendar has a new address."))
    return redirect("notifications")


def section(request: HttpRequest) -> str:
    """The calendar on the page of notifications."""
    person = signed_in(request)
    context = {
        "address": calendar.address_of(person),
        "with_alarm": calendar.address_with_alarm(person),
    }
    return render_to_string("calendar/section.html", context, request)
