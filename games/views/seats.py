"""What players do about their seats in a running game."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from games.forms.instants import TOO_FAR
from games.forms.seats import DaysOffForm
from games.models import Game, User
from games.services.game import dormancy, seats
from games.services.game.queries.game_view import played_by
from games.services.refused import Refused
from games.views.actions import player_action, token_of
from games.views.guards import for_members, signed_in


@never_cache
def step_aside(request: HttpRequest, token: str) -> HttpResponseBase:
    """Say what stepping aside means at this table; by POST do it."""
    view = _step_aside if request.method == "POST" else _about_stepping_aside
    return view(request, token=token)


@for_members
def _about_stepping_aside(request: HttpRequest, token: str) -> HttpResponse:
    """What would happen; the table's page for those who have no seat to leave there."""
    game, user = get_object_or_404(Game, token=token, state__isnull=False), signed_in(request)
    table = list(game.seats.all())
    own = next((seat for seat in table if seat.user_id == user.pk), None)
    if own is None or own.absent_since is not None or not game.is_in_play:
        return redirect(game)
    context = {
        "game": game,
        "alone": dormancy.nobody_would_be_left(table, own.number),
        "played_by": played_by(game),
    }
    return render(request, "game/step_aside.html", context)


@player_action("games:table")
def _step_aside(request: HttpRequest, game: Game, user: User) -> str:
    seats.step_aside(game_id=game.pk, user=user, now=timezone.now(), token=token_of(request))
    return _("You've stepped aside. You can return until a substitute takes your seat.")


@player_action("games:table")
def come_back(request: HttpRequest, game: Game, user: User) -> str:
    seats.come_back(game_id=game.pk, user=user, now=timezone.now(), token=token_of(request))
    return _("Welcome back. From now on, you'll make your own moves again.")


@player_action("games:table")
def take_over(request: HttpRequest, game: Game, user: User, number: int) -> str:
    seats.take_over(
        game_id=game.pk, number=number, user=user, now=timezone.now(), token=token_of(request)
    )
    return _("You've taken over this seat. Thank you!")


@player_action("games:table")
def announce_days_off(request: HttpRequest, game: Game, user: User) -> str:
    form = DaysOffForm(request.POST)
    if not form.is_valid():
        if any(form.has_error(name, "too_far") for name in form.fields):
            raise Refused(str(TOO_FAR))
        raise Refused(_("Please enter the first and last day as dates, like 2026-03-09."))
    seats.announce_days_off(
        game_id=game.pk,
        user=user,
        now=timezone.now(),
        token=token_of(request),
        **form.cleaned_data,
    )
    return _(
        "Your days off have been announced. They apply to all decisions that come up from now on."
    )


@player_action("games:table")
def withdraw_days_off(request: HttpRequest, game: Game, user: User, days_off_id: int) -> str:
    seats.withdraw_days_off(
        game_id=game.pk,
        user=user,
        days_off_id=days_off_id,
        now=timezone.now(),
        token=token_of(request),
    )
    return _("Those days off have been cancelled.")


@player_action("games:table")
def ready(request: HttpRequest, game: Game, user: User) -> None:
    """Declare that one needs no more negotiation time, or take it back."""
    is_ready = request.POST.get("ready") != "no"
    seats.say_ready(
        game_id=game.pk, user=user, ready=is_ready, now=timezone.now(), token=token_of(request)
    )
