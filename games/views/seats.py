"""What one does about one's seat: each an act of its own, by POST, and back to the table."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from games.forms.instants import TOO_FAR
from games.forms.seats import DaysOffForm
from games.models import Game, User
from games.services.game import resting, seats
from games.services.game.queries.game_view import played_by
from games.views.guards import act_and_tell, act_at_table, for_members, signed_in


@for_members
@never_cache
def step_aside(request: HttpRequest, token: str) -> HttpResponse:
    """Say what stepping aside means at this table; by POST do it."""
    game, user = get_object_or_404(Game, token=token, state__isnull=False), signed_in(request)
    if request.method != "POST":
        return _about_to_leave(request, game, user)
    return act_and_tell(
        request,
        game,
        lambda: seats.step_aside(game_id=game.pk, user=user, now=timezone.now()),
        _("You have stepped aside. You can return until a substitute takes your seat."),
    )


def _about_to_leave(request: HttpRequest, game: Game, user: User) -> HttpResponse:
    """What happens at this table; the table itself for those who have nothing to leave there."""
    table = list(game.seats.all())
    own = next((seat for seat in table if seat.user_id == user.pk), None)
    if own is None or own.absent_since is not None or not game.is_in_play:
        return redirect(game)
    context = {
        "game": game,
        "alone": resting.nobody_would_be_left(table, own.number),
        "played_by": played_by(game),
    }
    return render(request, "game/step_aside.html", context)


@act_at_table
def come_back(request: HttpRequest, token: str) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    return act_and_tell(
        request,
        game,
        lambda: seats.come_back(game_id=game.pk, user=user, now=timezone.now()),
        _("Welcome back. You're making your own moves again."),
    )


@act_at_table
def take_over(request: HttpRequest, token: str, number: int) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    return act_and_tell(
        request,
        game,
        lambda: seats.take_over(game_id=game.pk, number=number, user=user, now=timezone.now()),
        _("You have taken over this seat. Thank you!"),
    )


@act_at_table
def announce_days_off(request: HttpRequest, token: str) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    form = DaysOffForm(request.POST)
    if not form.is_valid():
        told = _("Please enter the first and last day as dates, like 2026-03-09.")
        too_far = any(form.has_error(name, "too_far") for name in form.fields)
        messages.error(request, str(TOO_FAR) if too_far else told)
        return redirect(game)
    days = form.cleaned_data
    return act_and_tell(
        request,
        game,
        lambda: seats.announce_days_off(game_id=game.pk, user=user, now=timezone.now(), **days),
        _("Your days off are announced. They count for all moves that come up from now on."),
    )


@act_at_table
def withdraw_days_off(request: HttpRequest, token: str, days_off_id: int) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    return act_and_tell(
        request,
        game,
        lambda: seats.withdraw_days_off(
            game_id=game.pk, user=user, days_off_id=days_off_id, now=timezone.now()
        ),
        _("These days off have been cancelled."),
    )
