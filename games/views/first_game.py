"""The guided first game: beginning it, and closing the guide for good."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.models import Game, User
from games.services.lobby import first_game
from games.services.refused import Refused
from games.views.actions import player_action
from games.views.guards import signed_in
from games.views.sanctions import muted_context_of


@require_http_methods(["GET", "HEAD", "POST"])
def begin(request: HttpRequest) -> HttpResponse:
    """Say what a first game is; by POST begin it, or go to the one that is running.

    Who has no account signs up first and comes back here.
    """
    refused = ""
    if request.method == "POST" and request.user.is_authenticated:
        try:
            return redirect(first_game.begin(user=signed_in(request), now=timezone.now()))
        except Refused as reason:
            refused = str(reason)
    here = urlencode({"next": reverse("games:first_game")})
    sign_up = f"{reverse('account_signup')}?{here}"
    if request.method == "POST" and not refused:
        return redirect(sign_up)
    context = {
        "refused": refused,
        "sign_up": sign_up,
        "sign_in": f"{reverse('account_login')}?{here}",
        **muted_context_of(request),
    }
    return render(request, "lobby/first_game.html", context, status=422 if refused else 200)


@player_action("games:table")
def end_guiding(_request: HttpRequest, game: Game, user: User) -> None:
    """Continue the game without its guide."""
    first_game.end_guiding(game_id=game.pk, user=user)
