"""What one does about one's seat: each an act of its own, by POST, and back to the table."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from games.forms.instants import TOO_FAR
from games.forms.seats import DaysOffForm
from games.models import Game
from games.services import seats
from games.views.guards import act_and_tell, act_at_table, signed_in


@act_at_table
def step_aside(request: HttpRequest, token: str) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    return act_and_tell(
        request,
        game,
        lambda: seats.step_aside(game_id=game.pk, user=user, now=timezone.now()),
        _("Nobody waits for you any more. You can come back until a substitute sits."),
    )


@act_at_table
def come_back(request: HttpRequest, token: str) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    return act_and_tell(
        request,
        game,
        lambda: seats.come_back(game_id=game.pk, user=user, now=timezone.now()),
        _("Welcome back. You are asked again from now on."),
    )


@act_at_table
def take_over(request: HttpRequest, token: str, number: int) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    return act_and_tell(
        request,
        game,
        lambda: seats.take_over(game_id=game.pk, number=number, user=user, now=timezone.now()),
        _("You have taken the seat over. Thank you!"),
    )


@act_at_table
def announce_days_off(request: HttpRequest, token: str) -> HttpResponse:
    game, user = get_object_or_404(Game, token=token), signed_in(request)
    form = DaysOffForm(request.POST)
    if not form.is_valid():
        told = _("Please give the first and the last day as dates, 2026-03-09.")
        too_far = any(form.has_error(name, "too_far") for name in form.fields)
        messages.error(request, str(TOO_FAR) if too_far else told)
        return redirect(game)
    days = form.cleaned_data
    return act_and_tell(
        request,
        game,
        lambda: seats.announce_days_off(game_id=game.pk, user=user, now=timezone.now(), **days),
        _("Your days off are announced. They count for what is asked from now on."),
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
        _("These days off are taken back."),
    )
