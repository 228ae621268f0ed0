"""How a guest gets an account."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.forms.account import KeepForm
from games.models import User
from games.presentation.text.tables import time_text
from games.services.accounts import guests, terms
from games.views.access import GUESTS, open_to


@open_to(GUESTS)
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest) -> HttpResponse:
    """Make an account of a guest: a code is emailed, and what they have played is theirs."""
    if not isinstance(request.user, User) or not request.user.is_guest:
        return redirect("games:home")
    guest = request.user
    form = KeepForm(data=request.POST or None, user=guest)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        request.session.pop(guests.WANTED_SEAT, None)
        request.session[guests.WANTED_NAME] = given["name"]
        guests.settle(guest, time_zone=given["time_zone"])
        terms.accept(guest, timezone.now())
        form.save(request)
        return redirect("account_email_verification_sent")
    context = {
        "form": form,
        "game": guests.own_game(guest),
        "kept_for": time_text(guests.KEPT_FOR),
    }
    return render(request, "people/keep.html", context, status=422 if form.errors else 200)
