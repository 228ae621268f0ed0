"""Pages of invitations by email. The link alone allows to decline; to sit down one signs in."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games.models import Invitation
from games.services.lobby import invitations
from games.services.lobby.queries import read_invitation, seat_taken_text
from games.services.refused import Refused
from games.views.guards import signed_in
from games.views.sanctions import muted_context_of


@never_cache
@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The table, its players, and the two answers; its players see the table itself."""
    found = get_object_or_404(Invitation.objects.select_related("game", "invited_by"), token=token)
    if request.user.is_authenticated and found.game.seats.filter(user=request.user.pk).exists():
        return redirect(found.game)
    context = {"invitation": found, "reading": read_invitation(found), **muted_context_of(request)}
    return render(request, "lobby/invitation.html", context)


@require_POST
def accept(request: HttpRequest, token: str) -> HttpResponse:
    """Sit down at the table. Who is not signed in comes back to the invitation afterwards."""
    found = get_object_or_404(Invitation, token=token)
    if not request.user.is_authenticated:
        return redirect_to_login(found.get_absolute_url())
    try:
        game = invitations.accept(
            invitation_id=found.pk, user=signed_in(request), now=timezone.now()
        )
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect(found)
    messages.success(request, seat_taken_text(game))
    return redirect(game)


@require_POST
def decline(request: HttpRequest, token: str) -> HttpResponse:
    found = get_object_or_404(Invitation, token=token)
    try:
        invitations.decline(invitation_id=found.pk)
    except Refused as reason:
        messages.error(request, str(reason))
    return redirect(found)
