"""The guided first game: beginning it, and closing the guide."""

from typing import Final
from urllib.parse import urlencode

from allauth.core import ratelimit
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.accounts import address_of
from games.features.guide import first_game
from games.models import Game, User
from games.services import site_state
from games.services.accounts import guests, sign_ins
from games.services.refused import Refused
from games.views.access import GUESTS, open_to
from games.views.actions import player_action
from games.views.guards import signed_in
from games.views.same_origin import same_origin
from games.views.sanctions import muted_context_of

BITS_OF_A_HOUSEHOLD: Final = 56
"""Of IPv6: it has hundreds of networks."""


@open_to(GUESTS)
@same_origin
@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """Say what a first game is; by POST begin it, or go to the one that is running.

    Who has no account plays as a guest; where people are invited, they sign up first.
    """
    refused = ""
    if request.method == "POST" and (request.user.is_authenticated or not needs_account()):
        try:
            if not request.user.is_authenticated:
                _let_in(request)
            return redirect(first_game.begin(user=signed_in(request), now=timezone.now()))
        except Refused as reason:
            refused = str(reason)
    here = urlencode({"next": reverse("first_game")})
    sign_up = f"{reverse('account_signup')}?{here}"
    if request.method == "POST" and not refused:
        return redirect(sign_up)
    context = {
        "refused": refused,
        "needs_account": needs_account(),
        "sign_up": sign_up,
        "sign_in": f"{reverse('account_login')}?{here}",
        **muted_context_of(request),
    }
    return render(request, "guide/first_game.html", context, status=422 if refused else 200)


def needs_account() -> bool:
    """Whether nobody may play without an account: the host of the site decides who comes in."""
    return bool(settings.SIGN_UP == "invited")


def _let_in(request: HttpRequest) -> None:
    """Make the visitor a guest; `Refused` where too many come from one address, or nobody plays."""
    site_state.refuse_new_games(timezone.now(), settings.TIME_ZONE)
    network = sign_ins.network_of(address_of(request), bits=BITS_OF_A_HOUSEHOLD)
    if not ratelimit.consume(request, action="guest", key=network):
        raise Refused(
            _("Too many games have been started from your network today. Sign up to play.")
        )
    guest = guests.arrive(
        language=translation.get_language() or "",
        time_zone=settings.TIME_ZONE,
        now=timezone.now(),
    )
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])


@open_to(GUESTS)
@player_action("games:table")
def end_guiding(_request: HttpRequest, game: Game, user: User) -> None:
    """Continue the game without its guide."""
    first_game.end_guiding(game_id=game.pk, user=user)
