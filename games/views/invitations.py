"""Pages of invitations: of a table's link opened signed out, and of those sent by email.

Nothing is accepted by a GET. What is posted here has no token against forged requests, since the
pages set no cookie: `same_origin` looks where it comes from.
"""

from functools import partial

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms.first_seat import FirstSeatForm
from games.forms.seats import settings_seen
from games.models import Game, Invitation
from games.services.lobby import invitations
from games.services.lobby.opened_by_strangers import read_open_invitation
from games.services.lobby.queries import read_invitation, seat_taken_text
from games.services.refused import Refused
from games.views import first_seats, limits
from games.views.access import INVITED, open_to
from games.views.guards import signed_in
from games.views.same_origin import same_origin
from games.views.sanctions import muted_context_of
from games.views.strangers import open_by_link


def open_invitation_page(
    request: HttpRequest,
    game: Game,
    invitation: Invitation | None = None,
    form: FirstSeatForm | None = None,
    *,
    with_token: bool = False,
) -> HttpResponse:
    """The table for who isn't signed in, perhaps with a refused form.

    Whom an invitation was sent to stands nowhere: its link may have been passed on.
    """
    context = {
        "game": game,
        "invitation": invitation,
        "reading": read_open_invitation(game, invitation),
        "form": form or FirstSeatForm(),
        "with_token": with_token or form is not None,
        "invited_only": settings.SIGN_UP == "invited",
        "is_invited": invitation is not None and invitation.status == Invitation.Status.OPEN,
    }
    status = 422 if form is not None else 200
    return render(request, "lobby/open_invitation.html", context, status=status)


@require_safe
def open_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """A table that hasn't started, or never will, for who opens its link signed out."""
    game = get_object_or_404(Game.objects.select_related("host"), token=token)
    return open_invitation_page(request, game)


@open_by_link
@never_cache
@require_safe
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The table, its players, and the two answers; its players see the table itself."""
    found = get_object_or_404(Invitation.objects.select_related("game", "invited_by"), token=token)
    if not request.user.is_authenticated:
        return open_invitation_page(request, found.game, found)
    if found.game.seats.filter(user=request.user.pk).exists():
        return redirect(found.game)
    reading = read_invitation(found, signed_in(request), timezone.now())
    context = {"invitation": found, "reading": reading, **muted_context_of(request)}
    return render(request, "lobby/invitation.html", context)


@open_to(INVITED)
@same_origin
@open_by_link
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take_seat(request: HttpRequest, token: str) -> HttpResponse:
    """Begin to take a seat at the table whose link one has, without an account.

    A GET shows the page with a token, for browsers that don't say where a form comes from. Unless a
    table waits, the page of this address says what there is, or that there's nothing.
    """
    waiting = Game.objects.filter(status=Game.Status.WAITING).select_related("host")
    game = waiting.filter(token=token).first()
    return redirect("games:table", token) if game is None else _take_seat(request, game)


@open_to(INVITED)
@same_origin
@open_by_link
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take_invited_seat(request: HttpRequest, token: str) -> HttpResponse:
    """The same on the page of an invitation."""
    found = get_object_or_404(Invitation.objects.select_related("game", "invited_by"), token=token)
    return _take_seat(request, found.game, found)


def _take_seat(
    request: HttpRequest, game: Game, invitation: Invitation | None = None
) -> HttpResponse:
    has_account = request.user.is_authenticated and first_seats.guest_of(request) is None
    if has_account or game.status != Game.Status.WAITING:
        return redirect(game if invitation is None else invitation)
    if request.method != "POST":
        return open_invitation_page(request, game, invitation, with_token=True)
    if not limits.may_ask(request, "signup"):
        return render(request, "429.html", status=429)
    form = FirstSeatForm(data=request.POST, user=first_seats.guest_of(request))
    on_the_way = first_seats.ask_for_code(request, form, game, invitation)
    return on_the_way or open_invitation_page(request, game, invitation, form)


@require_POST
def accept(request: HttpRequest, token: str) -> HttpResponse:
    """Sit down at the table. Who is not signed in comes back to the invitation afterwards."""
    found = get_object_or_404(Invitation, token=token)
    if not request.user.is_authenticated:
        return redirect_to_login(found.get_absolute_url())
    try:
        game = invitations.accept(
            invitation_id=found.pk,
            user=signed_in(request),
            now=timezone.now(),
            seen=settings_seen(request.POST),
        )
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect(found)
    messages.success(request, seat_taken_text(game))
    return redirect(game)


@open_to(INVITED)
@partial(same_origin, has_page=False)
@require_POST
def decline(request: HttpRequest, token: str) -> HttpResponse:
    found = get_object_or_404(Invitation, token=token)
    try:
        invitations.decline(invitation_id=found.pk)
    except Refused as reason:
        messages.error(request, str(reason))
    return redirect(found)
