"""The settings for one's replies by email, and new addresses for them."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.features.inbound import addresses
from games.views.guards import for_members, signed_in


@for_members
@require_POST
def change(request: HttpRequest) -> HttpResponse:
    """Play what comes by email at once, or have it confirmed; or give the person new addresses."""
    if not addresses.is_on():
        raise Http404
    person, turn = signed_in(request), request.POST.get("turn")
    if turn == "renew":
        addresses.renew(person)
        messages.success(
            request, _("You have new reply addresses: replies to older emails won't be read.")
        )
    else:
        addresses.play_at_once(person, at_once=turn == "at_once")
        messages.success(request, _("Saved."))
    return redirect("notifications")


def section(request: HttpRequest) -> str:
    """Replies on the page of notifications; "" where the site takes none."""
    if not addresses.is_on():
        return ""
    return render_to_string("inbound/section.html", {"person": signed_in(request)}, request)
